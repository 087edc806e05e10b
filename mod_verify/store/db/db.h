/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_H
#define IDV_STORE_DB_DB_H

/*
 * Running statements on a connection: the one way to PostgreSQL of everything
 * above store/.
 *
 * Every statement is a file of sql/queries, embedded when the module is built:
 * sql/queries/session/session/create.sql becomes the statement `session_create` with
 * the number IDV_SQL_SESSION_CREATE. Its file names its parameters in the order
 * in which they are passed, and apxs/embed_sql.pl numbers them; t/store
 * prepares each statement against the schema. They run with libpq on the native
 * handle, because apr_dbd loses SQLSTATEs, NULLs and large numbers. A statement
 * is prepared the first time that a backend sees it, and again after a reset of
 * the connection, of which libpq tells.
 *
 * Connections come from store/db/db_connection.h, parameters and rows are
 * store/db/db_value.h's.
 *
 * Errors: a bytea in another form than bytea_output=hex is internal. A lost
 * connection, a full server and a timed-out lock are
 * `service_unavailable` with Retry-After; anything else is internal, and so is
 * a call with another number of parameters than the statement declares, which
 * then is not sent. The SQLSTATE goes to the log, values never do.
 *
 * Threads: one thread per connection at a time. Memory: results live in the
 * pool given to the query.
 */
#include "sql_statements.h"
#include "store/db/db_connection.h"
#include "store/db/db_value.h"

typedef struct {
    const char *name; /* of the prepared statement; lower case */
    int parameters;   /* how many it takes, at most IDV_DB_PARAMS_MAX */
    const char *text; /* with $1, $2, ... */
} idv_sql_text_t;

/* Constant data, indexed by idv_sql_t: IDV_SQL_COUNT entries, and one of
 * NULLs. */
extern const idv_sql_text_t idv_sql_texts[];

/* --- single statements --- */

/* Non-zero when the last failure was a wait for a lock that took longer than
 * the connection's lock_timeout. */
int idv_db_lock_timed_out(const idv_db_t *db);

/* Runs one statement and waits for its result. */
idv_error_t *idv_db_query(idv_db_t *db, idv_sql_t statement,
                          const idv_db_param_t *params, int count,
                          idv_db_result_t **result,
                          apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query, planned anew for these parameters whatever the connection
 * is set to: for statements whose best plan depends on which of them are NULL.
 * Inside of a transaction the statements that follow are planned anew, too. */
idv_error_t *idv_db_query_planned(idv_db_t *db, idv_sql_t statement,
                                  const idv_db_param_t *params, int count,
                                  idv_db_result_t **result,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_planned, with the settings of
 * sql/queries/db/connection/bound.sql: for statements that have one plan whatever
 * the statistics say. */
idv_error_t *idv_db_query_bound(idv_db_t *db, idv_sql_t statement,
                                const idv_db_param_t *params, int count,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_bound, with the settings of connection/brief.sql: the
 * statement runs for a second at most, and is `service_unavailable` then. */
idv_error_t *idv_db_query_brief(idv_db_t *db, idv_sql_t statement,
                                const idv_db_param_t *params, int count,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query for callers that need no rows; the number of rows that the
 * statement changed goes to *CHANGED when that is not NULL. */
idv_error_t *idv_db_execute(idv_db_t *db, idv_sql_t statement,
                            const idv_db_param_t *params, int count,
                            apr_int64_t *changed, apr_pool_t *pool) IDV_CHECKED;

/* --- statements without waiting --- */

/* Sends one statement and does not wait for its result; until that has been
 * received, nothing else may run on DB. */
idv_error_t *idv_db_send(idv_db_t *db, idv_sql_t statement,
                         const idv_db_param_t *params, int count,
                         apr_pool_t *pool) IDV_CHECKED;

/* The result of what was sent. With WAIT zero *RESULT is NULL while the result
 * is not complete; try again when the native handle's socket is readable. */
idv_error_t *idv_db_receive(idv_db_t *db, int wait, idv_db_result_t **result,
                            apr_pool_t *pool) IDV_CHECKED;

/* --- the guard --- */

/* A look-up that has to turn out as expected before any other statement on the
 * connection counts. CHECK judges its rows. When CHECK gives an error, the
 * first statement behind the guard fails with that error, has changed nothing,
 * and gives out no rows. */
typedef struct {
    idv_sql_t statement; /* a SELECT */
    const idv_db_param_t *params;
    int count;
    idv_error_t *(*check)(void *baton, const idv_db_result_t *rows,
                          apr_pool_t *pool);
    void *baton;
    int passed; /* CHECK was content: nothing is looked up any more */
} idv_db_guard_t;

/* Puts GUARD, which has to live as long as DB is used, before the statements
 * that run on DB from now on. The guard travels in one round trip with a
 * statement that begins with SELECT, and in one of its own before any other. */
void idv_db_set_guard(idv_db_t *db, idv_db_guard_t *guard);

/* The guard of DB, passed or not; NULL: it has none. */
const idv_db_guard_t *idv_db_guard(const idv_db_t *db);

/* Like idv_db_query for a statement whose own condition says what the guard of
 * DB checks: it has no row unless the guard would pass. A row passes the guard;
 * without one nothing is known, and the guard stands before the next
 * statement. */
idv_error_t *idv_db_query_guarding(idv_db_t *db, idv_sql_t statement,
                                   const idv_db_param_t *params, int count,
                                   idv_db_result_t **result,
                                   apr_pool_t *pool) IDV_CHECKED;

/* --- batches --- */

/* One of several statements that are committed together. */
typedef struct {
    idv_sql_t statement;
    const idv_db_param_t *params;
    int count;
    PGresult *result; /* after idv_db_batch(), for idv_db_batch_result() */
} idv_db_batch_item_t;

typedef enum {
    IDV_DB_BATCH_COMMITTED,
    IDV_DB_BATCH_FAILED, /* nothing has happened */
    IDV_DB_BATCH_UNKNOWN /* the connection was lost before the confirmation, or
                          * a result cannot be read */
} idv_db_batch_outcome_t;

/* Runs COUNT statements as one transaction, in one round trip. Memory: nothing
 * in pools, so that ITEMS may belong to several threads; their results are
 * theirs to take. */
idv_db_batch_outcome_t idv_db_batch(idv_db_t *db, idv_db_batch_item_t **items,
                                    int count) IDV_CHECKED;

/* The rows of ITEM, owned by POOL from now on; NULL when there are none because
 * the batch was not even sent. */
idv_db_result_t *idv_db_batch_result(const idv_db_batch_item_t *item,
                                     apr_pool_t *pool);

/* --- transactions --- */

/* Runs text that is no embedded query, for migrations; several statements in
 * one text are one transaction. */
idv_error_t *idv_db_script(idv_db_t *db, const char *text,
                           apr_pool_t *pool) IDV_CHECKED;

/* What runs inside a transaction. An error rolls it back. */
typedef idv_error_t *idv_db_work_t(idv_db_t *db, void *baton, apr_pool_t *pool);

/* BEGIN, WORK, COMMIT. Runs WORK again, up to three times in all, when the
 * server ends it for a deadlock or a serialization failure, so WORK must not
 * have effects outside of the database.
 *
 * Inside of another transaction WORK is a part of that one: an error undoes what
 * WORK did and nothing else, and a deadlock is for the outer one to repeat. */
idv_error_t *idv_db_transaction(idv_db_t *db, idv_db_work_t *work, void *baton,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero inside of a transaction that has not failed. */
int idv_db_in_transaction(const idv_db_t *db);

/* Ends a transaction that somebody left open, so that the connection can be
 * given back. */
void idv_db_rollback(idv_db_t *db);

#endif
