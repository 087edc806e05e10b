/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_SESSION_TRANSITION_H
#define IDV_STORE_TRANSACTION_SESSION_TRANSITION_H

/*
 * State changes of sessions and their effects.
 *
 * All changes of a session by the API, the watchdog and verifyctl are made
 * here: it locks the session, asks domain/transition/session_step.h for the
 * change, and writes the session, its events with their deliveries and every
 * other effect (review records, analysis jobs, purging, credentials, counting)
 * in one transaction. If the change leads to passive checks, they run in the
 * same transaction, and the session continues with their result.
 *
 * domain/transition/session_step.h lists the effects; each one outside of the
 * session's own row has one function here.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of idv_session_step() and of the database; after a failure
 * nothing has changed.
 */
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "store/request/idempotency.h"
#include "store/session/session_lookup.h"

/* Work queued by a change, for waking the watchdog. */
typedef struct {
    apr_int64_t deliveries;
    int analyses;
} idv_session_queued_t;

/* --- transitions --- */

/* Writes the response to the request for the change, after it and in its
 * transaction; *BODY is stored with an idempotency key. */
typedef idv_error_t *idv_session_answer_t(void *baton,
                                          const idv_session_record_t *record,
                                          const char **body, apr_pool_t *pool);

/* A further condition of the change, checked in the transaction once it is
 * known that the input changes the session; an error ends the transaction. It
 * may set members of AFTER other than the session. */
typedef idv_error_t *idv_session_condition_t(idv_db_t *db, void *baton,
                                             idv_session_record_t *after,
                                             apr_pool_t *pool);

typedef struct {
    idv_scope_t scope;
    const char *session_id;
    const idv_session_input_t *input;
    idv_session_condition_t *condition; /* NULL: none */
    idv_time_t now;
    const idv_keyring_t *keyring;
    /* NULL: a session that reaches passive checks waits there, `processing`,
     * until the watchdog resumes it. OPEN and REDEEM require a policy, because
     * nobody would resume the checks of a `pending` session. */
    const idv_risk_policy_t *risk_policy;
    /* The law at NOW, for an input that applies it; NULL: the session's law. */
    const idv_compliance_rules_t *compliance;
    /* With an idempotency key, which requires ANSWER and STATUS; else NULL. */
    const idv_idempotency_t *idempotency;
    int status;
    idv_session_answer_t *answer;
    void *baton; /* of CONDITION and ANSWER */
} idv_session_transition_t;

typedef struct {
    idv_session_record_t *record; /* after the change */
    const idv_workflow_t *workflow;
    int changed;
    const char *body; /* output of ANSWER; NULL without an ANSWER */
    idv_session_queued_t queued;
    /* The key was used meanwhile and nothing has changed: replay this. */
    idv_stored_answer_t *replay;
} idv_session_transition_result_t;

/* Executes TRANSITION. RESULT is refilled if the transaction is repeated. */
idv_error_t *idv_session_transition(idv_db_t *db,
                                    const idv_session_transition_t *transition,
                                    idv_session_transition_result_t *result,
                                    apr_pool_t *pool) IDV_CHECKED;

/* --- events and effects of a change, for creations as well --- */

/* A change being written. */
typedef struct {
    const idv_session_record_t
        *record; /* at creation the new one, else the old */
    const idv_session_change_t *change;
    const idv_session_input_t *input; /* NULL at creation */
    const idv_workflow_t *workflow;
    const idv_keyring_t *keyring;
    idv_time_t now;
} idv_session_effects_t;

/* Writes the change's events from number FIRST on, with their deliveries, which
 * are added to *QUEUED. In the transaction. */
idv_error_t *idv_session_announce(idv_db_t *db,
                                  const idv_session_effects_t *effects,
                                  int first, idv_session_queued_t *queued,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Writes the change's review entries and executes all of its effects; adds
 * queued work to *QUEUED. In the transaction. */
idv_error_t *idv_session_run_effects(idv_db_t *db,
                                     const idv_session_effects_t *effects,
                                     idv_session_queued_t *queued,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
