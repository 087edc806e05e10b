/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SIMULATION_WORKFLOW_REPLAY_H
#define IDV_STORE_SIMULATION_WORKFLOW_REPLAY_H

/*
 * Jobs of the simulator: past sessions of a workflow, replayed in another one
 * (domain/simulation/session_replay.h), in batches in the order of their ids.
 *
 * The totals, the list of sessions and the position of the next batch are
 * written together, so that a job interrupted at any point continues there and
 * counts no session twice. A lease gives a job to one process at a time. A job
 * that has ended never changes again. Only the two tables of these jobs are
 * written.
 *
 * A job examines at most IDV_REPLAY_SESSIONS_MAX sessions and is then done.
 *
 * A SHADOW is a job that runs next to the live versions of its workflow,
 * whichever these are: it takes each session that ends in the workflow, from
 * its creation until its time is over, or somebody stops it or retires the
 * workflow. The transaction in which a session ends has one small extra
 * statement, which writes a row if there is a shadow and otherwise checks one
 * index; no other request does anything for it. So no session is missed and
 * none counts twice, in whatever order they end. A session that is flagged or
 * erased before its turn is undetermined.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and those named below.
 */
#include <apr_tables.h>

#include "domain/simulation/replay_tally.h"
#include "store/db/lookup.h"

#define IDV_REPLAY_SESSIONS_MAX 1000000 /* of the workflow, per job */
#define IDV_REPLAY_ATTEMPTS_MAX 5       /* per batch */
#define IDV_REPLAYS_MAX 2  /* running jobs of an organization, without
                            * shadows */
#define IDV_SHADOWS_MAX 10 /* running shadows of an organization; one per
                            * workflow */
#define IDV_SHADOW_DAYS_DEFAULT 30
#define IDV_SHADOW_DAYS_MAX 366
/* Maximum time between the end of a session and the commit of its
 * transaction. */
#define IDV_SHADOW_SETTLING (60 * IDV_SECOND)
#define IDV_REPLAY_DAYS 30              /* retention of jobs after their end */

/* A job, new or stored. */
typedef struct {
    const char *organization_id;
    const char *id;
    const char *workflow_id; /* whose sessions */
    const char *version_id, *draft_id; /* to replay them in; NULL: neither */
    int is_shadow;
    int is_current_law;
    json_t *risk; /* NULL: the same policy */
    idv_time_t since, until; /* sessions created then; for a shadow: ended
                              * then */
    const char *position, *last_position; /* ids */
    const char *status;
    const char *error; /* code of a failure */
    json_t *tally;
    const char *compiled_sha256; /* in hexadecimal; NULL: unknown */
    const char *created_by;
    idv_time_t created, updated, ended;
    /* Only for a claimed job. */
    int attempts; /* at the next batch, including this one */
    json_t *compiled;
    const char *node;
} idv_workflow_replay_t;

/* Creates the job, with WORKFLOW in its compiled form; fills in its id and
 * state. Requires a transaction. `simulation_limit_reached`; for a shadow also
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

/* The shadow of a workflow: the running one, else the last. `resource_missing`
 * if there was none, or it was deleted. */
idv_error_t *idv_workflow_shadow_find(idv_db_t *db, const char *organization_id,
                                      const char *workflow_id,
                                      idv_workflow_replay_t **replay,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A query for jobs. */
typedef struct {
    const char *organization_id;
    const char *workflow_id; /* NULL: any */
    const char *kind;        /* "past" or "shadow"; NULL: either */
    idv_cursor_t cursor;
} idv_workflow_replay_filter_t;

/* A page of jobs, newest first, an array of idv_workflow_replay_t. */
idv_error_t *idv_workflow_replay_page(idv_db_t *db,
                                      const idv_workflow_replay_filter_t *filter,
                                      apr_array_header_t **replays,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

/* Stops a running job; one that has ended is unchanged. */
idv_error_t *idv_workflow_replay_stop(idv_db_t *db, const char *organization_id,
                                      const char *id, idv_time_t now,
                                      apr_pool_t *pool) IDV_CHECKED;

/* A page of the sessions of a replay. */
typedef struct {
    const idv_workflow_replay_t *replay;
    idv_replay_result_t result;
    idv_cursor_t cursor;
} idv_replay_sessions_query_t;

/* A page of a job's sessions with this RESULT, newest first, as texts of
 * `workflow_replay_session`. */
idv_error_t *idv_workflow_replay_sessions(
    idv_db_t *db, const idv_replay_sessions_query_t *query,
    apr_array_header_t **items, int *has_more, apr_pool_t *pool) IDV_CHECKED;

/* The account data for counting credits. */
idv_error_t *idv_workflow_replay_account(idv_db_t *db,
                                         const char *organization_id,
                                         idv_replay_account_t *account,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The object `workflow_replay` of the API. Owned by POOL. */
json_t *idv_workflow_replay_json(const idv_workflow_replay_t *replay,
                                 const idv_replay_account_t *account,
                                 apr_pool_t *pool);

/* --- for sessions --- */

/* Queues SESSION, which has just ended, for the shadow of its workflow, if any;
 * in the transaction of its end. */
idv_error_t *idv_workflow_shadow_queue(idv_db_t *db,
                                       const idv_session_t *session,
                                       apr_pool_t *pool) IDV_CHECKED;

/* --- for the working process --- */

/* Claims the job that has waited longest for NODE, for LEASE; *REPLAY is NULL
 * if none waits. */
idv_error_t *idv_workflow_replay_claim(idv_db_t *db, const char *node,
                                       idv_time_t lease,
                                       idv_workflow_replay_t **replay,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Processes the next BATCH of the claimed job under PLAN and releases the
 * job. */
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
