/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/process/worker.h"

#include <apr_strings.h>

#include "store/db/db_connection.h"
#include "store/db/schema.h"

APLOG_USE_MODULE(verify);

#define FIRST_PAUSE 250 /* ms; doubled with each failure */
#define LONGEST_PAUSE (30 * IDV_SECOND)
#define UNFIT_PAUSE (2 * IDV_SECOND)
#define LOOK_AGAIN (5 * IDV_SECOND) /* whether the database is still fit */

/* Time limits bound what a silent server can cost the event loop. All
 * statements of the watchdog find their rows by an index, and none is planned
 * twice: a plan that was made while a table was empty must not read all of it
 * when it is full. */
static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "2"},
    {"application_name", "verify-watchdog"},
    {"tcp_user_timeout", "5000"},
    {"keepalives_idle", "5"}, /* notice a host that goes during a statement */
    {"keepalives_interval", "2"},
    {"options", "-c statement_timeout=10s -c jit=off "
                "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"},
    {NULL, NULL},
};

/* --- the database --- */

static void drop_connection(idv_worker_t *worker)
{
    worker->db = NULL;
    if (worker->db_pool)
        apr_pool_destroy(worker->db_pool);
    worker->db_pool = NULL;
}

/* A connection could not be made. The first one that cannot tells the log. */
static void pause_connecting(idv_worker_t *worker, const idv_error_t *error)
{
    idv_time_t pause =
        idv_time_backoff(FIRST_PAUSE, LONGEST_PAUSE, worker->failures);

    if (worker->failures++ == 0 && worker->outage->away++ == 0)
        idv_worker_log(worker, APLOG_ERR, "IDV0301",
                       "the watchdog has lost the database: %s",
                       idv_error_cause(error));
    idv_statistics_set(worker->statistics, database_up, 0);
    worker->retry_at = idv_event_loop_now() + pause;
    drop_connection(worker);
}

static idv_error_t *connect_database(idv_worker_t *worker)
{
    apr_pool_create(&worker->db_pool, worker->pool);
    return idv_db_connect(
        idv_conninfo_complete(worker->config->conninfo, presets,
                              worker->db_pool),
        &worker->db, worker->db_pool);
}

/* A database that this node may not work with, because of its schema or its
 * keys, counts as away. The reason is logged once. */
static idv_error_t *check_database(idv_worker_t *worker, int *is_fit)
{
    const char *fault;

    worker->checked_at = idv_event_loop_now();
    IDV_TRY(idv_database_check(worker->db, worker->config->keys, &fault,
                               idv_event_loop_scratch(worker->loop)));
    *is_fit = !fault;
    if (fault && !worker->outage->is_fault_known)
        idv_worker_log(worker, APLOG_ERR, "IDV0304", "the watchdog waits: %s",
                       fault);
    worker->outage->is_fault_known = fault != NULL;
    if (!fault)
        return NULL;
    worker->retry_at = idv_event_loop_now() + UNFIT_PAUSE;
    drop_connection(worker);
    return NULL;
}

idv_db_t *idv_worker_database(idv_worker_t *worker)
{
    idv_error_t *error = NULL;
    int is_fit = 0;

    if (worker->db && idv_db_is_lost(worker->db))
        drop_connection(worker);
    if (worker->db
        && idv_event_loop_now() - worker->checked_at < LOOK_AGAIN)
        return worker->db;
    if (!worker->db && idv_event_loop_now() < worker->retry_at)
        return NULL;
    if (!worker->db)
        error = connect_database(worker);
    if (!error)
        error = check_database(worker, &is_fit);
    if (error) {
        pause_connecting(worker, error);
        return NULL;
    }
    if (!is_fit)
        return NULL;
    if (worker->failures && --worker->outage->away == 0)
        idv_worker_log(worker, APLOG_NOTICE, "IDV0302",
                       "the watchdog is connected to its database again");
    worker->failures = 0;
    idv_statistics_set(worker->statistics, database_up,
                       worker->outage->away == 0);
    return worker->db;
}

void idv_worker_database_failed(idv_worker_t *worker, const idv_error_t *error)
{
    idv_statistics_count(worker->statistics, database_failures);
    if (!worker->db)
        return;
    /* A connection that the server ended is made again, soon but not at once,
     * lest a statement that ends it is repeated without end. Only when that
     * fails the database is away. */
    if (PQstatus(idv_db_native(worker->db)) != CONNECTION_OK) {
        worker->retry_at = idv_event_loop_now() + FIRST_PAUSE;
        drop_connection(worker);
        return;
    }
    idv_db_rollback(worker->db);
    idv_worker_log_failure(worker, "IDV0303", error,
                           "a statement of the watchdog failed");
}

/* --- the predecessor --- */

int idv_worker_has_predecessor(const idv_worker_t *worker)
{
    int has_one = 0;

    for (int i = 0; worker->departing && i < IDV_DEPARTING_MAX; i++)
        has_one |= atomic_load(&worker->departing->pids[i]) != 0;
    return has_one;
}

/* --- the log --- */

/* A database without space, or without rights for the watchdog, refuses
 * hundreds of statements a second; each line of them would say the same. */
const char *idv_worker_admit_line(idv_worker_t *worker, const char *number,
                                  const idv_error_t *error)
{
    apr_int64_t left_out;

    if (!idv_log_limit_admit(worker->log_limit, number, idv_error_cause(error),
                             idv_event_loop_now(), &left_out))
        return NULL;
    return left_out ? apr_psprintf(idv_event_loop_scratch(worker->loop),
                                   "; %" APR_INT64_T_FMT
                                   " lines like this one were omitted",
                                   left_out)
                    : "";
}

void idv_worker_log_rest(idv_worker_t *worker)
{
    idv_log_cause_t rest;

    while (idv_log_limit_rest(worker->log_limit, idv_event_loop_now(), &rest))
        ap_log_error(APLOG_MARK, APLOG_ERR, 0, worker->server,
                     "%s: %s: %" APR_INT64_T_FMT
                     " lines were omitted, and none followed",
                     rest.tag, rest.text, rest.left_out);
}

/* --- HTTP clients in the event loop --- */

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
idv_worker_http_client_create(idv_worker_t *worker,
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
