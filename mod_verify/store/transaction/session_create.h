/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_SESSION_CREATE_H
#define IDV_STORE_TRANSACTION_SESSION_CREATE_H

/*
 * Creation of sessions: reading the facts that it depends on, and writing the
 * decision of domain/transition/session_create.h.
 *
 * There are two paths. The safe one reads the facts and writes in a second
 * round trip. The fast one uses facts cached by an earlier creation
 * (store/transaction/session_create_cache.h); its single statement compares
 * all of them while writing. If one differs, nothing is written, and the
 * caller takes the safe path. The same function decides on the facts in both
 * cases.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a workflow that does not exist in the scope
 * is `resource_missing`; outdated facts are not an error.
 */
#include "domain/transition/session_create.h"
#include "store/db/statement_group.h"
#include "store/db/lookup.h"
#include "store/request/idempotency.h"
#include "store/session/session_record.h"

/* --- facts --- */

/* The facts for a creation; see domain/transition/session_create.h. */
typedef struct {
    const char *workflow_id;
    const char *workflow_version_id;
    const idv_workflow_t *workflow; /* NULL: no such workflow in the scope */
    idv_session_create_standing_t standing;
    int guessed;                /* flag: cached, not read now */
    const json_t *compiled;     /* of the workflow; NULL: guessed */
    apr_size_t compiled_length; /* length of its text in bytes */
} idv_session_create_facts_t;

/* What a creation is about. */
typedef struct {
    idv_scope_t scope;
    const char *workflow_id;
    idv_time_t now;
} idv_session_create_query_t;

/* Reads the facts for the workflow WORKFLOW_ID and the month of NOW, except the
 * account's sessions under way; `workflow_retired` or `application_retired` if
 * no session may be created. */
idv_error_t *idv_session_create_facts(idv_db_t *db,
                                      const idv_session_create_query_t *query,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Non-zero while FACTS can be used at NOW with regard to the bound on sessions
 * under way, which the fast path's statement does not compare: the bound is so
 * far away that creations since the facts were read cannot have reached it. */
int idv_session_create_is_far_from_bound(
    const idv_session_create_facts_t *facts, int livemode, idv_time_t now);

/* --- writing --- */

/* The decision of idv_session_create(), to be written. With an idempotency
 * request, STATUS and BODY are its stored response. */
typedef struct {
    const idv_session_record_t *record;
    const idv_session_change_t *change;
    const idv_idempotency_t *idempotency; /* NULL: no key */
    int status;
    const char *body;
    const idv_session_create_facts_t *facts;
    const idv_keyring_t *keyring;
    const idv_trace_context_t *trace; /* of the request; NULL: none */
    /* Writes further data in the transaction, after the session; adds to
     * *DELIVERIES. NULL: nothing. Not supported by the fast path. */
    idv_error_t *(*in_transaction)(idv_db_t *db, void *baton,
                                   apr_int64_t *deliveries, apr_pool_t *pool);
    void *baton;
} idv_session_creation_t;

typedef struct {
    int stored;
    int queued; /* number of deliveries; if any, wake the watchdog */
} idv_session_creation_result_t;

/* The safe path. If the idempotency key was used meanwhile, nothing is written
 * and result->stored is 0; replay the stored response. Near the bound on
 * sessions under way, concurrent creations of an organization are serialized,
 * and the one that would exceed it is `billing_suspended`. */
idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if idv_session_insert_guessed() supports it: a session that is not
 * born verified. */
int idv_session_is_plain(const idv_session_change_t *change);

/* The fast path, for plain sessions: one round trip, shared with other
 * creations in GROUP. GUARD, from idv_api_key_guard(), passes with the
 * statement. If result->stored is 0, nothing was written for an unknown reason;
 * take the safe path. */
idv_error_t *idv_session_insert_guessed(idv_statement_group_t *group,
                                        const idv_session_creation_t *creation,
                                        idv_db_guard_t *guard,
                                        idv_session_creation_result_t *result,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
