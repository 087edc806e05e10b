/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/oidc/key_watch.h"

#include "store/oidc/signing_key.h"

APLOG_USE_MODULE(verify);

#define LOOK_INTERVAL IDV_HOUR

struct idv_oidc_key_watch_t {
    idv_worker_t *worker;
    idv_event_timer_t timer;
};

static void report(idv_worker_t *worker, const idv_oidc_renewal_t *renewal)
{
    for (int i = 0; i < renewal->count; i++)
        idv_worker_log(worker, APLOG_NOTICE, "IDV0380",
                       "the key that signs ID tokens with %s was renewed; the "
                       "new one signs in a day",
                       idv_web_algorithm_value(renewal->algorithms[i]));
}

/* Non-zero if the keys could be looked at. */
static int look(const idv_oidc_key_watch_t *watch)
{
    idv_worker_t *worker = watch->worker;
    idv_oidc_renewal_t renewal = {.keyring = worker->config->keys,
                                  .now = idv_time_now()};
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error;

    if (!db)
        return 0;
    error = idv_oidc_keys_renew(db, &renewal,
                                idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
    else
        report(worker, &renewal);
    return !error;
}

static void on_due(void *baton)
{
    idv_oidc_key_watch_t *watch = baton;

    idv_event_loop_schedule(watch->worker->loop, &watch->timer,
                            look(watch) ? LOOK_INTERVAL : IDV_MINUTE);
}

idv_oidc_key_watch_t *idv_oidc_key_watch_create(idv_worker_t *worker,
                                                apr_pool_t *pool)
{
    idv_oidc_key_watch_t *watch = apr_pcalloc(pool, sizeof(*watch));

    watch->worker = worker;
    watch->timer.callback = on_due;
    watch->timer.baton = watch;
    idv_event_loop_schedule(worker->loop, &watch->timer, IDV_SECOND);
    return watch;
}

void idv_oidc_key_watch_stop(idv_oidc_key_watch_t *watch)
{
    idv_event_loop_cancel(watch->worker->loop, &watch->timer);
}
