/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_GROUP_COMMIT_H
#define IDV_STORE_GROUP_COMMIT_H

/*
 * Statements of several threads, written and committed together: one pipeline,
 * one wait for the disk.
 *
 * The first thread that comes leads: it takes a connection, sends its statement
 * and those of all threads that wait by then, and hands their results out after
 * the commit. Who came meanwhile is led by the first of them. So a statement
 * that comes alone goes out at once, and under load one connection does the
 * work of many, with fewer commits and fewer changes between processes.
 *
 * All statements of a group are one transaction. When one of them fails, none
 * has happened, and every thread is told to run its own by itself. So only
 * statements belong here that rarely fail, each of which is a whole unit of
 * work. Rows of the same key are locked in the order of the keys
 * (idv_group_commit_call_t.lock_key), so that the groups of two processes
 * cannot wait for each other. A group waits for what one of its statements
 * waits for, so it does not do so for long (sql/queries/connection/impatient.sql):
 * a key that somebody else holds makes it fail, and by itself only that
 * statement waits.
 *
 * Threads: all of a child. Memory: the parameters stay their caller's and are
 * read by the leader's thread until the call returns; results live in the pool
 * of their own caller.
 */
#include "store/db.h"

/* Statements that are committed together at most. */
#define IDV_GROUP_COMMIT_MAX 32

typedef struct idv_group_commit_t idv_group_commit_t;

typedef struct {
    idv_sql_t statement;
    const idv_db_param_t *params;
    int count;
    const char *lock_key; /* of the row that the statement may wait for; NULL:
                           * it waits for none */
} idv_group_commit_call_t;

/* An empty group, which takes its connections from SOURCE; destroyed with
 * PCHILD. */
idv_error_t *idv_group_commit_create(const idv_db_source_t *source,
                                     idv_group_commit_t **group,
                                     apr_pool_t *pchild) IDV_CHECKED;

/* Runs CALL together with those of other threads; back after the commit, with
 * its rows in *RESULT. NULL in *RESULT without an error: the group failed and
 * nothing has happened; the caller runs the statement by itself. Errors, all
 * `service_unavailable`: there is no connection, or it was lost before the
 * commit was confirmed, so that nobody knows whether it has happened. */
idv_error_t *idv_group_commit_run(idv_group_commit_t *group,
                                  const idv_group_commit_call_t *call,
                                  idv_db_result_t **result,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
