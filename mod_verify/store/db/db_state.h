/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_DB_STATE_H
#define IDV_STORE_DB_DB_STATE_H

/*
 * The definition of idv_db_t, only for db_connection.c, which makes connections,
 * and db.c, which runs statements on them.
 *
 * Threads: a connection with its state belongs to one thread at a time. Memory:
 * idv_db_t lives in its creation pool, the state of a connection as long as the
 * PGconn. Failures: none; types only.
 */
#include <libpq-fe.h>

#include "core/trace.h"
#include "sql_statements.h"
#include "store/db/db_guard.h"

/* This module's state of a native connection. Lives with the PGconn and not in
 * a pool, because apr_dbd keeps connections longer than any request. */
typedef struct {
    unsigned char prepared[IDV_SQL_COUNT + 1]; /* statements, by number */
} idv_db_connection_state_t;

struct idv_db_t {
    PGconn *connection;
    idv_db_connection_state_t *state;
    int retryable;         /* the last failure requires a retry of the
                            * transaction */
    int lock_timed_out;    /* the last failure was a lock timeout */
    idv_db_guard_t *guard; /* must pass first; NULL: none */
    const idv_trace_context_t *trace; /* of its statements; NULL: none */
    idv_sql_t sent;        /* the statement that idv_db_send() sent ... */
    PGresult *arrived;     /* ... and its result, before it is complete */
    void *lease;           /* the source's own data; NULL: none */
};

#endif
