/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/law_watch.h"

#include "store/transaction/law_announcement.h"

#define LOOK_INTERVAL IDV_HOUR

struct idv_law_watch_t {
    idv_worker_t *worker;
    idv_deliverer_t *deliverer;
    idv_event_timer_t timer;
};

/* Non-zero when everything could be announced. */
static int look(idv_law_watch_t *watch, idv_time_t now)
{
    idv_worker_t *worker = watch->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_int64_t deliveries = 0;
    idv_error_t *error;

    if (!db)
        return 0;
    error = idv_law_announce(db, worker->config->compliance, now, &deliveries,
                             idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
    if (deliveries > 0)
        idv_deliverer_wake(watch->deliverer);
    return !error;
}

static void on_due(void *baton)
{
    idv_law_watch_t *watch = baton;
    idv_time_t pause =
        look(watch, idv_time_now()) ? LOOK_INTERVAL : IDV_MINUTE;

    idv_event_loop_schedule(watch->worker->loop, &watch->timer, pause);
}

idv_law_watch_t *idv_law_watch_create(idv_worker_t *worker,
                                      idv_deliverer_t *deliverer,
                                      apr_pool_t *pool)
{
    idv_law_watch_t *watch;

    if (!worker->config->compliance)
        return NULL;
    watch = apr_pcalloc(pool, sizeof(*watch));
    watch->worker = worker;
    watch->deliverer = deliverer;
    watch->timer.callback = on_due;
    watch->timer.baton = watch;
    idv_event_loop_schedule(worker->loop, &watch->timer, IDV_SECOND);
    return watch;
}

void idv_law_watch_stop(idv_law_watch_t *watch)
{
    idv_event_loop_cancel(watch->worker->loop, &watch->timer);
}
