/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/presence.h"

#include <unistd.h>

#include <apr_network_io.h>
#include <apr_strings.h>

#include "store/db/server_node.h"

/* A quarter of the time for which a node counts as being there. */
#define REPORT_INTERVAL (15 * IDV_SECOND)
#define HOST_MAX 256

struct idv_presence_t {
    idv_worker_t *worker;
    idv_event_timer_t timer;
    idv_server_node_t node;
};

static void on_due(void *baton)
{
    idv_presence_t *presence = baton;
    idv_worker_t *worker = presence->worker;
    idv_db_t *db = idv_worker_database(worker);
    idv_error_t *error = NULL;

    if (db)
        error = idv_server_node_report(db, &presence->node,
                                       idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
    if (db)
        idv_statistics_set(worker->statistics, database_refuses,
                           error && worker->db);
    idv_event_loop_schedule(worker->loop, &presence->timer,
                            db && !error ? REPORT_INTERVAL : IDV_POLL_INTERVAL);
}

idv_presence_t *idv_presence_create(idv_worker_t *worker, apr_pool_t *pool)
{
    idv_presence_t *presence = apr_pcalloc(pool, sizeof(*presence));
    char host[HOST_MAX];

    if (apr_gethostname(host, sizeof(host), pool) != APR_SUCCESS)
        apr_cpystrn(host, "unknown", sizeof(host));
    presence->worker = worker;
    /* A successor has the same node, and writes while this one still may. */
    presence->node = (idv_server_node_t){
        .id = apr_psprintf(pool, "%s.%d", worker->node, (int)getpid()),
        .node = worker->node,
        .host = apr_pstrdup(pool, host),
        .keys = worker->config->keys,
        .sends_mail = worker->config->mail != NULL};
    presence->timer.callback = on_due;
    presence->timer.baton = presence;
    idv_event_loop_schedule(worker->loop, &presence->timer, 0);
    return presence;
}

void idv_presence_leave(idv_presence_t *presence)
{
    idv_worker_t *worker = presence->worker;
    idv_error_t *error = NULL;

    idv_event_loop_cancel(worker->loop, &presence->timer);
    if (worker->db)
        error = idv_server_node_leave(worker->db, presence->node.id,
                                      idv_event_loop_scratch(worker->loop));
    if (error)
        idv_worker_database_failed(worker, error);
}
