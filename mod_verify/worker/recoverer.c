/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/recoverer.h"

#include "store/webhook_delivery.h"

#define EVENT_BATCH 250 /* a few ms */
#define BATCH_PAUSE 25  /* ms between them */

struct idv_recoverer_t {
    idv_worker_t *worker;
    idv_deliverer_t *deliverer;
    idv_event_timer_t timer;
};

/* Non-zero when there was a job. */
static int advance(idv_recoverer_t *recoverer)
{
    idv_worker_t *worker = recoverer->worker;
    idv_db_t *db = idv_worker_database(worker);
    apr_int64_t queued = 0;
    idv_error_t *error;
    int worked = 0;

    if (!db)
        return 0;
    error = idv_webhook_recovery_advance(db, EVENT_BATCH, &worked, &queued,
                                         idv_event_loop_scratch(worker->loop));
    if (error) {
        idv_worker_database_failed(worker, error);
        return 0;
    }
    if (queued) {
        atomic_fetch_add_explicit(&worker->statistics->deliveries_recovered,
                                  queued, memory_order_relaxed);
        idv_deliverer_wake(recoverer->deliverer);
    }
    return worked;
}

static void on_due(void *baton)
{
    idv_recoverer_t *recoverer = baton;
    idv_worker_t *worker = recoverer->worker;
    idv_time_t pause =
        advance(recoverer) ? BATCH_PAUSE : worker->config->poll_interval;

    idv_event_loop_schedule(worker->loop, &recoverer->timer, pause);
}

idv_recoverer_t *idv_recoverer_create(idv_worker_t *worker,
                                      idv_deliverer_t *deliverer,
                                      apr_pool_t *pool)
{
    idv_recoverer_t *recoverer = apr_pcalloc(pool, sizeof(*recoverer));

    recoverer->worker = worker;
    recoverer->deliverer = deliverer;
    recoverer->timer.callback = on_due;
    recoverer->timer.baton = recoverer;
    idv_event_loop_schedule(worker->loop, &recoverer->timer, BATCH_PAUSE);
    return recoverer;
}

void idv_recoverer_stop(idv_recoverer_t *recoverer)
{
    idv_event_loop_cancel(recoverer->worker->loop, &recoverer->timer);
}
