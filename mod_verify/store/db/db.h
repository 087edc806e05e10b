/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_H
#define IDV_STORE_DB_DB_H

/*
 * Executes statements on a connection; the only access to PostgreSQL for
 * everything above store/.
 *
 * Every statement is a file in sql/queries, embedded at build time:
 * sql/queries/session/session/create.sql becomes the statement `session_create`
 * with the number IDV_SQL_SESSION_CREATE. The file names its parameters in the
 * order of passing, and apxs/embed_sql.pl numbers them; t/store prepares each
 * statement against the schema. Statements run with libpq on the native handle,
 * because apr_dbd loses SQLSTATEs, NULLs and large numbers. A statement is
 * prepared on its first use per backend, and again after libpq reports a reset
 * connection.
 *
 * Connections come from store/db/db_connection.h, parameters and rows from
 * store/db/db_value.h.
 *
 * Errors: a bytea not in the form of bytea_output=hex is internal. A lost
 * connection, a full server and a lock timeout are `service_unavailable` with
 * Retry-After. Everything else is internal, including a call with the wrong
 * number of parameters, which is not sent. The SQLSTATE is logged, values never
 * are.
 *
 * Threads: one thread per connection at a time. Memory: results live in the
 * pool given to the query.
 */
#include "sql_statements.h"
#include "store/db/db_connection.h"
#include "store/db/db_guard.h"
#include "store/db/db_value.h"

typedef struct {
    const char *name; /* of the prepared statement, in lower case */
    int parameters;   /* their number, at most IDV_DB_PARAMS_MAX */
    const char *text; /* with $1, $2, ... */
} idv_sql_text_t;

/* Constant data, indexed by idv_sql_t: IDV_SQL_COUNT entries and a terminator
 * of NULLs. */
extern const idv_sql_text_t idv_sql_texts[];

/* --- single statements --- */

/* Non-zero if the last failure was a lock wait longer than the connection's
 * lock_timeout. */
int idv_db_lock_timed_out(const idv_db_t *db);

/* Runs a statement and waits for its result. */
idv_error_t *idv_db_query(idv_db_t *db, idv_sql_t statement,
                          idv_db_params_t params, idv_db_result_t **result,
                          apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query, but always planned for these parameters, whatever the
 * connection's settings: for statements whose best plan depends on which of
 * them are NULL. Within a transaction the later statements are also
 * replanned. */
idv_error_t *idv_db_query_planned(idv_db_t *db, idv_sql_t statement,
                                  idv_db_params_t params,
                                  idv_db_result_t **result,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_planned, with the settings of
 * sql/queries/db/connection/bound.sql: for statements that need the same plan
 * regardless of statistics. */
idv_error_t *idv_db_query_bound(idv_db_t *db, idv_sql_t statement,
                                idv_db_params_t params,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_bound, with the settings of connection/brief.sql: after one
 * second the statement is cancelled with `service_unavailable`. */
idv_error_t *idv_db_query_brief(idv_db_t *db, idv_sql_t statement,
                                idv_db_params_t params,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query, without rows. *CHANGED is set to the number of changed
 * rows unless it is NULL. */
idv_error_t *idv_db_execute(idv_db_t *db, idv_sql_t statement,
                            idv_db_params_t params, apr_int64_t *changed,
                            apr_pool_t *pool) IDV_CHECKED;

/* --- asynchronous statements --- */

/* Sends a statement without waiting for its result; nothing else may run on DB
 * until the result was received. */
idv_error_t *idv_db_send(idv_db_t *db, idv_sql_t statement,
                         idv_db_params_t params, apr_pool_t *pool) IDV_CHECKED;

/* Receives the result. If WAIT is zero and the result is incomplete, *RESULT is
 * NULL; retry when the native handle's socket is readable. */
idv_error_t *idv_db_receive(idv_db_t *db, int wait, idv_db_result_t **result,
                            apr_pool_t *pool) IDV_CHECKED;

/* --- the trace --- */

/* The statements of DB become spans below TRACE, which must live as long as it is
 * set; NULL: no spans. */
void idv_db_set_trace(idv_db_t *db, const idv_trace_context_t *trace);

/* The trace of DB, or NULL; as a parameter, for rows that others continue. */
const idv_trace_context_t *idv_db_trace(const idv_db_t *db);
idv_db_param_t idv_db_trace_param(const idv_trace_context_t *trace);

/* --- the guard --- */

/* Installs GUARD, which must live as long as DB is used, before all further
 * statements on DB. It shares a round trip with a statement that begins with
 * SELECT, and takes its own before any other. */
void idv_db_set_guard(idv_db_t *db, idv_db_guard_t *guard);

/* --- batches --- */

/* One of several statements committed together. */
typedef struct {
    idv_sql_t statement;
    idv_db_params_t params;
    PGresult *result; /* after idv_db_batch(), for idv_db_batch_result() */
} idv_db_batch_item_t;

typedef enum {
    IDV_DB_BATCH_COMMITTED,
    IDV_DB_BATCH_FAILED, /* nothing was changed */
    IDV_DB_BATCH_UNKNOWN /* the connection was lost before the confirmation, or
                          * a result is unreadable */
} idv_db_batch_outcome_t;

/* Runs COUNT statements as one transaction in one round trip. Memory: uses no
 * pools, so that ITEMS may belong to several threads, each of which takes its
 * own result. */
idv_db_batch_outcome_t idv_db_batch(idv_db_t *db, idv_db_batch_item_t **items,
                                    int count) IDV_CHECKED;

/* The rows of ITEM, owned by POOL from now on; NULL if the batch was not even
 * sent. */
idv_db_result_t *idv_db_batch_result(const idv_db_batch_item_t *item,
                                     apr_pool_t *pool);

/* --- transactions --- */

/* Runs text that is not an embedded query, for migrations; several statements
 * in one text form one transaction. */
idv_error_t *idv_db_script(idv_db_t *db, const char *text,
                           apr_pool_t *pool) IDV_CHECKED;

/* The body of a transaction. An error rolls it back. */
typedef idv_error_t *idv_db_work_t(idv_db_t *db, void *baton, apr_pool_t *pool);

/*
 * BEGIN, WORK, COMMIT. Repeats WORK, up to three times in all, after a deadlock
 * or a serialization failure, so WORK must not have effects outside of the
 * database.
 *
 * Within another transaction WORK is a part of it: an error undoes only what
 * WORK did, and the outer transaction repeats after a deadlock.
 */
idv_error_t *idv_db_transaction(idv_db_t *db, idv_db_work_t *work, void *baton,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero within a transaction that has not failed. */
int idv_db_in_transaction(const idv_db_t *db);

/* Rolls back a transaction that was left open, so that the connection can be
 * returned. */
void idv_db_rollback(idv_db_t *db);

#endif
