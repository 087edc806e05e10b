/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_CREDENTIAL_H
#define IDV_DOMAIN_SESSION_CREDENTIAL_H

/*
 * The credential that a verified session leaves behind for later reuse: what
 * was proved, how strongly, where, and until when; and which of a person's
 * credentials satisfies what is demanded later, the one decision behind the
 * lookup of verified persons and every reuse at session creation.
 *
 * A credential is valid until it expires; revoked ones never come here. Of the
 * valid ones, each has to satisfy strength, assurance, age tier and age of the
 * verification by itself; the methods demanded have to have been passed in
 * those together.
 *
 * Memory: values borrow their texts; arrays live in the given pool and borrow
 * from the credentials. Threads: pure. Nothing fails.
 */
#include <apr_tables.h>

#include "domain/session/session.h"

typedef struct {
    idv_method_t method;      /* the strongest primary method that was passed */
    idv_strength_t strength;
    idv_assurance_t assurance; /* of the evidence; never NONE once kept */
    idv_age_tier_t age_tier;  /* the highest that is proved */
    int age_over;             /* completed years proved; 0: not known */
    const char *jurisdiction; /* of the session; NULL: none */
    idv_method_list_t methods; /* all that were passed */
    idv_time_t verified_at;
    idv_time_t expires_at;
} idv_credential_t;

/* The credential of a SESSION that became verified by its methods or by
 * `sandbox`. Expires after the rule's validity days, and never after the last day of
 * the evidence (UTC) or after the rule's `data_retention_days` (an hour for 0). *MINTED
 * is zero when there is nothing to mint: no primary method was passed (a review approved
 * without one), or the evidence has expired. */
void idv_credential_of(const idv_session_t *session,
                       const idv_workflow_t *workflow,
                       idv_credential_t *credential, int *minted);

/* A credential as it is kept. */
typedef struct {
    const char *id;
    const char *verified_person_id; /* NULL: known by its token alone */
    idv_credential_t proof;
} idv_reusable_t;

/* NONE or 0: not demanded. */
typedef struct {
    idv_strength_t min_strength;
    idv_assurance_t min_assurance; /* of what verified it */
    int max_age_days;
    idv_method_list_t methods; /* all must have been passed before */
    idv_age_tier_t age_tier;
    int required_age; /* exact; a credential with facts is held to it */
    /* Rules of the jurisdiction where it is to be reused. */
    int validity_minutes; /* wins over the days; 0: the days count */
    int validity_days;
    int mdl_refused;
} idv_reuse_demand_t;

/* Non-zero when CREDENTIAL alone satisfies all of DEMAND but its methods. */
int idv_reuse_satisfies(const idv_reuse_demand_t *demand,
                        const idv_credential_t *credential, idv_time_t now);

/* The CREDENTIALS (const idv_reusable_t *) of one person that satisfy DEMAND
 * at NOW, in their order; an empty array when they do not have its methods. */
apr_array_header_t *idv_reuse_filter(const idv_reuse_demand_t *demand,
                                     const apr_array_header_t *credentials,
                                     idv_time_t now, apr_pool_t *pool);

/* The strongest of those, the first of equals; NULL when there is none. */
const idv_reusable_t *idv_reuse_choose(const idv_reuse_demand_t *demand,
                                       const apr_array_header_t *credentials,
                                       idv_time_t now, apr_pool_t *pool);

#endif
