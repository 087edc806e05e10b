/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/gate/gate_watch.h"

#include "store/gate/gate.h"

APLOG_USE_MODULE(verify);

#define CHECK_INTERVAL (5 * IDV_MINUTE)

struct idv_gate_watch_t {
    idv_worker_t *worker;
    idv_event_timer_t timer;
    const apr_array_header_t *targets; /* of idv_gate_target_t */
    const char **faults;               /* as logged last, by target */
};

static idv_error_t *check(idv_gate_watch_t *watch, idv_db_t *db, int i,
                          apr_pool_t *scratch)
{
    const idv_gate_target_t *target =
        &APR_ARRAY_IDX(watch->targets, i, idv_gate_target_t);
    const char *fault;

    IDV_TRY(idv_gate_target_fault(db, target, &fault, scratch));
    if (fault && fault != watch->faults[i])
        idv_worker_log(watch->worker, APLOG_ERR, "IDV0305",
                       "VerifyGate %s %s %s: %s, so nobody can be verified "
                       "there", target->name, target->organization_id,
                       target->workflow_id, fault);
    watch->faults[i] = fault;
    return NULL;
}

/* Non-zero when all gates were checked. */
static int check_all(idv_gate_watch_t *watch)
{
    idv_worker_t *worker = watch->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_pool_t *scratch = idv_event_loop_scratch(worker->loop);
    idv_error_t *error = NULL;
    int faulty = 0;

    if (!db)
        return 0;
    for (int i = 0; !error && i < watch->targets->nelts; i++) {
        error = check(watch, db, i, scratch);
        faulty += watch->faults[i] != NULL;
    }
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    idv_statistics_set(worker->statistics, gates_faulty, faulty);
    return 1;
}

static void on_due(void *baton)
{
    idv_gate_watch_t *watch = baton;

    idv_event_loop_schedule(watch->worker->loop, &watch->timer,
                            check_all(watch) ? CHECK_INTERVAL
                                             : IDV_POLL_INTERVAL);
}

idv_gate_watch_t *idv_gate_watch_create(idv_worker_t *worker, apr_pool_t *pool)
{
    const apr_array_header_t *targets = worker->config->gates;
    idv_gate_watch_t *watch;

    if (!targets || targets->nelts == 0)
        return NULL;
    watch = apr_pcalloc(pool, sizeof(*watch));
    watch->worker = worker;
    watch->targets = targets;
    watch->faults =
        apr_pcalloc(pool, (apr_size_t)targets->nelts * sizeof(*watch->faults));
    watch->timer.callback = on_due;
    watch->timer.baton = watch;
    idv_event_loop_schedule(worker->loop, &watch->timer, IDV_SECOND);
    return watch;
}

void idv_gate_watch_stop(idv_gate_watch_t *watch)
{
    idv_event_loop_cancel(watch->worker->loop, &watch->timer);
}
