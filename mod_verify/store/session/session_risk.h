/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_RISK_H
#define IDV_STORE_SESSION_SESSION_RISK_H

/*
 * Risk assessments of sessions (store/risk/risk_record.h). An assessment raises the tier
 * in the session's row, and never lowers it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a session outside of the scope is
 * `session_not_found`.
 */
#include "domain/session/session_risk.h"
#include "store/risk/risk_record.h"
#include "store/session/session_lookup.h"

/* Like idv_risk_insert(), and raises the risk_tier of RECORD's session if there is
 * one; then inside of a transaction. */
idv_error_t *idv_session_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                                     const idv_risk_record_t *record,
                                     const idv_risk_identifiers_t *identifiers,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The others belong inside of the transaction that writes the session. */

/* The passive checks of a workflow's node. */
typedef struct {
    const idv_session_record_t *record; /* at a node of checks */
    const idv_workflow_t *workflow;
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_risk_checks_t;

/* Counts the identifiers that the person's last request showed, assesses the
 * risk and keeps the assessment. RESULT becomes the input by which the session
 * goes on. */
idv_error_t *idv_risk_run_checks(idv_db_t *db, const idv_risk_checks_t *checks,
                                 idv_session_input_t *result,
                                 apr_pool_t *pool) IDV_CHECKED;

/* What the beginning of a session gives reason to doubt
 * (domain/session/session_risk.h). */
typedef struct {
    const idv_session_t *session; /* whose row is there already */
    idv_session_token_t token;    /* its sessions are counted here */
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_risk_doubts_t;

/* Counts the use of DOUBTS->token, if there is one, and keeps an assessment of
 * the doubts. *IS_KEPT is non-zero when there was a doubt, so that the tier in
 * the row may have risen. */
idv_error_t *idv_risk_keep_doubts(idv_db_t *db, idv_risk_doubts_t *doubts,
                                  int *is_kept, apr_pool_t *pool) IDV_CHECKED;

/* Notes the device and the address of SESSION, as it was when it was found too
 * young by the transition to AFTER; nothing when it was not, or when the
 * workflow looks at neither. Inside of the transaction. */
idv_error_t *idv_risk_note_age_failure(idv_db_t *db,
                                       const idv_session_t *session,
                                       const idv_session_t *after,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The document that AFTER, the session after a change, was shown was somebody
 * else's when IS_REUSED, or its pictures have traces: keeps an assessment of these
 * signals and raises the tier in AFTER as well. Nothing without a POLICY. */
idv_error_t *idv_risk_note_document(idv_db_t *db, idv_session_record_t *after,
                                    const idv_risk_policy_t *policy,
                                    int is_reused,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
