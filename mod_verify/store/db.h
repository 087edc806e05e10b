/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_H
#define IDV_STORE_DB_H

/*
 * A PostgreSQL connection in use, and the one way to run a statement on it.
 *
 * Connections come from an idv_db_source_t: a pool of apr_dbd's in the httpd
 * children, a connection of its own in the watchdog and in verifyctl. The
 * statements run with libpq on the native handle: apr_dbd loses SQLSTATEs,
 * NULLs and large numbers. Each statement of sql/queries is prepared the first
 * time that a backend sees it; libpq tells when a connection was reset, and
 * then it is prepared again.
 *
 * Errors: a lost connection, a full server and a timed-out lock are
 * `service_unavailable` with Retry-After; anything else is internal. The
 * SQLSTATE goes to the log, values never do.
 *
 * Threads: one thread per connection at a time. Memory: results live in the
 * pool given to the query.
 */
#include <libpq-fe.h>

#include "store/db_parameter.h"
#include "store/sql.h"

typedef struct idv_db_t idv_db_t;

/* For whom and for what a connection is wanted; see store/connection_share.h. */
typedef struct {
    const char *organization_id; /* NULL: before it is known who asks */
    int is_search;
} idv_db_claim_t;

/* Where connections come from. `open` waits at most as long as the source was
 * configured to, and gives `service_unavailable` after that, or what
 * store/connection_share.h says of CLAIM; `close` takes any connection back,
 * rolled back and usable or not. */
typedef struct idv_db_source_t idv_db_source_t;
struct idv_db_source_t {
    idv_error_t *(*open)(const idv_db_source_t *source,
                         const idv_db_claim_t *claim, idv_db_t **db,
                         apr_pool_t *pool)IDV_CHECKED;
    void (*close)(const idv_db_source_t *source, idv_db_t *db);
    void *baton;
};

typedef struct idv_db_result_t idv_db_result_t;

/* Wraps CONNECTION, which the caller keeps owning, and readies it: terse error
 * messages, the record of prepared statements. Cheap when done before. */
idv_error_t *idv_db_attach(PGconn *connection, idv_db_t **db,
                           apr_pool_t *pool) IDV_CHECKED;

/* Connects by CONNINFO (libpq's form); closed with POOL. */
idv_error_t *idv_db_connect(const char *conninfo, idv_db_t **db,
                            apr_pool_t *pool) IDV_CHECKED;

/* What the source of a connection remembers with it, for its `close`. */
void idv_db_set_lease(idv_db_t *db, void *lease);
void *idv_db_lease(const idv_db_t *db);

/* The native handle, for those who wait on its socket. */
PGconn *idv_db_native(idv_db_t *db);

/* Non-zero when the server has closed the connection meanwhile; one poll of
 * the socket, and a round trip only when something arrived. */
int idv_db_is_lost(idv_db_t *db);

/* One round trip; non-zero when the server answered as it should. */
int idv_db_answers(idv_db_t *db);

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
 * In a transaction, so are those that follow. */
idv_error_t *idv_db_query_planned(idv_db_t *db, idv_sql_t statement,
                                  const idv_db_param_t *params, int count,
                                  idv_db_result_t **result,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_planned, with the settings of
 * sql/queries/connection/bound.sql: for statements that have one plan whatever
 * the statistics say. */
idv_error_t *idv_db_query_bound(idv_db_t *db, idv_sql_t statement,
                                const idv_db_param_t *params, int count,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query_bound, by connection/brief.sql: for a second, after which it
 * is `service_unavailable`. */
idv_error_t *idv_db_query_brief(idv_db_t *db, idv_sql_t statement,
                                const idv_db_param_t *params, int count,
                                idv_db_result_t **result,
                                apr_pool_t *pool) IDV_CHECKED;

/* Like idv_db_query for who needs no rows; the number of rows that the
 * statement changed goes to *CHANGED when that is not NULL. */
idv_error_t *idv_db_execute(idv_db_t *db, idv_sql_t statement,
                            const idv_db_param_t *params, int count,
                            apr_int64_t *changed, apr_pool_t *pool) IDV_CHECKED;

/* Sends one statement and does not wait for its result; until that has been
 * received, nothing else may run on DB. */
idv_error_t *idv_db_send(idv_db_t *db, idv_sql_t statement,
                         const idv_db_param_t *params, int count,
                         apr_pool_t *pool) IDV_CHECKED;

/* The result of what was sent: NULL in *RESULT while it is not complete and
 * WAIT is zero; then try again when the native handle's socket is readable. */
idv_error_t *idv_db_receive(idv_db_t *db, int wait, idv_db_result_t **result,
                            apr_pool_t *pool) IDV_CHECKED;

/* A look-up that has to turn out as expected before anything else that was
 * asked of the connection counts. CHECK judges its rows; an error of CHECK is
 * the error of the statement that came first, which then has changed nothing
 * and whose rows nobody sees. */
typedef struct {
    idv_sql_t statement; /* a SELECT */
    const idv_db_param_t *params;
    int count;
    idv_error_t *(*check)(void *baton, const idv_db_result_t *rows,
                          apr_pool_t *pool);
    void *baton;
    int passed;
} idv_db_guard_t;

/* Puts GUARD before whatever runs next on DB. It travels in one round trip with
 * a statement that begins with SELECT, and in one of its own before any
 * other. */
void idv_db_guard(idv_db_t *db, idv_db_guard_t *guard);

/* Like idv_db_query for a statement that has in itself what the guard of DB looks
 * for, and without it no rows: a row passes the guard. */
idv_error_t *idv_db_query_guarding(idv_db_t *db, idv_sql_t statement,
                                   const idv_db_param_t *params, int count,
                                   idv_db_result_t **result,
                                   apr_pool_t *pool) IDV_CHECKED;

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
    IDV_DB_BATCH_UNKNOWN /* the connection was lost before the confirmation */
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

/* Text that is no embedded query, for migrations; several statements may be
 * in it, and then they are one transaction. */
idv_error_t *idv_db_script(idv_db_t *db, const char *text,
                           apr_pool_t *pool) IDV_CHECKED;

/* What runs inside a transaction. An error rolls it back. */
typedef idv_error_t *idv_db_work_t(idv_db_t *db, void *baton, apr_pool_t *pool);

/* BEGIN, WORK, COMMIT. Runs WORK again, up to three times in all, when the
 * server ends it for a deadlock or a serialization failure, so WORK must not
 * have effects outside of the database. */
idv_error_t *idv_db_transaction(idv_db_t *db, idv_db_work_t *work, void *baton,
                                apr_pool_t *pool) IDV_CHECKED;

/* Non-zero inside of a transaction that has not failed. */
int idv_db_in_transaction(const idv_db_t *db);

/* Ends a transaction that somebody left open, so that the connection can be
 * given back. */
void idv_db_rollback(idv_db_t *db);

/* Rows. Row and column are counted from 0; text lives as long as the result's
 * pool. SQL NULL is NULL, 0 and an empty value. */
int idv_db_rows(const idv_db_result_t *result);
int idv_db_is_null(const idv_db_result_t *result, int row, int column);
const char *idv_db_get_text(const idv_db_result_t *result, int row, int column);
apr_int64_t idv_db_get_int(const idv_db_result_t *result, int row, int column);
int idv_db_get_bool(const idv_db_result_t *result, int row, int column);
/* A bytea; copied and decoded into POOL. */
idv_bytes_t idv_db_get_bytes(const idv_db_result_t *result, int row, int column,
                             apr_pool_t *pool);
/* A json column that we wrote ourselves; NULL for SQL NULL. Owned by POOL. */
json_t *idv_db_get_json(const idv_db_result_t *result, int row, int column,
                        apr_pool_t *pool);
/* A text[] without NULLs, as a NULL-terminated array in POOL. */
const char *const *idv_db_get_texts(const idv_db_result_t *result, int row,
                                    int column, apr_pool_t *pool);

#endif
