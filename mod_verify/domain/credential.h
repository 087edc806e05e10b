/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_CREDENTIAL_H
#define IDV_DOMAIN_CREDENTIAL_H

/*
 * The credential that a verified session leaves behind for later reuse: what
 * was proved, how strongly, where, and until when. A value that borrows its
 * texts; pure.
 */
#include "domain/session.h"

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
 * `sandbox`. Expires after the rule's validity days, and never after the end
 * of the last day of the evidence (UTC). *MINTED is zero when there is nothing
 * to mint: no primary method was passed (a review approved without one), or
 * the evidence has expired. */
void idv_credential_of(const idv_session_t *session,
                       const idv_workflow_t *workflow,
                       idv_credential_t *credential, int *minted);

#endif
