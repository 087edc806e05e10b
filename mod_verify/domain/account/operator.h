/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_OPERATOR_H
#define IDV_DOMAIN_ACCOUNT_OPERATOR_H

/*
 * Operators: the persons of a team who work with the dashboard, and what their
 * roles let them do. Who somebody is, is known to httpd alone; which roles he
 * has is what the administrator wrote (VerifyOperator).
 *
 * A role is also a right: each route and each decision names the one role that
 * it needs, and IDV_ROLES says which of these somebody may do who has a role.
 *
 *     auditor    reads everything but evidence
 *     reviewer   and decides reviews, sees the evidence of held sessions,
 *                cancels and flags sessions
 *     developer  as auditor, and keys, endpoints, deliveries, drafts, tries
 *     publisher  as developer, and publishes workflows
 *     admin      everything in an organization but its money: credits, what
 *                is free, and whether a switch for two people goes off
 *
 * What touches money, and what would take back that two people are needed, is
 * for whoever runs the service: an admin of all organizations (SERVICE). The
 * admin of one organization would pay himself.
 *
 * Threads: pure. Memory: values borrow their texts. Failures: none.
 */
#include <apr_tables.h>


/* Each role with its name and the set of what it may do. */
#define IDV_ROLE_RIGHT(role) (1u << IDV_ROLE_##role)
#define IDV_ROLES(X)                                                           \
    X(AUDITOR, "auditor", IDV_ROLE_RIGHT(AUDITOR))                             \
    X(REVIEWER, "reviewer", IDV_ROLE_RIGHT(AUDITOR) | IDV_ROLE_RIGHT(REVIEWER))\
    X(DEVELOPER, "developer",                                                  \
      IDV_ROLE_RIGHT(AUDITOR) | IDV_ROLE_RIGHT(DEVELOPER))                     \
    X(PUBLISHER, "publisher",                                                  \
      IDV_ROLE_RIGHT(AUDITOR) | IDV_ROLE_RIGHT(DEVELOPER)                      \
          | IDV_ROLE_RIGHT(PUBLISHER))                                         \
    X(ADMIN, "admin",                                                          \
      IDV_ROLE_RIGHT(AUDITOR) | IDV_ROLE_RIGHT(REVIEWER)                       \
          | IDV_ROLE_RIGHT(DEVELOPER) | IDV_ROLE_RIGHT(PUBLISHER)              \
          | IDV_ROLE_RIGHT(ADMIN) | IDV_ROLE_RIGHT(SERVICE))

typedef enum {
    IDV_ROLE_NONE, /* needed: nobody may; held: no role */
    IDV_ROLE_ANY,  /* needed: a login is enough; nobody holds it */
    IDV_ROLE_SERVICE, /* needed: an admin of all organizations; nobody holds it */
#define X(role, name, rights) IDV_ROLE_##role,
    IDV_ROLES(X)
#undef X
    IDV_ROLE_COUNT
} idv_role_t;

/* The name of a role, such as "auditor"; NULL for NONE, ANY and SERVICE. */
const char *idv_role_name(idv_role_t role);

/* The role with this name; IDV_ROLE_NONE: there is none. */
idv_role_t idv_role_of_name(const char *name);

/* Non-zero when whoever holds HELD may do what needs NEEDED, in the organizations
 * for which HELD was given. */
int idv_role_allows(idv_role_t held, idv_role_t needed);

/* In place of an organization: all of them. */
#define IDV_OPERATOR_EVERYWHERE "*"

/* A role that somebody has. */
typedef struct {
    const char *organization_id; /* or IDV_OPERATOR_EVERYWHERE */
    idv_role_t role;
    const char *rule; /* the words of VerifyOperator that gave it */
} idv_operator_grant_t;

/* Non-zero when GRANT lets its holder do what needs NEEDED in an organization, or
 * (NULL) in any: SERVICE needs a grant for all organizations. */
int idv_operator_grant_allows(const idv_operator_grant_t *grant,
                              idv_role_t needed, const char *organization_id);

/* Likewise, when any of GRANTS, an array of idv_operator_grant_t, does. */
int idv_operator_grants_allow(const apr_array_header_t *grants,
                              idv_role_t needed, const char *organization_id);

/* The ids of the organizations in which GRANTS, an array of idv_operator_grant_t,
 * gives a role, to a NULL, in POOL; NULL: there is a role in all. */
const char *const *idv_operator_organizations(const apr_array_header_t *grants,
                                              apr_pool_t *pool);

/* Bytes of a login's name. Longer ones are not let in. */
#define IDV_OPERATOR_USER_MAX 255

/* Who makes a request to the dashboard. */
typedef struct {
    const char *user;           /* as httpd authenticated it; UTF-8 */
    const char *name;           /* to be shown; often the same */
    const char *authentication; /* by which AuthType: "Basic" */
    const char *address;        /* of the client */
    /* What let him do what he asks for; NONE and NULL where a login is enough. */
    idv_role_t role;
    const char *rule;
} idv_operator_t;

#endif
