/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_SESSION_TRANSITION_H
#define IDV_STORE_TRANSACTION_SESSION_TRANSITION_H

/*
 * How a session changes its state, and what follows from that.
 *
 * This is the single place that changes a session, for the API, the watchdog
 * and verifyctl alike: it locks the session, asks domain/session/session_step.h what is
 * to happen, and writes the session, its events with their deliveries and every
 * other effect (the record of reviews, analysis jobs, purging, credentials,
 * counting) in one transaction. Passive checks that the change leads to are run
 * in the same transaction, and the session goes on by their result.
 *
 * domain/session/session_step.h has the list of effects; each one that is not in the
 * session's own row has one function here.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool. Errors
 * are those of idv_session_step() and of the database; after one nothing has
 * changed.
 */
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "store/request/idempotency.h"
#include "store/session/session_lookup.h"

/* What has been queued by a change, for waking the watchdog. */
typedef struct {
    apr_int64_t deliveries;
    int analyses;
} idv_session_queued_t;

/* --- transitions --- */

/* Writes the answer of the request that asks for the change, after it and
 * inside of its transaction: *BODY is what an idempotency record keeps. */
typedef idv_error_t *idv_session_answer_t(void *baton,
                                          const idv_session_record_t *record,
                                          const char **body, apr_pool_t *pool);

/* What the change depends on besides the session, asked inside of the
 * transaction once the input is known to change it: an error ends it. AFTER may
 * be given what is kept beside the session. */
typedef idv_error_t *idv_session_condition_t(idv_db_t *db, void *baton,
                                             idv_session_record_t *after,
                                             apr_pool_t *pool);

typedef struct {
    idv_scope_t scope;
    const char *session_id;
    const idv_session_input_t *input;
    idv_session_condition_t *condition; /* NULL: there is none */
    idv_time_t now;
    const idv_keyring_t *keyring;
    /* NULL: a session that comes to passive checks rests there, `processing`,
     * until the watchdog resumes it. OPEN and REDEEM need a policy: of a
     * `pending` session nobody would resume the checks. */
    const idv_risk_policy_t *risk_policy;
    /* The law as it stands at NOW, for an input that is held to it; NULL: that
     * of the session. */
    const idv_compliance_rules_t *compliance;
    /* With an idempotency key, else NULL; then ANSWER and STATUS are needed. */
    const idv_idempotency_t *idempotency;
    int status;
    idv_session_answer_t *answer;
    void *baton; /* of CONDITION and ANSWER */
} idv_session_transition_t;

typedef struct {
    idv_session_record_t *record; /* after the change */
    const idv_workflow_t *workflow;
    int changed;
    const char *body; /* what ANSWER wrote; NULL without an ANSWER */
    idv_session_queued_t queued;
    /* The key was used meanwhile and nothing was changed: replay. */
    idv_stored_answer_t *replay;
} idv_session_transition_result_t;

/* Does TRANSITION. RESULT is filled anew when the transaction is repeated. */
idv_error_t *idv_session_transition(idv_db_t *db,
                                    const idv_session_transition_t *transition,
                                    idv_session_transition_result_t *result,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- events and effects of a change, for creations as well --- */

/* A change that is being written. */
typedef struct {
    const idv_session_record_t
        *record; /* at creation the new one, else that before */
    const idv_session_change_t *change;
    const idv_session_input_t *input; /* NULL at creation */
    const idv_workflow_t *workflow;
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_session_effects_t;

/* Writes the change's events from number FIRST on, with their deliveries, and
 * adds these to *QUEUED; inside of the transaction. */
idv_error_t *idv_session_announce(idv_db_t *db,
                                  const idv_session_effects_t *effects,
                                  int first, idv_session_queued_t *queued,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Writes the change's entries in the record of reviews and has every effect of
 * it; adds to *QUEUED what is queued by that; inside of the transaction. */
idv_error_t *idv_session_run_effects(idv_db_t *db,
                                     const idv_session_effects_t *effects,
                                     idv_session_queued_t *queued,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
