/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/worker.h"

#include "store/conninfo.h"

APLOG_USE_MODULE(verify);

#define FIRST_PAUSE 250
#define LONGEST_PAUSE (30 * IDV_SECOND)

/* Bounds on what a silent server can cost. All statements find their rows by
 * an index, and none is planned twice: a plan that was made while a table was
 * empty must not read all of it when it is full. */
static const idv_conninfo_preset_t presets[] = {
    {"connect_timeout", "2"},
    {"application_name", "verify-watchdog"},
    {"tcp_user_timeout", "5000"},
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

idv_db_t *idv_worker_database(idv_worker_t *worker)
{
    idv_error_t *error;

    if (worker->db && !idv_db_is_lost(worker->db))
        return worker->db;
    drop_connection(worker);
    if (idv_event_loop_now() < worker->retry_at)
        return NULL;
    error = connect_database(worker);
    if (error) {
        pause_connecting(worker, error);
        return NULL;
    }
    if (worker->failures)
        idv_worker_log(worker, APLOG_NOTICE, "IDV0302",
                       "the watchdog has its database back");
    worker->failures = 0;
    idv_statistics_set(worker->statistics, database_up, 1);
    return worker->db;
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
    idv_worker_log(worker, APLOG_ERR, "IDV0303",
                   "a statement of the watchdog failed: %s",
                   idv_error_cause(error));
}
