/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/workflows: published versions, and questions
 * about a definition before it is published: its faults, the changes, all paths
 * through it, and the course of a session. Nothing here has an effect, except
 * retiring. Answers are computed from definitions alone. The questions are
 * POSTs because a definition does not fit into a query.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "api/workflow/workflow_subject.h"
#include "domain/simulation/workflow_sandbox.h"
#include "domain/workflow/workflow_diff.h"
#include "domain/workflow/workflow_paths.h"
#include "store/workflow/workflow.h"

/* --- published versions --- */

typedef struct {
    idv_scope_t scope;
    const char *id, *version;
    json_t *object;
} look_t;

static look_t make_look(const idv_request_t *request)
{
    return (look_t){.scope = idv_request_scope(request),
                    .id = idv_request_path(request, "id"),
                    .version = idv_request_path(request, "version")};
}

static idv_error_t *read_workflows(idv_db_t *db, idv_listing_t *listing,
                                   apr_pool_t *pool)
{
    const idv_scope_t scope = idv_request_scope(listing->request);

    return idv_workflow_page(
        db,
        &(const idv_page_query_t){.scope = scope, .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

idv_error_t *idv_workflow_api_list(idv_request_t *request)
{
    static const idv_list_t workflows = {IDV_ID_WORKFLOW, read_workflows, NULL};

    return idv_list_respond(request, &workflows);
}

static idv_error_t *read_versions(idv_db_t *db, idv_listing_t *listing,
                                  apr_pool_t *pool)
{
    const idv_scope_t scope = idv_request_scope(listing->request);

    return idv_workflow_version_page(
        db,
        &(const idv_page_query_t){.scope = scope,
                                  .id =
                                      idv_request_path(listing->request, "id"),
                                  .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

idv_error_t *idv_workflow_version_api_list(idv_request_t *request)
{
    static const idv_list_t versions = {IDV_ID_WORKFLOW_VERSION, read_versions,
                                        NULL};

    return idv_list_respond(request, &versions);
}

/* Answers with VALUE and takes over its reference. */
static idv_error_t *answer_json(idv_request_t *request, json_t *value)
{
    return idv_respond_text(
        request, HTTP_OK,
        idv_json_text(idv_json_own(value, request->pool), request->pool));
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    return idv_workflow_find(db, &look->scope, look->id, &look->object, pool);
}

idv_error_t *idv_workflow_api_retrieve(idv_request_t *request)
{
    look_t look = make_look(request);

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    return answer_json(request, json_incref(look.object));
}

/* --- retiring --- */

typedef struct {
    look_t look;
    int is_retired;
} retirement_t;

static idv_error_t *retire(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    retirement_t *work = baton;
    idv_time_t unused;

    IDV_TRY(idv_workflow_retire(
        db,
        &(const idv_workflow_retirement_t){.scope = work->look.scope,
                                           .id = work->look.id,
                                           .is_retired = work->is_retired},
        &unused, pool));
    IDV_TRY(find(db, &work->look, pool));
    *answer = idv_json_text(work->look.object, pool);
    return NULL;
}

static idv_error_t *set_retired(idv_request_t *request, int is_retired)
{
    retirement_t work = {make_look(request), is_retired};
    const idv_write_t write = {
        .status = HTTP_OK, .work = retire, .baton = &work};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

idv_error_t *idv_workflow_api_retire(idv_request_t *request)
{
    return set_retired(request, 1);
}

idv_error_t *idv_workflow_api_restore(idv_request_t *request)
{
    return set_retired(request, 0);
}

/* Versions of other workflows do not exist here. */
static idv_error_t *find_version(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;
    const char *workflow_id;

    IDV_TRY(idv_workflow_version_find(db, &look->scope, look->version,
                                      &look->object, pool));
    workflow_id =
        json_string_value(json_object_get(look->object, "workflow_id"));
    return strcmp(workflow_id, look->id) == 0
             ? NULL
             : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

static idv_error_t *look_up_version(idv_request_t *request, look_t *look)
{
    *look = make_look(request);
    IDV_TRY(idv_request_no_parameters(request));
    return idv_request_with_database(request, find_version, look);
}

/* The warnings about WORKFLOW on this node. */
static apr_array_header_t *find_warnings(const idv_request_t *request,
                                         const idv_workflow_t *workflow)
{
    apr_array_header_t *warnings =
        idv_workflow_warnings(workflow, request->pool);

    if (!request->services->settings->smtp)
        idv_workflow_warn_without_mail(workflow, warnings);
    idv_workflow_warn_of_law(workflow, request->services->compliance,
                             request->now, warnings);
    return warnings;
}

idv_error_t *idv_workflow_version_api_retrieve(idv_request_t *request)
{
    idv_workflow_t *workflow;
    look_t look;

    IDV_TRY(look_up_version(request, &look));
    IDV_TRY(idv_workflow_load(json_object_get(look.object, "compiled"),
                              &workflow, request->pool));
    json_object_set_new(look.object, "warnings",
                        idv_workflow_faults_json(
                            find_warnings(request, workflow)));
    return answer_json(request, json_incref(look.object));
}

idv_error_t *idv_workflow_version_api_export(idv_request_t *request)
{
    look_t look;

    IDV_TRY(look_up_version(request, &look));
    return answer_json(request,
                       json_incref(json_object_get(look.object, "definition")));
}

/* --- changes --- */

typedef struct {
    const json_t *before, *after;
} diff_input_t;

static const idv_parameter_t diff_parameters[] = {
    IDV_PARAMETER(OBJECT, diff_input_t, before, IDV_REQUIRED, 0,
                  IDV_SUBJECT_MEMBERS_MAX),
    IDV_PARAMETER(OBJECT, diff_input_t, after, IDV_REQUIRED, 0,
                  IDV_SUBJECT_MEMBERS_MAX),
    {0},
};

typedef struct {
    idv_subject_input_t subject;
} side_input_t;

static const idv_parameter_t side_parameters[] = {
    IDV_SUBJECT_PARAMETERS(side_input_t),
    {0},
};

/* The definition given by GIVEN, the parameter NAME. */
static idv_error_t *find_side(idv_request_t *request, const char *name,
                              const json_t *given, idv_subject_t *subject)
{
    const idv_parameters_t values = {.values = given};
    side_input_t input = {0};
    idv_error_t *error = idv_parameters_read(&values, side_parameters, &input,
                                             NULL, request->pool);

    if (!error)
        error = idv_subject_find(request, &input.subject, subject);
    if (error && error->code == IDV_E_PARAMETER_INVALID && error->param)
        error->param =
            apr_pstrcat(request->pool, name, ".", error->param, NULL);
    return error;
}

idv_error_t *idv_workflow_api_diff(idv_request_t *request)
{
    diff_input_t input = {0};
    idv_subject_t before, after;

    IDV_TRY(idv_request_parameters(request, diff_parameters, &input, NULL));
    IDV_TRY(find_side(request, "before", input.before, &before));
    IDV_TRY(find_side(request, "after", input.after, &after));
    return answer_json(
        request, json_pack("{s:s, s:o}", "object", "workflow_diff", "changes",
                           idv_workflow_diff(before.definition,
                                             after.definition, request->pool)));
}

/* --- faults --- */

idv_error_t *idv_workflow_api_check(idv_request_t *request)
{
    static const idv_method_list_t none = {0};
    side_input_t input = {0};
    apr_array_header_t *faults, *warnings;
    idv_workflow_t *workflow;
    idv_subject_t subject;

    IDV_TRY(idv_request_parameters(request, side_parameters, &input, NULL));
    IDV_TRY(idv_subject_find(request, &input.subject, &subject));
    idv_workflow_compile(subject.definition, &workflow, &faults, request->pool);
    warnings = workflow ? find_warnings(request, workflow)
                        : apr_array_make(request->pool, 1,
                                         sizeof(idv_workflow_fault_t));
    return answer_json(
        request,
        json_pack("{s:s, s:b, s:o, s:o, s:o}", "object", "workflow_check",
                  "valid", workflow != NULL, "faults",
                  idv_workflow_faults_json(faults), "warnings",
                  idv_workflow_faults_json(warnings), "methods",
                  idv_method_list_json(workflow ? &workflow->methods : &none)));
}

/* --- all paths through a definition --- */

typedef struct {
    idv_subject_input_t subject;
    idv_session_type_t type;
    const char *jurisdiction;
} paths_input_t;

static const idv_parameter_t paths_parameters[] = {
    IDV_SUBJECT_PARAMETERS(paths_input_t),
    IDV_PARAMETER(SESSION_TYPE, paths_input_t, type, IDV_REQUIRED, 1, 16),
    IDV_PARAMETER(JURISDICTION, paths_input_t, jurisdiction, 0, 1, 255),
    {0},
};

/* The paths in QUESTION's jurisdiction under today's law, with their list only
 * if WHOLE is set. New reference. A workflow may have hundreds of
 * jurisdictions, so the memory for each is released. */
static json_t *ways_json(const idv_request_t *request,
                         idv_workflow_paths_question_t question, int whole)
{
    const idv_workflow_t *workflow = question.workflow;
    idv_workflow_paths_t paths;
    idv_compliance_t law = {0};
    apr_pool_t *scratch;
    json_t *answer;

    apr_pool_create(&scratch, request->pool);
    if (question.jurisdiction && workflow->use_case != IDV_USE_CASE_NONE) {
        idv_compliance_question_t asked = idv_workflow_question(
            workflow, question.jurisdiction, request->now);

        idv_compliance_rules_look_up(request->services->compliance, &asked,
                                     &law, scratch);
        question.law = law.rule_version ? &law : NULL;
    }
    idv_workflow_paths(&question, &paths, scratch);
    if (!whole)
        paths.path_count = 0;
    answer = idv_workflow_paths_json(&question, &paths);
    apr_pool_destroy(scratch);
    return answer;
}

idv_error_t *idv_workflow_api_paths(idv_request_t *request)
{
    paths_input_t input = {0};
    idv_workflow_paths_question_t question = {0};
    idv_workflow_t *workflow;
    idv_subject_t subject;
    json_t *list;

    IDV_TRY(idv_request_parameters(request, paths_parameters, &input, NULL));
    IDV_TRY(idv_subject_find(request, &input.subject, &subject));
    IDV_TRY(idv_subject_compile(request, &subject, &workflow));
    question.workflow = workflow;
    question.type = input.type;
    question.jurisdiction = input.jurisdiction;
    list = json_array();
    if (input.jurisdiction || workflow->jurisdiction_count == 0)
        json_array_append_new(list, ways_json(request, question, 1));
    for (int i = 0; !input.jurisdiction && i < workflow->jurisdiction_count;
         i++) {
        question.jurisdiction = workflow->jurisdictions[i];
        json_array_append_new(
            list,
            ways_json(request, question, workflow->jurisdiction_count == 1));
    }
    return answer_json(request, json_pack("{s:s, s:s, s:o}", "object",
                                          "workflow_paths_report", "type",
                                          idv_session_type_value(input.type),
                                          "jurisdictions", list));
}

/* --- a simulated session --- */

typedef struct {
    idv_subject_input_t subject;
    idv_session_type_t type;
    const char *jurisdiction;
    const json_t *scenario;
    apr_int64_t now;
} simulate_input_t;

static const idv_parameter_t simulate_parameters[] = {
    IDV_SUBJECT_PARAMETERS(simulate_input_t),
    IDV_PARAMETER(SESSION_TYPE, simulate_input_t, type, IDV_REQUIRED, 1, 16),
    IDV_PARAMETER(JURISDICTION, simulate_input_t, jurisdiction, IDV_NULLABLE, 1,
                  255),
    IDV_PARAMETER(OBJECTS, simulate_input_t, scenario, IDV_REQUIRED, 0,
                  IDV_SANDBOX_STEPS_MAX),
    IDV_PARAMETER(INTEGER, simulate_input_t, now, 0, 1, IDV_LATEST_SECOND),
    {0},
};

idv_error_t *idv_workflow_api_simulate(idv_request_t *request)
{
    simulate_input_t input = {.now = idv_time_seconds(request->now)};
    idv_workflow_t *workflow;
    idv_subject_t subject;
    idv_sandbox_t sandbox;
    json_t *answer;

    IDV_TRY(idv_request_parameters(request, simulate_parameters, &input, NULL));
    IDV_TRY(idv_subject_find(request, &input.subject, &subject));
    IDV_TRY(idv_subject_compile(request, &subject, &workflow));
    sandbox = (idv_sandbox_t){
        .workflow = workflow,
        .organization_id = request->organization_id,
        .workflow_id = subject.workflow_id,
        .workflow_version_id = subject.version_id,
        .type = input.type,
        .jurisdiction = input.jurisdiction,
        .compliance = idv_compliance_rules_look_up,
        .compliance_baton = request->services->compliance,
        .now = input.now * IDV_SECOND,
    };
    IDV_TRY(idv_sandbox_run(&sandbox, input.scenario, &answer, request->pool));
    return answer_json(request, answer);
}
