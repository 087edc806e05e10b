/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SIMULATION_WORKFLOW_REPLAY_H
#define IDV_STORE_SIMULATION_WORKFLOW_REPLAY_H

/*
 * The jobs of the simulator: past sessions of a workflow, led through another
 * one (domain/simulation/session_replay.h), batch by batch in the order of their ids.
 *
 * What was counted, the list of sessions and the place from which the next
 * batch begins are written together, so that a job that is interrupted at any
 * point goes on where it was and counts nobody twice. One process has a job at
 * a time, by a lease. A job that has ended never changes again. Nothing but the
 * two tables of these jobs is written.
 *
 * At most IDV_REPLAY_SESSIONS_MAX sessions are looked at; the job is done then.
 *
 * A SHADOW is such a job beside the live versions of its workflow, whichever
 * these are: it takes each session that ends in the workflow from when it was
 * ordered until its time is over, or somebody stops it or retires the workflow.
 * The transaction in which a session ends has one small statement more, which
 * writes a row where there is a shadow and else looks at one index; no other
 * request does anything for it. So no session is missed and none counts twice,
 * in whatever order they end. A session that was flagged or erased before its turn has come is not
 * determined.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include <apr_tables.h>

#include "domain/simulation/replay_tally.h"
#include "store/db/lookup.h"

#define IDV_REPLAY_SESSIONS_MAX 1000000 /* of the workflow, in one job */
#define IDV_REPLAY_ATTEMPTS_MAX 5       /* at one batch */
#define IDV_REPLAYS_MAX 2  /* of an organization under way, without shadows */
#define IDV_SHADOWS_MAX 10 /* likewise; one of a workflow */
#define IDV_SHADOW_DAYS_DEFAULT 30
#define IDV_SHADOW_DAYS_MAX 366
/* Between the end of a session and the commit of its transaction, at most. */
#define IDV_SHADOW_SETTLING (60 * IDV_SECOND)
#define IDV_REPLAY_DAYS 30              /* that jobs are kept after their end */

/* A job, as it is to be or as it was found. */
typedef struct {
    const char *organization_id;
    const char *id;
    const char *workflow_id; /* whose sessions */
    const char *version_id, *draft_id; /* what they go through; NULL: neither */
    int is_shadow;
    int is_current_law;
    json_t *risk; /* NULL: no other policy */
    idv_time_t since, until; /* sessions created then; of a shadow: that end */
    const char *position, *last_position; /* ids */
    const char *status;
    const char *error; /* of a failed one, a code */
    json_t *tally;
    const char *compiled_sha256; /* in hexadecimal; NULL: not known */
    const char *created_by;
    idv_time_t created, updated, ended;
    /* Of a claimed one. */
    int attempts; /* at the next batch, with this */
    json_t *compiled;
    const char *node;
} idv_workflow_replay_t;

/* Orders the job, with WORKFLOW as it is compiled now; fills in its id and
 * state. Inside of a transaction. `simulation_limit_reached`; of a shadow, also
 * `workflow_retired`. */
idv_error_t *idv_workflow_replay_create(idv_db_t *db,
                                        idv_workflow_replay_t *replay,
                                        const idv_workflow_t *workflow,
                                        apr_pool_t *pool) IDV_CHECKED;

/* `resource_missing`. */
idv_error_t *idv_workflow_replay_find(idv_db_t *db,
                                      const char *organization_id,
                                      const char *id,
                                      idv_workflow_replay_t **replay,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The shadow of a workflow: that which is under way, or the last one.
 * `resource_missing` when it never had one, or that is forgotten. */
idv_error_t *idv_workflow_shadow_find(idv_db_t *db, const char *organization_id,
                                      const char *workflow_id,
                                      idv_workflow_replay_t **replay,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Which jobs are wanted. */
typedef struct {
    const char *organization_id;
    const char *workflow_id; /* NULL: of any */
    const char *kind;        /* "past" or "shadow"; NULL: either */
    idv_cursor_t cursor;
} idv_workflow_replay_filter_t;

/* A page of jobs, newest first, as an array of idv_workflow_replay_t. */
idv_error_t *idv_workflow_replay_page(idv_db_t *db,
                                      const idv_workflow_replay_filter_t *filter,
                                      apr_array_header_t **replays,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Ends a job that is under way; one that has ended stays as it is. */
idv_error_t *idv_workflow_replay_stop(idv_db_t *db, const char *organization_id,
                                      const char *id, idv_time_t now,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A page of the sessions of a job with this RESULT, newest first, as texts of
 * `workflow_replay_session`. */
idv_error_t *idv_workflow_replay_sessions(idv_db_t *db,
                                          const idv_workflow_replay_t *replay,
                                          idv_replay_result_t result,
                                          const idv_cursor_t *cursor,
                                          apr_array_header_t **items,
                                          int *has_more,
                                          apr_pool_t *pool) IDV_CHECKED;

/* What credits are counted by. */
idv_error_t *idv_workflow_replay_account(idv_db_t *db,
                                         const char *organization_id,
                                         idv_replay_account_t *account,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The object `workflow_replay` of the API. Owned by POOL. */
json_t *idv_workflow_replay_json(const idv_workflow_replay_t *replay,
                                 const idv_replay_account_t *account,
                                 apr_pool_t *pool);

/* --- for sessions --- */

/* Lets SESSION, which has ended now, wait for the shadow of its workflow, if
 * there is one; inside of the transaction of its end. */
idv_error_t *idv_workflow_shadow_queue(idv_db_t *db,
                                       const idv_session_t *session,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- for the process that does the work --- */

/* Claims the job that has waited longest for NODE, for LEASE; *REPLAY is NULL
 * when none waits. */
idv_error_t *idv_workflow_replay_claim(idv_db_t *db, const char *node,
                                       idv_time_t lease,
                                       idv_workflow_replay_t **replay,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Does the next BATCH of the claimed job by PLAN and gives the job back. */
idv_error_t *idv_workflow_replay_advance(idv_db_t *db,
                                         idv_workflow_replay_t *replay,
                                         const idv_replay_plan_t *plan,
                                         int batch,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Ends the claimed job as failed; ERROR is a code. */
idv_error_t *idv_workflow_replay_fail(idv_db_t *db,
                                      const idv_workflow_replay_t *replay,
                                      const char *error,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
