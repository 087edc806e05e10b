/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_SESSION_CREATE_H
#define IDV_STORE_TRANSACTION_SESSION_CREATE_H

/*
 * How sessions are created: the facts that a creation depends on, read or
 * remembered, and the writing of what domain/session/session_create.h decides on them.
 *
 * There are two ways. The sure one reads the facts and writes in a second round
 * trip. The fast one takes facts that an earlier creation read, and its one
 * statement compares all of them in the moment in which it writes: when one of
 * them is different, nothing is written, and the caller takes the sure way. The
 * same function decides on the facts both times.
 *
 * Threads: as in store/db/db.h, but for the table of facts, which all threads of a
 * child share. Memory: everything lives in the given pool. Failures: those of
 * store/db/db.h; a workflow that does not exist in the scope is
 * `resource_missing`; a guess that was wrong is no error.
 */
#include "domain/session/session_create.h"
#include "store/db/group_commit.h"
#include "store/db/lookup.h"
#include "store/request/idempotency.h"
#include "store/session/session_record.h"

/* --- facts --- */

/* What creation depends on; see domain/session/session_create.h. */
typedef struct {
    const char *workflow_id;
    const char *workflow_version_id;
    const idv_workflow_t *workflow; /* NULL: no such workflow in the scope */
    idv_session_create_standing_t standing;
    int guessed;                /* read earlier, not now */
    const json_t *compiled;     /* of the workflow; NULL: guessed */
    apr_size_t compiled_length; /* bytes of its text */
} idv_session_create_facts_t;

/* Reads the facts, for the workflow WORKFLOW_ID and the month of NOW, except what
 * of the account is about sessions under way; `workflow_retired` or
 * `application_retired` where no session may begin. */
idv_error_t *idv_session_create_facts(idv_db_t *db, const idv_scope_t *scope,
                                      const char *workflow_id, idv_time_t now,
                                      idv_session_create_facts_t *facts,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Non-zero while FACTS may be taken for granted at NOW as far as the bound of
 * sessions under way is concerned, which no statement of the fast way compares:
 * if it is so far away that creations since the facts were read cannot have
 * reached it. */
int idv_session_create_is_far_from_bound(
    const idv_session_create_facts_t *facts, int livemode, idv_time_t now);

/*
 * The facts that were read last, one table a child: of each workflow its
 * version, in compiled form, and how the organization stood. They are a guess
 * and never an answer, because idv_session_insert_guessed() compares them. A
 * right guess saves a round trip, and the reading of the workflow.
 *
 * The table has a fixed size: of the entries that would share a place the ones
 * used last have it, and a workflow whose compiled form is longer than
 * IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX is never in it. Every entry has a pool
 * of its own, which lives as long as somebody uses the entry.
 */
#define IDV_SESSION_CREATE_CACHE_PLACES 64
#define IDV_SESSION_CREATE_CACHE_SHARES 4 /* entries in a place */
#define IDV_SESSION_CREATE_CACHE_WORKFLOW_MAX (32 * 1024) /* bytes of JSON */

typedef struct idv_session_create_cache_t idv_session_create_cache_t;

/* An empty table, destroyed with PCHILD. */
idv_error_t *idv_session_create_cache_create(idv_session_create_cache_t **cache,
                                             apr_pool_t *pchild) IDV_CHECKED;

/* What is known of WORKFLOW_ID in SCOPE, usable until POOL is cleared;
 * facts->workflow is NULL when nothing is. CACHE may be NULL. */
void idv_session_create_cache_find(idv_session_create_cache_t *cache,
                                   const idv_scope_t *scope,
                                   const char *workflow_id,
                                   idv_session_create_facts_t *facts,
                                   apr_pool_t *pool);

/* Remembers FACTS, which were just read. */
void idv_session_create_cache_put(idv_session_create_cache_t *cache,
                                  const idv_scope_t *scope,
                                  const idv_session_create_facts_t *facts);

/* --- writing --- */

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
    /* Writes what else belongs into the transaction, after the session; adds to
     * *DELIVERIES. NULL: nothing. The fast way has no room for it. */
    idv_error_t *(*in_transaction)(idv_db_t *db, void *baton,
                                   apr_int64_t *deliveries, apr_pool_t *pool);
    void *baton;
} idv_session_creation_t;

typedef struct {
    int stored;
    int queued; /* deliveries: wake the watchdog */
} idv_session_creation_result_t;

/* The sure way. When the idempotency key has been used meanwhile, nothing is
 * written and result->stored is 0: then replay. Near the bound of sessions under
 * way, creations of an organization wait for each other, and the one that would
 * pass it is `billing_suspended`. */
idv_error_t *idv_session_insert(idv_db_t *db,
                                const idv_session_creation_t *creation,
                                idv_session_creation_result_t *result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero for what idv_session_insert_guessed() can write: a session that is
 * not born verified. */
int idv_session_is_plain(const idv_session_change_t *change);

/* The fast way, for plain sessions: one round trip, which the creations of
 * GROUP share. GUARD, made by idv_api_key_guard(), passes with the writing.
 * When result->stored is 0, nothing is written and nothing is known of the
 * reason: go the sure way. */
idv_error_t *idv_session_insert_guessed(idv_group_commit_t *group,
                                        const idv_session_creation_t *creation,
                                        idv_db_guard_t *guard,
                                        idv_session_creation_result_t *result,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
