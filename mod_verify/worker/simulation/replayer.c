/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/simulation/replayer.h"

#include "domain/risk/risk_data.h"
#include "store/simulation/workflow_replay.h"

APLOG_USE_MODULE(verify);

#define BATCH 50              /* sessions that are looked at in a turn */
#define LEASE (60 * IDV_SECOND) /* a turn takes some ms */
#define REST_FACTOR 9         /* turns that it rests after each */
#define REST_MIN 20           /* ms */

struct idv_replayer_t {
    idv_worker_t *worker;
    int is_idle; /* no job had waited */
    idv_event_timer_t timer;
};

/* The plan of the job; an error if this version cannot execute it. */
static idv_error_t *plan_of(const idv_replayer_t *replayer,
                            const idv_workflow_replay_t *replay,
                            idv_replay_plan_t *plan, apr_pool_t *pool)
{
    idv_risk_policy_t *risk = apr_palloc(pool, sizeof(*risk));
    idv_workflow_t *workflow;

    *plan = (idv_replay_plan_t){
        .rules = replayer->worker->config->compliance,
        .is_law_of_day = replay->is_current_law,
        .day = replay->created,
    };
    IDV_TRY(idv_workflow_load(replay->compiled, &workflow, pool));
    plan->workflow = workflow;
    if (!replay->risk)
        return NULL;
    IDV_TRY(idv_risk_policy_load(replay->risk, risk, pool));
    plan->risk = risk;
    return NULL;
}

/* Ends the job, which only a look at the log can explain. */
static void give_up(idv_replayer_t *replayer,
                    const idv_workflow_replay_t *replay,
                    const idv_error_t *reason, apr_pool_t *pool)
{
    idv_worker_t *worker = replayer->worker;
    idv_error_t *error;

    if (reason)
        idv_worker_log_failure(worker, "IDV0850", reason,
                               "the simulation %s cannot be run", replay->id);
    else
        idv_worker_log(worker, APLOG_ERR, "IDV0851",
                       "the simulation %s ends because one batch failed %d "
                       "times",
                       replay->id, replay->attempts - 1);
    error = idv_workflow_replay_fail(worker->db, replay, "internal_error",
                                     pool);
    if (error)
        idv_worker_database_failed(worker, error);
}

/* One batch of the job that has waited longest; zero when none waits or the
 * database is away. */
static int work(idv_replayer_t *replayer, apr_pool_t *pool)
{
    idv_worker_t *worker = replayer->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_workflow_replay_t *replay;
    idv_replay_plan_t plan;
    idv_error_t *error;

    if (!db)
        return 0;
    error = idv_workflow_replay_claim(db, worker->node, LEASE, &replay, pool);
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    if (!replay)
        return 0;
    error = plan_of(replayer, replay, &plan, pool);
    if (error || replay->attempts > IDV_REPLAY_ATTEMPTS_MAX) {
        give_up(replayer, replay, error, pool);
        return worker->db != NULL;
    }
    error = idv_workflow_replay_advance(db, replay, &plan, BATCH, pool);
    if (error) {
        /* The lease is this node's: its next turn tries the batch again. */
        idv_worker_log_failure(worker, "IDV0852", error,
                               "a batch of the simulation %s failed",
                               replay->id);
        idv_worker_database_failed(worker, error);
        return 0;
    }
    return 1;
}

static void on_due(void *baton)
{
    idv_replayer_t *replayer = baton;
    idv_worker_t *worker = replayer->worker;
    idv_time_t start = idv_time_steady(), rest;
    int has_worked = work(replayer, idv_event_loop_scratch(worker->loop));

    rest = REST_FACTOR * (idv_time_steady() - start);
    replayer->is_idle = !has_worked;
    if (!has_worked)
        rest = IDV_POLL_INTERVAL;
    else if (rest < REST_MIN)
        rest = REST_MIN;
    idv_event_loop_schedule(worker->loop, &replayer->timer, rest);
}

idv_replayer_t *idv_replayer_create(idv_worker_t *worker, apr_pool_t *pool)
{
    idv_replayer_t *replayer = apr_pcalloc(pool, sizeof(*replayer));

    replayer->worker = worker;
    replayer->timer.callback = on_due;
    replayer->timer.baton = replayer;
    idv_event_loop_schedule(worker->loop, &replayer->timer, REST_MIN);
    return replayer;
}

/* One that is at work rests between its turns all the same. */
void idv_replayer_wake(idv_replayer_t *replayer)
{
    if (replayer->is_idle)
        idv_event_loop_schedule(replayer->worker->loop, &replayer->timer, 0);
}

void idv_replayer_stop(idv_replayer_t *replayer)
{
    idv_event_loop_cancel(replayer->worker->loop, &replayer->timer);
}
