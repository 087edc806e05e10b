/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/health: problems of this node, of the whole server and of
 * organizations, and what to do about them (domain/trust/health.h).
 *
 * Operators with a role in all organizations see everything. Others see only
 * the findings of organizations in which they have a role, none about the
 * server.
 */
#include "api/http/response.h"
#include "store/trust/health.h"

#define EXPECTED_LENGTH 4000

/* --- this node --- */

static void find(idv_health_report_t *report, idv_health_check_t check)
{
    idv_health_add(report, (idv_health_finding_t){.check = check});
}

static void look_at_node(const idv_request_t *request,
                         idv_health_report_t *report)
{
    const idv_services_t *services = request->services;
    idv_processes_t processes;

    services->look_at_processes(services, &processes);
    if (!idv_processes_have_watchdog(&processes, request->now))
        find(report, IDV_HEALTH_WATCHDOG_SILENT);
    else if (services->settings->analyzer
             && !idv_statistics_get(processes.watchdog, reader_up))
        find(report, IDV_HEALTH_ANALYZER_DOWN);
    if (!services->settings->analyzer)
        find(report, IDV_HEALTH_ANALYZER_MISSING);
    if (!services->compliance)
        find(report, IDV_HEALTH_COMPLIANCE_MISSING);
}

/* --- findings of the database --- */

typedef struct {
    const idv_settings_t *settings;
    idv_law_notices_t *law; /* NULL: no rules are loaded */
    const char *const *ids; /* NULL: all, and the server's */
    idv_health_report_t *report;
} look_t;

static idv_error_t *look_at_server(idv_db_t *db, const look_t *look,
                                   apr_pool_t *pool)
{
    apr_int64_t live;

    IDV_TRY(idv_health_look_at_server(
        db, look->settings->idempotency_retention * IDV_HOUR, look->report,
        pool));
    if (!look->settings->test_issuers)
        return NULL;
    IDV_TRY(idv_health_live_organizations(db, &live, pool));
    if (live)
        idv_health_add(look->report,
                       (idv_health_finding_t){
                           .check = IDV_HEALTH_TEST_ISSUERS_LIVE,
                           .count = live});
    return NULL;
}

static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const look_t *look = baton;

    if (!look->ids)
        IDV_TRY(look_at_server(db, look, pool));
    if (look->law)
        IDV_TRY(idv_health_look_at_law(db, look->ids, look->law, look->report,
                                       pool));
    return idv_health_look_at_organizations(db, look->ids, look->report, pool);
}

idv_error_t *idv_health_report_api_retrieve(idv_request_t *request)
{
    idv_health_report_t *report =
        idv_health_report(request->now, request->pool);
    const idv_services_t *services = request->services;
    look_t work = {.settings = services->settings, .report = report};
    idv_json_writer_t object;
    idv_error_t *error;

    IDV_TRY(idv_request_no_parameters(request));
    work.ids = idv_operator_organizations(
        request->services->operator_grants(request), request->pool);
    if (!work.ids)
        look_at_node(request, report);
    if (services->compliance)
        work.law =
            idv_law_notices(services->compliance, request->now, request->pool);
    error = idv_request_with_database(request, look, &work);
    if (error && (work.ids || error->code != IDV_E_SERVICE_UNAVAILABLE))
        return error;
    if (error)
        find(report, IDV_HEALTH_DATABASE_UNREACHABLE);
    idv_health_sort(report);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_health_write(&object, report);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}
