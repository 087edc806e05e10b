/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/worker.h"

#include "store/conninfo.h"
#include "store/database_check.h"

APLOG_USE_MODULE(verify);

#define FIRST_PAUSE 250 /* ms; doubled with each failure */
#define LONGEST_PAUSE (30 * IDV_SECOND)
#define UNFIT_PAUSE (2 * IDV_SECOND)
#define FAILURES_WINDOW IDV_MINUTE
#define FAILURES_LOGGED 20 /* in a window */

/* Bounds on what a silent server can cost. All statements find their rows by
 * an index, and none is planned twice: a plan that was made while a table was
 * empty must not read all of it when it is full. */
static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "2"},
    {"application_name", "verify-watchdog"},
    {"tcp_user_timeout", "5000"},
    {"keepalives_idle", "5"}, /* a host that is gone while we wait for it */
    {"keepalives_interval", "2"},
    {"options", "-c statement_timeout=10s -c jit=off "
                "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"},
    {NULL, NULL},
};

static void drop_connection(idv_worker_t *worker)
{
    worker->db = NULL;
    if (worker->db_pool)
        apr_pool_destroy(worker->db_pool);
    worker->db_pool = NULL;
}

static void pause_connecting(idv_worker_t *worker, const idv_error_t *error)
{
    idv_time_t pause = FIRST_PAUSE
                    << (worker->failures < 8 ? worker->failures : 8);

    if (pause > LONGEST_PAUSE)
        pause = LONGEST_PAUSE;
    if (worker->failures++ == 0)
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

/* A database that may not be used yet counts as away; why, is said once. */
static idv_error_t *check_database(idv_worker_t *worker, int *is_fit)
{
    const char *fault;

    IDV_TRY(idv_database_check(worker->db, worker->config->keys, &fault,
                               worker->db_pool));
    *is_fit = !fault;
    if (fault && !worker->fault_logged)
        idv_worker_log(worker, APLOG_ERR, "IDV0304", "the watchdog waits: %s",
                       fault);
    worker->fault_logged = fault != NULL;
    if (!fault)
        return NULL;
    worker->retry_at = idv_event_loop_now() + UNFIT_PAUSE;
    drop_connection(worker);
    return NULL;
}

idv_db_t *idv_worker_database(idv_worker_t *worker)
{
    idv_error_t *error;
    int is_fit = 0;

    if (worker->db && !idv_db_is_lost(worker->db))
        return worker->db;
    drop_connection(worker);
    if (idv_event_loop_now() < worker->retry_at)
        return NULL;
    error = connect_database(worker);
    if (!error)
        error = check_database(worker, &is_fit);
    if (error) {
        pause_connecting(worker, error);
        return NULL;
    }
    if (!is_fit)
        return NULL;
    if (worker->failures)
        idv_worker_log(worker, APLOG_NOTICE, "IDV0302",
                       "the watchdog has its database back");
    worker->failures = 0;
    idv_statistics_set(worker->statistics, database_up, 1);
    return worker->db;
}

/* A database that refuses what it is asked, for want of space or of rights,
 * refuses it every second. Non-zero when the failure is to be logged. */
static int admit_line(idv_worker_t *worker)
{
    idv_time_t now = idv_event_loop_now();

    if (now >= worker->window_end) {
        worker->window_end = now + FAILURES_WINDOW;
        worker->logged = 0;
    }
    return worker->logged++ < FAILURES_LOGGED;
}

void idv_worker_database_failed(idv_worker_t *worker, const idv_error_t *error)
{
    idv_statistics_count(worker->statistics, database_failures);
    if (!worker->db)
        return;
    if (PQstatus(idv_db_native(worker->db)) != CONNECTION_OK) {
        pause_connecting(worker, error);
        return;
    }
    idv_db_rollback(worker->db);
    if (!admit_line(worker))
        return;
    idv_worker_log(worker, APLOG_ERR, "IDV0303",
                   "a statement of the watchdog failed: %s%s",
                   idv_error_cause(error),
                   worker->logged == FAILURES_LOGGED
                       ? "; others are not logged before a minute has passed"
                       : "");
}
