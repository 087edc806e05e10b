/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_RISK_H
#define IDV_STORE_SESSION_SESSION_RISK_H

/*
 * Risk assessments of sessions (store/risk/risk_record.h). An assessment can
 * raise the tier in the session's row, but never lowers it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a session outside of the scope is
 * `session_not_found`.
 */
#include "domain/session/session_risk.h"
#include "store/risk/risk_record.h"
#include "store/session/session_lookup.h"

/* Like idv_risk_insert(), and raises the risk_tier of RECORD's session, if any;
 * with a session it requires a transaction. */
idv_error_t *idv_session_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                                     const idv_risk_record_t *record,
                                     const idv_risk_identifiers_t *identifiers,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The functions below must be called in the transaction that writes the
 * session. */

/* The passive checks of a workflow node. */
typedef struct {
    const idv_session_record_t *record; /* at a checks node */
    const idv_workflow_t *workflow;
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_risk_checks_t;

/* Counts the identifiers of the person's last request, assesses the risk and
 * stores the assessment. RESULT is set to the input that continues the
 * session. */
idv_error_t *idv_risk_run_checks(idv_db_t *db, const idv_risk_checks_t *checks,
                                 idv_session_input_t *result,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Doubts at the start of a session (domain/session/session_risk.h). */
typedef struct {
    const idv_session_t *session; /* its row exists already */
    idv_session_token_t token;    /* its sessions are counted here */
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_risk_doubts_t;

/* Counts the use of DOUBTS->token, if any, and stores an assessment of the
 * doubts. *IS_KEPT is non-zero if there was a doubt, so that the tier in the
 * row may have risen. */
idv_error_t *idv_risk_keep_doubts(idv_db_t *db, idv_risk_doubts_t *doubts,
                                  int *is_kept, apr_pool_t *pool) IDV_CHECKED;

/* Records the device and address of SESSION (before the transition) if the
 * transition to AFTER found the person too young and the workflow checks one of
 * them. Call it in the transaction of the transition. */
idv_error_t *idv_risk_note_age_failure(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_t *after,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* If the document presented in AFTER, the changed session, is another person's
 * (IS_REUSED) or its pictures have traces: stores an assessment of these
 * signals and raises the tier, also in AFTER. Nothing without a POLICY. */
idv_error_t *idv_risk_note_document(idv_db_t *db, idv_session_record_t *after,
                                    const idv_risk_policy_t *policy,
                                    int is_reused,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
