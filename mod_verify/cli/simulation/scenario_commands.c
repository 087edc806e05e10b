/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include "cli/command/command_record.h"
#include "cli/workflow/definition_input.h"
#include "domain/request/parameters.h"
#include "store/simulation/workflow_scenario.h"
#include "store/transaction/workflow_release.h"

/* The scenarios of workflows, under the same rules as in the dashboard
 * (store/transaction/workflow_release.h). */

#define FILE_MAX (1024 * 1024)

static idv_workflow_scenario_record_t wanted_by(const idv_call_t *call)
{
    idv_time_t now = idv_time_now();

    return (idv_workflow_scenario_record_t){
        .organization_id = idv_call_option(call, "org"),
        .workflow_id = call->arguments[0],
        .id = call->arguments[1],
        .updated_by = idv_call_actor(call),
        .created = now,
        .updated = now,
    };
}

IDV_COMMAND(scenario_list)
{
    const idv_workflow_scenario_record_t wanted = wanted_by(call);
    const idv_cursor_t cursor = {.limit = IDV_WORKFLOW_SCENARIOS_MAX};
    apr_array_header_t *records;
    int has_more;

    IDV_TRY(idv_workflow_scenario_page(call->db,
                                       &(const idv_workflow_scenario_query_t){
                                           .wanted = &wanted, .cursor = cursor},
                                       &records, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < records->nelts; i++)
        json_array_append(
            *answer,
            idv_workflow_scenario_json(
                &APR_ARRAY_IDX(records, i, idv_workflow_scenario_record_t),
                call->pool));
    return NULL;
}

IDV_COMMAND(scenario_show)
{
    const idv_workflow_scenario_record_t wanted = wanted_by(call);
    idv_workflow_scenario_record_t *record;

    IDV_TRY(idv_workflow_scenario_find(call->db, &wanted, &record, call->pool));
    *answer = json_incref(idv_workflow_scenario_json(record, call->pool));
    return NULL;
}

static idv_error_t *read_scenario(const idv_call_t *call, const char *file,
                                  idv_workflow_scenario_t *what)
{
    idv_parameters_t given = {0};
    json_t *document;

    IDV_TRY(idv_json_file_read(file, FILE_MAX, &document, call->pool));
    given.values = document;
    if (!json_is_object(document))
        return idv_error_param(call->pool, "FILE", "Must be an object.");
    IDV_TRY(idv_parameters_read(&given, idv_scenario_parameters, what, NULL,
                                call->pool));
    return idv_scenario_expectation_check(what->expected, call->pool);
}

IDV_COMMAND(scenario_save)
{
    idv_workflow_scenario_record_t record = wanted_by(call), *saved;

    IDV_TRY(read_scenario(call, call->arguments[2], &record.what));
    IDV_TRY(idv_workflow_scenario_save(
        call->db, &record, idv_call_option(call, "etag"), call->pool));
    IDV_TRY(
        idv_workflow_scenario_find(call->db, &record, &saved, call->pool));
    *answer = json_incref(idv_workflow_scenario_json(saved, call->pool));
    return NULL;
}

IDV_COMMAND(scenario_add)
{
    idv_workflow_scenario_record_t record = wanted_by(call);

    IDV_TRY(read_scenario(call, call->arguments[1], &record.what));
    IDV_TRY(idv_workflow_scenario_create(call->db, &record, call->pool));
    *answer = json_incref(idv_workflow_scenario_json(&record, call->pool));
    return NULL;
}

IDV_COMMAND(scenario_delete)
{
    const idv_workflow_scenario_record_t wanted = wanted_by(call);

    IDV_TRY(idv_workflow_scenario_remove(call->db, &wanted, call->pool));
    *answer = json_pack("{s:s, s:s, s:b}", "id", wanted.id, "object",
                        "workflow_scenario", "deleted", 1);
    return NULL;
}

IDV_COMMAND(scenario_run)
{
    idv_sandbox_t sandbox = {.organization_id = idv_call_option(call, "org"),
                             .workflow_id = call->arguments[0]};
    json_t *definition, *report;
    idv_workflow_t *workflow;

    IDV_TRY(idv_json_file_read(call->arguments[1], FILE_MAX, &definition,
                               call->pool));
    IDV_TRY(idv_call_compile(call, definition, &workflow));
    IDV_TRY(idv_call_read_law(call, &sandbox));
    sandbox.workflow = workflow;
    IDV_TRY(
        idv_workflow_scenarios_run(call->db, &sandbox, &report, call->pool));
    call->found_faults =
        json_integer_value(json_object_get(report, "changed")) > 0;
    *answer = json_incref(report);
    return NULL;
}

static const char *const scenario_columns[] = {
    "id", "name", "type", "jurisdiction", "updated_by", "updated", NULL};

const idv_command_t idv_scenario_commands[] = {
    {.noun = "scenario",
     .verb = "list",
     .arguments = "WF_ID",
     .options = {"org! ORG"},
     .run = scenario_list,
     .columns = scenario_columns,
     .help = "list the scenarios of a workflow"},
    {.noun = "scenario",
     .verb = "show",
     .arguments = "WF_ID SCENARIO_ID",
     .options = {"org! ORG"},
     .run = scenario_show,
     .help = "print a scenario with its inputs and its etag"},
    {.noun = "scenario",
     .verb = "add",
     .changes = 1,
     .arguments = "WF_ID FILE",
     .options = {"org! ORG"},
     .run = scenario_add,
     .help = "save a scenario: {\"name\", \"type\", \"jurisdiction\",\n"
             "      \"scenario\": [...], \"expected\": {\"status\", ...}}"},
    {.noun = "scenario",
     .verb = "save",
     .changes = 1,
     .arguments = "WF_ID SCENARIO_ID FILE",
     .options = {"org! ORG", "etag! TAG"},
     .run = scenario_save,
     .help = "replace a scenario, if it is still the one that the etag names"},
    {.noun = "scenario",
     .verb = "delete",
     .changes = 1,
     .arguments = "WF_ID SCENARIO_ID",
     .options = {"org! ORG"},
     .run = scenario_delete,
     .help = "delete a scenario"},
    {.noun = "scenario",
     .verb = "run",
     .arguments = "WF_ID FILE",
     .options = {"org! ORG", "rules DIR"},
     .run = scenario_run,
     .help = "run the scenarios of a workflow in a definition. Exit status 1\n"
             "      if one has an unexpected outcome"},
    {.noun = NULL}};
