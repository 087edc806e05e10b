/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_GROUP_COMMIT_H
#define IDV_STORE_DB_GROUP_COMMIT_H

/*
 * Statements of several threads, written and committed together: one pipeline,
 * one wait for the disk.
 *
 * The first thread that comes leads: it takes a connection, sends its own
 * statement and those of all threads that wait by then, and hands out their
 * results after the commit. Of the threads that have come meanwhile, the first
 * leads the next group. So a statement that comes alone goes out at once, and
 * under load one connection does the work of many, with fewer commits and fewer
 * changes between processes.
 *
 * All statements of a group are one transaction. When one of them fails, none
 * has happened, and every thread is told to run its own statement alone. So
 * only statements belong here that rarely fail, each of which is a whole unit
 * of work.
 *
 * Two rules keep groups from waiting for each other. Statements that lock a row
 * of some key run in the order of their keys
 * (idv_group_commit_call_t.lock_key), so the groups of two processes cannot
 * deadlock. And a group has little patience for locks
 * (sql/queries/db/connection/impatient.sql): a key that another transaction has
 * locked fails the group, and when each thread then runs its own statement,
 * only the one with that key waits.
 *
 * Threads: all of a child. Memory: the parameters stay their caller's and are
 * read by the leader's thread until the call returns; results live in the pool
 * of their own caller.
 */
#include "store/db/db.h"

/* Statements that are committed together at most. */
#define IDV_GROUP_COMMIT_MAX 32

typedef struct idv_group_commit_t idv_group_commit_t;

typedef struct {
    idv_sql_t statement;
    const idv_db_param_t *params;
    int count;
    const char *lock_key; /* of the row whose lock the statement may wait for;
                           * NULL: it waits for no lock */
} idv_group_commit_call_t;

/* An empty group, which takes its connections from SOURCE; destroyed with
 * PCHILD. */
idv_error_t *idv_group_commit_create(const idv_db_source_t *source,
                                     idv_group_commit_t **group,
                                     apr_pool_t *pchild) IDV_CHECKED;

/* Runs CALL together with those of other threads, and returns after the commit
 * with its rows in *RESULT. NULL in *RESULT without an error: the group failed
 * and nothing has happened; the caller runs the statement alone. Errors, all
 * `service_unavailable`: no connection is to be had, or the connection was lost
 * before the commit was confirmed, so that nobody knows whether it has
 * happened. */
idv_error_t *idv_group_commit_run(idv_group_commit_t *group,
                                  const idv_group_commit_call_t *call,
                                  idv_db_result_t **result,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
