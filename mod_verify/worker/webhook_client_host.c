/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/webhook_client_host.h"

APLOG_USE_MODULE(verify);

typedef struct {
    idv_worker_t *worker;
    idv_http_client_config_t config;
    idv_http_client_t *client;
    idv_event_timer_t timer;
} host_t;

static void on_ready(void *baton, int fd, unsigned events)
{
    host_t *host = baton;

    idv_http_client_ready(host->client, fd, (events & IDV_EVENT_READABLE) != 0,
                          (events & IDV_EVENT_WRITABLE) != 0);
}

static void watch(void *baton, int fd, int readable, int writable)
{
    host_t *host = baton;
    idv_event_loop_t *loop = host->worker->loop;
    unsigned events = (readable ? IDV_EVENT_READABLE : 0)
                    | (writable ? IDV_EVENT_WRITABLE : 0);
    idv_error_t *error = NULL;

    if (events)
        error = idv_event_loop_watch(loop, fd, events, on_ready, host);
    else
        idv_event_loop_forget(loop, fd);
    if (error)
        idv_worker_log(host->worker, APLOG_ERR, "IDV0312", "%s",
                       idv_error_cause(error));
}

static void on_due(void *baton)
{
    host_t *host = baton;

    idv_http_client_timeout(host->client);
}

static void set_timer(void *baton, long milliseconds)
{
    host_t *host = baton;
    idv_event_loop_t *loop = host->worker->loop;

    if (milliseconds < 0)
        idv_event_loop_cancel(loop, &host->timer);
    else
        idv_event_loop_schedule(loop, &host->timer, milliseconds);
}

idv_error_t *
idv_webhook_client_host_create(idv_worker_t *worker,
                               const idv_http_client_config_t *config,
                               idv_http_client_t **client, apr_pool_t *pool)
{
    host_t *host = apr_pcalloc(pool, sizeof(*host));
    const idv_http_client_host_t callbacks = {watch, set_timer, host};

    host->worker = worker;
    host->config = *config;
    host->timer.callback = on_due;
    host->timer.baton = host;
    IDV_TRY(
        idv_http_client_create(&host->config, &callbacks, &host->client, pool));
    *client = host->client;
    return NULL;
}
