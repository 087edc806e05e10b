/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_OPERATOR_H
#define IDV_DOMAIN_ACCOUNT_OPERATOR_H

/*
 * Operators: the team members who use the dashboard, and the rights of their
 * roles. httpd authenticates them; the administrator assigns roles
 * (VerifyOperator).
 *
 * A role is also a right: each route and each decision names the one role that
 * it needs, and IDV_ROLES lists the rights of each role.
 *
 *     auditor    reads everything except evidence
 *     reviewer   as auditor; also decides reviews, sees the evidence of held
 *                sessions, cancels and flags sessions
 *     developer  as auditor; also keys, endpoints, deliveries, drafts, trials
 *     publisher  as developer; also publishes workflows
 *     admin      everything in an organization except its money: credits, the
 *                free allotment, and turning off two-person control
 *
 * Anything that involves money or turns off two-person control needs an admin
 * of all organizations (SERVICE), because the admin of one organization could
 * pay himself.
 *
 * Threads: pure. Memory: values borrow their texts. Failures: none.
 */
#include <apr_tables.h>


/* Each role with its name and its set of rights. */
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

/* The name of a role ("auditor"); NULL for NONE, ANY and SERVICE. */
const char *idv_role_name(idv_role_t role);

/* The role of this name; IDV_ROLE_NONE if unknown. */
idv_role_t idv_role_of_name(const char *name);

/* Non-zero if a holder of HELD may do what needs NEEDED, in the organizations
 * for which HELD was granted. */
int idv_role_allows(idv_role_t held, idv_role_t needed);

/* Stands for all organizations. */
#define IDV_OPERATOR_EVERYWHERE "*"

/* A role granted to an operator. */
typedef struct {
    const char *organization_id; /* or IDV_OPERATOR_EVERYWHERE */
    idv_role_t role;
    const char *rule; /* the VerifyOperator line that granted it */
} idv_operator_grant_t;

/* Non-zero if GRANT allows NEEDED in an organization, or (NULL) in any. SERVICE
 * needs a grant for all organizations. */
int idv_operator_grant_allows(const idv_operator_grant_t *grant,
                              idv_role_t needed, const char *organization_id);

/* Likewise for any of GRANTS, an array of idv_operator_grant_t. */
int idv_operator_grants_allow(const apr_array_header_t *grants,
                              idv_role_t needed, const char *organization_id);

/* The ids of the organizations for which GRANTS (an array of
 * idv_operator_grant_t) give a role, NULL-terminated, in POOL; NULL: a role in
 * all organizations. */
const char *const *idv_operator_organizations(const apr_array_header_t *grants,
                                              apr_pool_t *pool);

/* Maximum login name in bytes; longer names are refused. */
#define IDV_OPERATOR_USER_MAX 255

/* The operator making a dashboard request. */
typedef struct {
    const char *user;           /* as httpd authenticated it; UTF-8 */
    const char *name;           /* display name; often the same */
    const char *authentication; /* the AuthType, such as "Basic" */
    const char *address;        /* of the client */
    /* The grant that allows the request; NONE and NULL if a login is enough. */
    idv_role_t role;
    const char *rule;
} idv_operator_t;

#endif
