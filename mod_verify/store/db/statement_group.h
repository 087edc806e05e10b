/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_STATEMENT_GROUP_H
#define IDV_STORE_DB_STATEMENT_GROUP_H

/*
 * Statements of several threads, sent in one pipeline over one connection.
 *
 * The first thread becomes the leader: it takes a connection, sends its own
 * statement and those of all threads waiting by then, and distributes the
 * results. Of the threads that arrived meanwhile, the first leads the next
 * group. So a lone statement is sent at once. Under load one connection does
 * the work of many, with one wait for the disk and far fewer process switches.
 *
 * Statements over rows (store/db/row_statement.h) that differ only in their
 * rows are sent as one. All statements of a group are one transaction. If one
 * fails, none takes effect, and every thread has to run its own statement
 * alone. So only use it for statements that rarely fail and are complete units
 * of work.
 *
 * A child has one group for creations and one for reads. Statements that lock
 * a row of some key run in the order of their keys
 * (idv_statement_call_t.lock_key), so that the groups of two processes seldom
 * wait for each other: only if the same keys are in them with rows of
 * different statements. Such groups have a short lock timeout
 * (sql/queries/db/connection/impatient.sql), which also ends that: a key
 * locked by another transaction fails the group; when each thread then runs
 * its own statement, only the one with that key waits. Reads have patience
 * instead: a thread that has waited that long becomes a leader too, so that
 * pages which come slowly from the disk are read by several connections at
 * once.
 *
 * Threads: all of a child. Memory: parameters remain their caller's and are
 * read by the leader's thread until the call returns; results live in the pool
 * of their own caller.
 */
#include "store/db/db.h"

/* Maximum number of statements in a group. */
#define IDV_STATEMENT_GROUP_MAX 32

typedef struct idv_statement_group_t idv_statement_group_t;

typedef struct {
    idv_sql_t statement;
    idv_db_params_t params;
    /* Of a statement over rows (store/db/row_statement.h): the id of the
     * caller's row, and the number of parameters that all rows share. NULL: an
     * ordinary statement. */
    const char *row_id;
    int shared;
    const char *lock_key; /* key of the row whose lock it may wait for; NULL:
                           * none */
    /* The organization for which the connection counts if the caller leads
     * (store/db/connection_share.h). NULL: none; required without patience, as
     * an organization at its limit would hold up all others. */
    const char *organization_id;
    const idv_trace_context_t *trace; /* of the caller; NULL: none */
} idv_statement_call_t;

/* An empty group with connections from SOURCE, whose threads wait at most
 * PATIENCE for a leader (0: always); destroyed with PCHILD. */
idv_error_t *idv_statement_group_create(const idv_db_source_t *source,
                                        apr_interval_time_t patience,
                                        idv_statement_group_t **group,
                                        apr_pool_t *pchild) IDV_CHECKED;

/* Runs CALL together with those of other threads; returns after the commit with
 * its rows in *RESULT. NULL in *RESULT without an error: the group failed and
 * nothing was changed; run the statement alone. Errors are all
 * `service_unavailable`: no connection is available, or it was lost before the
 * commit was confirmed, so that its outcome is unknown. */
idv_error_t *idv_statement_group_run(idv_statement_group_t *group,
                                     const idv_statement_call_t *call,
                                     idv_db_result_t **result,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
