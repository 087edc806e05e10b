/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/workflows/:workflow/scenarios: the scenarios
 * that are stored with a workflow, and their results for a definition.
 */
#include "api/http/response.h"
#include "api/http/write.h"
#include "api/workflow/workflow_subject.h"
#include "store/simulation/workflow_scenario.h"
#include "store/transaction/workflow_release.h"

/* The scenario in the path. */
static idv_workflow_scenario_record_t wanted_by(const idv_request_t *request)
{
    return (idv_workflow_scenario_record_t){
        .organization_id = request->organization_id,
        .workflow_id = idv_request_path(request, "workflow"),
        .id = idv_request_path(request, "id"),
        .updated_by = request->operator->user,
        .created = request->now,
        .updated = request->now,
    };
}

static const char *scenario_text(const idv_workflow_scenario_record_t *record,
                                 apr_pool_t *pool)
{
    return idv_json_text(idv_workflow_scenario_json(record, pool), pool);
}

/* --- showing --- */

static idv_error_t *read_scenarios(idv_db_t *db, idv_listing_t *listing,
                                   apr_pool_t *pool)
{
    const idv_workflow_scenario_record_t wanted = wanted_by(listing->request);

    return idv_workflow_scenario_page(
        db,
        &(const idv_workflow_scenario_query_t){.wanted = &wanted,
                                               .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_scenario(idv_json_writer_t *page, const void *element,
                           apr_pool_t *pool)
{
    idv_json_put_raw(page, NULL, scenario_text(element, pool));
}

idv_error_t *idv_workflow_scenario_api_list(idv_request_t *request)
{
    static const idv_list_t scenarios = {IDV_ID_WORKFLOW_SCENARIO,
                                         read_scenarios, write_scenario};

    return idv_list_respond(request, &scenarios);
}

typedef struct {
    idv_workflow_scenario_record_t wanted;
    idv_workflow_scenario_record_t *record;
} look_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    return idv_workflow_scenario_find(db, &look->wanted, &look->record, pool);
}

idv_error_t *idv_workflow_scenario_api_retrieve(idv_request_t *request)
{
    look_t look = {.wanted = wanted_by(request)};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    idv_respond_header(request, "ETag",
                       idv_workflow_scenario_tag(look.record, request->pool));
    return idv_respond_text(request, HTTP_OK,
                            scenario_text(look.record, request->pool));
}

/* --- writing --- */

static idv_error_t *read_scenario(const idv_request_t *request,
                                  idv_workflow_scenario_t *scenario)
{
    IDV_TRY(idv_request_parameters(request, idv_scenario_parameters, scenario,
                                   NULL));
    return idv_scenario_expectation_check(scenario->expected, request->pool);
}

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    idv_workflow_scenario_record_t *record = baton;

    IDV_TRY(idv_workflow_scenario_create(db, record, pool));
    *answer = scenario_text(record, pool);
    return NULL;
}

idv_error_t *idv_workflow_scenario_api_create(idv_request_t *request)
{
    idv_workflow_scenario_record_t record = wanted_by(request);
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create, .baton = &record};

    IDV_TRY(read_scenario(request, &record.what));
    return idv_write(request, &write);
}

typedef struct {
    idv_request_t *request;
    idv_workflow_scenario_record_t record;
    const char *tag; /* If-Match; NULL: none */
} save_t;

static idv_error_t *save(idv_db_t *db, void *baton, const char **answer,
                         apr_pool_t *pool)
{
    save_t *work = baton;
    idv_workflow_scenario_record_t *saved;

    IDV_TRY(idv_workflow_scenario_save(db, &work->record, work->tag, pool));
    IDV_TRY(idv_workflow_scenario_find(db, &work->record, &saved, pool));
    idv_respond_header(work->request, "ETag",
                       idv_workflow_scenario_tag(saved, work->request->pool));
    *answer = scenario_text(saved, pool);
    return NULL;
}

idv_error_t *idv_workflow_scenario_api_save(idv_request_t *request)
{
    save_t work = {.request = request,
                   .record = wanted_by(request),
                   .tag = apr_table_get(request->r->headers_in, "If-Match")};
    const idv_write_t write = {
        .status = HTTP_OK, .work = save, .baton = &work};

    IDV_TRY(read_scenario(request, &work.record.what));
    return idv_write(request, &write);
}

static idv_error_t *delete (idv_db_t *db, void *baton, const char **answer,
                            apr_pool_t *pool)
{
    const idv_workflow_scenario_record_t *record = baton;

    IDV_TRY(idv_workflow_scenario_remove(db, record, pool));
    *answer = idv_json_text(
        idv_json_own(json_pack("{s:s, s:s, s:b}", "id", record->id, "object",
                               "workflow_scenario", "deleted", 1),
                     pool),
        pool);
    return NULL;
}

idv_error_t *idv_workflow_scenario_api_delete(idv_request_t *request)
{
    idv_workflow_scenario_record_t record = wanted_by(request);
    const idv_write_t write = {
        .status = HTTP_OK, .work = delete, .baton = &record};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- running --- */

typedef struct {
    idv_subject_input_t subject;
} run_input_t;

static const idv_parameter_t run_parameters[] = {
    IDV_SUBJECT_PARAMETERS(run_input_t),
    {0},
};

typedef struct {
    idv_sandbox_t sandbox;
    json_t *answer;
} run_t;

static idv_error_t *run(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    run_t *work = baton;

    return idv_workflow_scenarios_run(db, &work->sandbox, &work->answer, pool);
}

idv_error_t *idv_workflow_scenario_api_run(idv_request_t *request)
{
    run_input_t input = {0};
    idv_workflow_t *workflow;
    idv_subject_t subject;
    run_t work;

    IDV_TRY(idv_request_parameters(request, run_parameters, &input, NULL));
    IDV_TRY(idv_subject_find(request, &input.subject, &subject));
    IDV_TRY(idv_subject_compile(request, &subject, &workflow));
    work.sandbox = (idv_sandbox_t){
        .workflow = workflow,
        .organization_id = request->organization_id,
        .workflow_id = idv_request_path(request, "workflow"),
        .workflow_version_id = subject.version_id,
        .compliance = idv_compliance_rules_look_up,
        .compliance_baton = request->services->compliance,
        .now = request->now,
    };
    IDV_TRY(idv_request_with_database(request, run, &work));
    return idv_respond_text(request, HTTP_OK,
                            idv_json_text(work.answer, request->pool));
}
