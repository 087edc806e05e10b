/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_CREDENTIAL_H
#define IDV_DOMAIN_SESSION_CREDENTIAL_H

/*
 * The credential that a verified session leaves for later reuse: the proved
 * facts, their strength, the jurisdiction and the expiry. Also the one decision
 * which of a person's credentials satisfy a later request; it is used by the
 * lookup of verified persons and by every reuse at session creation.
 *
 * A credential is valid until it expires; revoked ones are never passed in.
 * Each valid credential must by itself satisfy strength, assurance, age tier
 * and age of the verification. The required methods must have been passed in
 * these credentials together.
 *
 * Memory: values borrow their texts; arrays live in the given pool and borrow
 * from the credentials. Threads: pure. Failures: none.
 */
#include <apr_tables.h>

#include "domain/session/session.h"

typedef struct {
    idv_method_t method; /* the strongest primary method passed */
    idv_strength_t strength;
    idv_assurance_t assurance; /* of the evidence; never NONE once stored */
    idv_age_tier_t age_tier;   /* the highest proved */
    int age_over;              /* completed years proved; 0: unknown */
    const char *jurisdiction;  /* of the session; NULL: none */
    idv_method_list_t methods; /* all methods passed */
    idv_time_t verified_at;
    idv_time_t expires_at;
} idv_credential_t;

/* The credential of a SESSION that became verified by its methods or by
 * `sandbox`. It expires after the rule's validity days, but no later than the
 * last day of the evidence (UTC) and the rule's `data_retention_days` (an hour
 * for 0). *MINTED is zero if there is nothing to mint: no primary method was
 * passed (a review approved without one), or the evidence has expired. */
void idv_credential_of(const idv_session_t *session,
                       const idv_workflow_t *workflow,
                       idv_credential_t *credential, int *minted);

/* A stored credential. */
typedef struct {
    const char *id;
    const char *verified_person_id; /* NULL: identified only by its token */
    idv_credential_t proof;
} idv_reusable_t;

/* Requirements of a reuse; NONE or 0: not required. */
typedef struct {
    idv_strength_t min_strength;
    idv_assurance_t min_assurance; /* of the verification */
    int max_age_days;
    idv_method_list_t methods; /* all must have been passed */
    idv_age_tier_t age_tier;
    int required_age; /* exact; applies to credentials with facts */
    /* Rules of the jurisdiction of the reuse. */
    int validity_minutes; /* overrides the days; 0: use the days */
    int validity_days;
    int mdl_refused;
} idv_reuse_demand_t;

/* Non-zero if CREDENTIAL on its own satisfies DEMAND, except for its
 * methods. */
int idv_reuse_satisfies(const idv_reuse_demand_t *demand,
                        const idv_credential_t *credential, idv_time_t now);

/* The CREDENTIALS (const idv_reusable_t *) of one person that satisfy DEMAND at
 * NOW, in the same order; empty if together they lack its methods. */
apr_array_header_t *idv_reuse_filter(const idv_reuse_demand_t *demand,
                                     const apr_array_header_t *credentials,
                                     idv_time_t now, apr_pool_t *pool);

/* The strongest of those, the first among equals; NULL if there is none. */
const idv_reusable_t *idv_reuse_choose(const idv_reuse_demand_t *demand,
                                       const apr_array_header_t *credentials,
                                       idv_time_t now, apr_pool_t *pool);

#endif
