/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_VP_TOKEN_REDEMPTION_H
#define IDV_STORE_TRANSACTION_VP_TOKEN_REDEMPTION_H

/*
 * Redeems a VP token in an open session, which is then verified as if the token
 * had come with its creation. domain/transition/session_step.h decides whether the
 * session can be redeemed, domain/session/reuse_decision.h whether the token's
 * credential satisfies it. It counts like every verification.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 */
#include "store/transaction/session_transition.h"

/* Maximum attempts per session, and their window. */
#define IDV_REDEMPTION_ATTEMPTS_MAX 10
#define IDV_REDEMPTION_WINDOW (15 * IDV_MINUTE)

typedef struct {
    idv_scope_t scope; /* the session's organization */
    const char *session_id;
    const char *token; /* secret: never log */
    const idv_keyring_t *keyring;
    const idv_risk_policy_t *risk_policy;     /* for doubts about its use */
    const idv_compliance_rules_t *compliance; /* NULL: no rules */
    idv_device_t device;                      /* the device with the token */
    idv_time_t now;
} idv_vp_token_redemption_t;

/* Counts the attempt, even a refused one, and redeems. Of two concurrent
 * attempts only one changes the session. Errors: rate_limit_exceeded,
 * session_not_redeemable, session_locked_to_other_device, vp_token_invalid
 * (also for a token of another organization, and for one of another person if
 * the workflow requires the own person), otp_not_proven, no_matching_vp. */
idv_error_t *idv_vp_token_redeem(idv_db_t *db,
                                 const idv_vp_token_redemption_t *redemption,
                                 idv_session_transition_result_t *result,
                                 apr_pool_t *pool) IDV_CHECKED;

#endif
