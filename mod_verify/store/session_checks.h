/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CHECKS_H
#define IDV_STORE_SESSION_CHECKS_H

/*
 * Runs the passive checks of a workflow's node: counts the identifiers that
 * the person's last request showed, assesses the risk and keeps the assessment
 * under the session, whose tier it may raise. For session_transition.c, inside
 * of the transaction that holds the session's lock.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/risk.h"
#include "store/session_lookup.h"

typedef struct {
    const idv_session_record_t *record; /* at a node of checks */
    const idv_workflow_t *workflow;
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_session_checks_t;

/* RESULT becomes the input by which the session goes on. */
idv_error_t *idv_session_checks_run(idv_db_t *db,
                                    const idv_session_checks_t *checks,
                                    idv_session_input_t *result,
                                    apr_pool_t *pool) IDV_CHECKED;

/* A document that AFTER, the session after a change, was shown was somebody
 * else's: keeps an assessment of that signal under the session and raises its
 * tier, in the database and in AFTER. Inside of the transaction. */
idv_error_t *idv_session_checks_note_reuse(idv_db_t *db,
                                           idv_session_record_t *after,
                                           const idv_risk_policy_t *policy,
                                           idv_time_t now,
                                           apr_pool_t *pool) IDV_CHECKED;

#endif
