/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/request.h"

#include <ap_mpm.h>

#define HEARTBEAT_SECONDS 15 /* oldest heartbeat of a live watchdog */

int idv_processes_have_watchdog(const idv_processes_t *processes,
                                idv_time_t now)
{
    const idv_statistics_t *watchdog = processes->watchdog;

    return watchdog && idv_statistics_get(watchdog, watchdog_pid) != 0
        && idv_time_seconds(now)
               - idv_statistics_get(watchdog, heartbeat_seconds)
               <= HEARTBEAT_SECONDS;
}

const char *idv_request_path(const idv_request_t *request, const char *name)
{
    int index = idv_route_parameter(request->route, name);

    return index < 0 ? NULL : request->path_parameters[index];
}

idv_error_t *idv_request_parameters(const idv_request_t *request,
                                    const idv_parameter_t *table, void *input,
                                    idv_parameter_check_t *check)
{
    const idv_parameters_t given = {request->parameters,
                                    request->parameters_are_query};

    return idv_parameters_read(&given, table, input, check, request->pool);
}

idv_error_t *idv_request_no_parameters(const idv_request_t *request)
{
    static const idv_parameter_t nothing[] = {{0}};

    return idv_request_parameters(request, nothing, NULL, NULL);
}

idv_scope_t idv_request_scope(const idv_request_t *request)
{
    return (idv_scope_t){request->key->organization_id,
                         request->key->application_id};
}

/* Opens a connection for one unit of work. close_database() returns it on every
 * path, before anything is sent. */
static idv_error_t *open_database(idv_request_t *request, idv_db_t **db)
{
    const idv_db_source_t *source = request->services->database;
    const idv_db_claim_t claim = {
        .organization_id = request->key ? request->key->organization_id : NULL,
        .is_search = request->is_search,
    };

    IDV_TRY(source->open(source, &claim, db, request->pool));
    idv_db_set_trace(*db, request->trace);
    if (request->guard)
        idv_db_set_guard(*db, request->guard);
    return NULL;
}

static void close_database(idv_request_t *request, idv_db_t *db)
{
    const idv_db_source_t *source = request->services->database;

    source->close(source, db);
}

/* An operator's change and its record are one transaction. */
static int needs_transaction(const idv_request_t *request)
{
    return request->operator && request->r->method_number != M_GET;
}

static idv_error_t *run(idv_request_t *request, idv_db_work_t *work,
                        void *baton, int in_transaction)
{
    idv_error_t *error;
    idv_db_t *db;

    IDV_TRY(open_database(request, &db));
    error = in_transaction
              ? idv_db_transaction(db, work, baton, request->pool)
              : work(db, baton, request->pool);
    close_database(request, db);
    return error;
}

idv_error_t *idv_request_transaction(idv_request_t *request,
                                     idv_db_work_t *work, void *baton)
{
    return run(request, work, baton, 1);
}

idv_error_t *idv_request_with_database(idv_request_t *request,
                                       idv_db_work_t *work, void *baton)
{
    return run(request, work, baton, needs_transaction(request));
}

int idv_child_is_stopping(void)
{
    int state;

    return ap_mpm_query(AP_MPMQ_MPM_STATE, &state) == APR_SUCCESS
        && state == AP_MPMQ_STOPPING;
}
