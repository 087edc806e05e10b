/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_DOUBTS_H
#define IDV_STORE_SESSION_DOUBTS_H

/*
 * Keeps what the beginning of a session gives reason to doubt
 * (domain/session_risk.h): an assessment under the session, whose tier it
 * may raise. Uses of VP tokens are counted for it, by their sessions.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/session_risk.h"
#include "store/session_lookup.h"

typedef struct {
    const idv_session_t *session; /* whose row is there already */
    idv_session_token_t token;    /* its sessions are counted here */
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_session_doubts_t;

/* Inside of the transaction of what began the session. *KEPT is non-zero when
 * there was a doubt, so that the tier in the row may have risen. */
idv_error_t *idv_session_doubts_keep(idv_db_t *db,
                                     idv_session_doubts_t *doubts, int *kept,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
