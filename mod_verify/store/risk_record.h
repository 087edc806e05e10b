/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_RECORD_H
#define IDV_STORE_RISK_RECORD_H

/*
 * Risk assessments as they are kept: the counting of persons before one, its
 * record, and the assessments that are made of a session on its way.
 * domain/risk/risk.h decides what an assessment says.
 *
 * Identifiers are given as HMACs, and what was observed of them is forgotten
 * after IDV_RISK_OBSERVATION_DAYS, the longest window. An assessment under a
 * session raises the tier in the session's row, and never lowers it.
 *
 * Threads: as in store/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db.h; a session outside of the scope is
 * `session_not_found`, an assessment `resource_missing`.
 */
#include "domain/risk/risk.h"
#include "domain/session/session_risk.h"
#include "store/session_lookup.h"

#define IDV_RISK_OBSERVATION_DAYS 30

/* --- assessments --- */

/* Digests of the identifiers of one assessment; those not given have no data.
 */
typedef struct {
    idv_bytes_t digests[IDV_RISK_KIND_COUNT];
    idv_bytes_t person; /* digest of the e-mail address, else of the number */
    /* What is looked for in the operator's lists; an address has an entry of
     * its own before that of its domain. */
    idv_bytes_t listed[IDV_RISK_KIND_COUNT];
    idv_bytes_t email_domain;
} idv_risk_identifiers_t;

/* Fills FACTS with what the store knows of IDENTIFIERS: ->seen and
 * ->device_persons, this assessment included, failures for age and what the
 * operator's lists say. Who is seen is counted no further than it takes to be
 * more than POLICY's limit. */
idv_error_t *idv_risk_count(idv_db_t *db, const idv_scope_t *scope,
                            const idv_risk_identifiers_t *identifiers,
                            const idv_risk_policy_t *policy, idv_time_t now,
                            idv_risk_facts_t *facts,
                            apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;
    const char *session_id; /* NULL: none; has to exist in the scope */
    const char *tier;       /* for the session */
    const char *body;       /* as the interface shows it */
    idv_time_t created;
} idv_risk_record_t;

/* Keeps an assessment, observes its identifiers and raises the session's
 * risk_tier. Inside a transaction when there is a session. Without one, the
 * commit does not wait for the disk: an assessment is advice, and asking again
 * gives it again; when PostgreSQL crashes, those of the last moments (three
 * times its wal_writer_delay) are forgotten as a whole, with what they counted.
 * `session_not_found` when the session is not in SCOPE. */
idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool) IDV_CHECKED;

/* The body of an assessment; `resource_missing` outside of the scope. */
idv_error_t *idv_risk_find(idv_db_t *db, const idv_scope_t *scope,
                           const char *id, const char **body,
                           apr_pool_t *pool) IDV_CHECKED;

/* --- of a session --- */

/* These three belong inside of the transaction that writes the session. */

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
