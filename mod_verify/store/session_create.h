/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_CREATE_H
#define IDV_STORE_SESSION_CREATE_H

/*
 * Writing new sessions, and what has to be known before; in between
 * domain/session_create.h decides.
 *
 * There are two ways. The sure one reads the facts, and then writes. The fast
 * one takes facts for granted that were read earlier
 * (session_create_cache.h), and its one statement looks at everything that was
 * taken for granted in the moment in which it writes: when anything is
 * different nothing is written, and the sure way is to be gone. What follows
 * from the facts is decided by the same function both times.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/session_create.h"
#include "store/group_commit.h"
#include "store/idempotency.h"
#include "store/session_lookup.h"

/* What creation depends on; see domain/session_create.h. */
typedef struct {
    const char *workflow_id;
    const char *workflow_version_id;
    const idv_workflow_t *workflow; /* NULL: no such workflow in the scope */
    idv_session_create_standing_t standing;
    int guessed;                /* read earlier, not now */
    const json_t *compiled;     /* of the workflow; NULL: guessed */
    apr_size_t compiled_length; /* bytes of its text */
} idv_session_create_facts_t;

/* Reads them, for the workflow WORKFLOW_ID and the month of NOW. */
idv_error_t *idv_session_create_facts(idv_db_t *db, const idv_scope_t *scope,
                                      const char *workflow_id, idv_time_t now,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool) IDV_CHECKED;

/* What idv_session_create() decided, to be written. With an idempotency
 * request, STATUS and BODY are its stored answer. */
typedef struct {
    const idv_session_record_t *record;
    const idv_session_change_t *change;
    const idv_idempotency_t *idempotency; /* NULL: no key */
    int status;
    const char *body;
    const idv_session_create_facts_t *facts;
    const idv_keyring_t *keyring;
    /* What else belongs into the transaction; adds to *DELIVERIES. NULL:
     * nothing. The fast way has no room for it. */
    idv_error_t *(*besides)(idv_db_t *db, void *baton, apr_int64_t *deliveries,
                            apr_pool_t *pool);
    void *baton;
} idv_session_creation_t;

typedef struct {
    int stored;
    int queued; /* deliveries: wake the watchdog */
} idv_session_creation_result_t;

/* The sure way. When the idempotency key has been used meanwhile, nothing is
 * written and result->stored is 0: then replay. */
idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero for what idv_session_insert_guessed() can write: a session that is
 * not born verified. */
int idv_session_is_plain(const idv_session_change_t *change);

/* The fast way, for plain sessions: one round trip, which the creations of
 * GROUP share. GUARD, made by idv_api_key_guard(), passes with the writing.
 * When result->stored is 0, nothing is written or known: go the sure way. */
idv_error_t *idv_session_insert_guessed(idv_group_commit_t *group,
                                        const idv_session_creation_t *creation,
                                        idv_db_guard_t *guard,
                                        idv_session_creation_result_t *result,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
