/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "cli/command/file_input.h"
#include "cli/law/rules_input.h"
#include "cli/workflow/definition_input.h"
#include "core/id.h"
#include "domain/workflow/workflow_compile.h"
#include "domain/workflow/workflow_diff.h"
#include "domain/workflow/workflow_paths.h"
#include "store/simulation/workflow_scenario.h"
#include "store/transaction/workflow_release.h"
#include "store/workflow/workflow.h"

/* Workflows, as administrators write them. */

#define DEFINITION_MAX (1024 * 1024) /* bytes */

static idv_error_t *read_text(const idv_call_t *call, const char *path,
                              idv_bytes_t *text)
{
    return idv_file_input_read("FILE", path, DEFINITION_MAX, text, call->pool);
}

/* The JSON object in the file PATH. */
static idv_error_t *read_object(const idv_call_t *call, const char *path,
                                json_t **object)
{
    idv_bytes_t text;

    IDV_TRY(read_text(call, path, &text));
    return idv_json_parse((const char *)text.data, text.length, object,
                          call->pool);
}

/* A document that is not a JSON object has one fault, which concerns all of
 * it. */
static apr_array_header_t *fault_of_text(const idv_error_t *error,
                                         apr_pool_t *pool)
{
    apr_array_header_t *faults =
        apr_array_make(pool, 1, sizeof(idv_workflow_fault_t));

    *(idv_workflow_fault_t *)apr_array_push(faults) =
        (idv_workflow_fault_t){"", "json", error->message, {NULL}};
    return faults;
}

IDV_COMMAND(workflow_check)
{
    static const idv_method_list_t none = {0};
    apr_array_header_t *faults, *warnings;
    idv_workflow_t *workflow = NULL;
    json_t *definition;
    idv_bytes_t text;
    idv_error_t *error;

    IDV_TRY(read_text(call, call->arguments[0], &text));
    error = idv_json_parse((const char *)text.data, text.length, &definition,
                           call->pool);
    if (error)
        faults = fault_of_text(error, call->pool);
    else
        idv_workflow_compile(definition, &workflow, &faults, call->pool);
    warnings = workflow ? idv_workflow_warnings(workflow, call->pool)
                        : apr_array_make(call->pool, 0, 1);
    if (workflow)
        idv_workflow_warn_of_law(workflow, idv_call_usable_rules(call),
                                 idv_time_now(), warnings);
    *answer = json_pack("{s:b, s:o, s:o, s:o}", "valid", workflow != NULL,
                        "faults", idv_workflow_faults_json(faults), "methods",
                        idv_method_list_json(workflow ? &workflow->methods
                                                      : &none),
                        "warnings", idv_workflow_faults_json(warnings));
    call->found_faults = !workflow;
    return NULL;
}

/* The definition in the file of the first argument, and its workflow. */
static idv_error_t *read_compiled(const idv_call_t *call, json_t **definition,
                                  idv_workflow_t **workflow)
{
    IDV_TRY(read_object(call, call->arguments[0], definition));
    return idv_call_compile(call, *definition, workflow);
}

/* The law, which is needed if there are scenarios that must pass. */
static idv_error_t *add_law(const idv_call_t *call,
                            idv_workflow_release_t *release)
{
    const idv_workflow_scenario_record_t wanted = {
        .organization_id = release->organization_id,
        .workflow_id = release->workflow_id};
    const idv_cursor_t cursor = {.limit = 1};
    apr_array_header_t *records;
    int has_more;

    release->law.now = idv_time_now();
    if (!release->workflow_id)
        return NULL;
    IDV_TRY(idv_workflow_scenario_page(call->db,
                                       &(const idv_workflow_scenario_query_t){
                                           .wanted = &wanted, .cursor = cursor},
                                       &records, &has_more, call->pool));
    return records->nelts ? idv_call_read_law(call, &release->law) : NULL;
}

IDV_COMMAND(workflow_publish)
{
    const char *editors[] = {idv_call_actor(call), NULL};
    idv_workflow_release_t release = {
        .organization_id = idv_call_option(call, "org"),
        .application_id = idv_call_option(call, "app"),
        .workflow_id = idv_call_option(call, "id"),
        .is_new = idv_call_option(call, "id") == NULL,
        .any_base = 1,
        .publisher = editors[0],
        .editors = editors,
    };
    idv_workflow_t *workflow;
    json_t *published;

    if (release.workflow_id
        && !idv_id_is(IDV_ID_WORKFLOW, release.workflow_id))
        return idv_error_param(call->pool, "id", "Not the id of a workflow.");
    IDV_TRY(read_compiled(call, &release.definition, &workflow));
    release.workflow = workflow;
    IDV_TRY(add_law(call, &release));
    release.rules = idv_call_usable_rules(call);
    IDV_TRY(idv_workflow_release(call->db, &release, &published, call->pool));
    *answer = json_pack(
        "{s:O, s:s, s:O, s:s, s:o, s:O}", "id",
        json_object_get(published, "workflow_id"), "object", "workflow",
        "version_id", json_object_get(published, "version_id"), "name",
        workflow->name, "methods", idv_method_list_json(&workflow->methods),
        "warnings", json_object_get(published, "warnings"));
    return NULL;
}

/* The version --version of the workflow in the first argument, by default the
 * live one, with its definition. Owned by the call's pool. */
static idv_error_t *find_version(const idv_call_t *call, json_t **version)
{
    const char *wanted = idv_call_option(call, "version");
    idv_scope_t scope = {0};
    idv_error_t *error;
    json_t *live;

    IDV_TRY(
        idv_workflow_show(call->db, call->arguments[0], &live, call->pool));
    *version = idv_json_own(live, call->pool);
    if (!wanted)
        return NULL;
    scope.organization_id =
        json_string_value(json_object_get(live, "organization_id"));
    error = idv_workflow_version_find(call->db, &scope, wanted, version,
                                      call->pool);
    if (error && error->code == IDV_E_RESOURCE_MISSING)
        error->param = "version";
    IDV_TRY(error);
    return strcmp(json_string_value(json_object_get(*version, "workflow_id")),
                  call->arguments[0])
                 == 0
             ? NULL
             : idv_error_param(call->pool, "version",
                               "Not a version of this workflow.");
}

IDV_COMMAND(workflow_show)
{
    json_t *version;

    IDV_TRY(find_version(call, &version));
    *answer = json_incref(version);
    return NULL;
}

IDV_COMMAND(workflow_export)
{
    json_t *version;

    IDV_TRY(find_version(call, &version));
    *answer = json_incref(json_object_get(version, "definition"));
    return NULL;
}

IDV_COMMAND(workflow_list)
{
    IDV_TRY(idv_call_organization(call));
    return idv_workflow_list(call->db, idv_call_option(call, "org"),
                             idv_call_option(call, "live") != NULL, answer,
                             call->pool);
}

static idv_error_t *set_retired(idv_call_t *call, int is_retired,
                                json_t **answer)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_time_t retired_at;

    IDV_TRY(idv_workflow_retire(
        call->db,
        &(const idv_workflow_retirement_t){
            .scope = scope, .id = call->arguments[0], .is_retired = is_retired},
        &retired_at, call->pool));
    *answer = json_pack("{s:s, s:s, s:o}", "id", call->arguments[0], "object",
                        "workflow", "retired_at",
                        idv_json_integer_or_null(
                            idv_time_seconds(retired_at)));
    return NULL;
}

IDV_COMMAND(workflow_retire)
{
    return set_retired(call, 1, answer);
}

IDV_COMMAND(workflow_restore)
{
    return set_retired(call, 0, answer);
}

/* --- trying workflows --- */

/* --type and --jurisdiction; the latter is NULL if it was not given. */
static idv_error_t *read_subject(const idv_call_t *call,
                                 idv_session_type_t *type,
                                 const char **jurisdiction)
{
    const char *given = idv_call_option(call, "jurisdiction");

    *type = idv_session_type_parse(idv_call_option(call, "type"));
    *jurisdiction = NULL;
    if (*type == IDV_SESSION_TYPE_NONE)
        return idv_error_param(call->pool, "type",
                               "Expected one of: identity, age, student.");
    return given ? idv_jurisdiction_parse(given, "jurisdiction", jurisdiction,
                                          call->pool)
                 : NULL;
}

static idv_error_t *read_scenario(const idv_call_t *call, json_t **scenario)
{
    const char *path = idv_call_option(call, "scenario");
    json_t *object;

    *scenario = NULL;
    if (!path) {
        *scenario = idv_json_own(json_array(), call->pool);
        return NULL;
    }
    IDV_TRY(read_object(call, path, &object));
    *scenario = json_object_get(object, "scenario");
    return NULL;
}

IDV_COMMAND(workflow_simulate)
{
    idv_sandbox_t sandbox = {0};
    idv_workflow_t *workflow;
    json_t *definition, *scenario;

    IDV_TRY(read_subject(call, &sandbox.type, &sandbox.jurisdiction));
    IDV_TRY(read_compiled(call, &definition, &workflow));
    IDV_TRY(idv_call_read_law(call, &sandbox));
    IDV_TRY(read_scenario(call, &scenario));
    sandbox.workflow = workflow;
    return idv_sandbox_run(&sandbox, scenario, answer, call->pool);
}

/* The paths through WORKFLOW in one jurisdiction, under today's law. New
 * reference. */
static json_t *paths_json(const idv_call_t *call,
                          const idv_workflow_t *workflow,
                          const idv_compliance_rules_t *rules,
                          idv_workflow_paths_question_t question)
{
    idv_workflow_paths_t paths;
    idv_compliance_t law = {0};

    if (question.jurisdiction && workflow->use_case != IDV_USE_CASE_NONE) {
        idv_compliance_question_t asked = idv_workflow_question(
            workflow, question.jurisdiction, idv_time_now());

        idv_compliance_rules_look_up(rules, &asked, &law, call->pool);
        question.law = law.rule_version ? &law : NULL;
    }
    question.workflow = workflow;
    idv_workflow_paths(&question, &paths, call->pool);
    return idv_workflow_paths_json(&question, &paths);
}

IDV_COMMAND(workflow_paths)
{
    idv_workflow_paths_question_t question = {0};
    idv_compliance_rules_t *rules;
    idv_workflow_t *workflow;
    json_t *definition;

    IDV_TRY(read_subject(call, &question.type, &question.jurisdiction));
    IDV_TRY(read_compiled(call, &definition, &workflow));
    IDV_TRY(idv_call_read_rules(call, idv_call_option(call, "rules"), &rules));
    *answer = json_array();
    if (question.jurisdiction || workflow->jurisdiction_count == 0)
        json_array_append_new(*answer,
                              paths_json(call, workflow, rules, question));
    for (int i = 0;
         !question.jurisdiction && i < workflow->jurisdiction_count; i++) {
        idv_workflow_paths_question_t one = question;

        one.jurisdiction = workflow->jurisdictions[i];
        json_array_append_new(*answer,
                              paths_json(call, workflow, rules, one));
    }
    return NULL;
}

/* The definition in the version ITEM. */
static idv_error_t *definition_of(const idv_call_t *call,
                                  const idv_scope_t *scope, const json_t *item,
                                  const json_t **definition)
{
    json_t *version;

    IDV_TRY(idv_workflow_version_find(
        call->db, scope, json_string_value(json_object_get(item, "id")),
        &version, call->pool));
    *definition = json_object_get(version, "definition");
    return NULL;
}

/* Adds to ITEM, a version, how it differs from EARLIER, the version before
 * it. */
static idv_error_t *add_changes(const idv_call_t *call,
                                const idv_scope_t *scope, json_t *item,
                                const json_t *earlier)
{
    const json_t *before, *after, *change;
    json_t *changes, *pointers = json_array();
    size_t i;

    json_object_set_new(item, "changed", pointers);
    IDV_TRY(definition_of(call, scope, earlier, &before));
    IDV_TRY(definition_of(call, scope, item, &after));
    changes = idv_json_own(idv_workflow_diff(before, after, call->pool),
                           call->pool);
    json_array_foreach (changes, i, change)
        json_array_append(pointers, json_object_get(change, "pointer"));
    return NULL;
}

/* The newest version shows what it changed, so the version before it is also
 * read, even if only one was requested. */
IDV_COMMAND(workflow_versions)
{
    idv_scope_t scope = {0};
    idv_cursor_t cursor = {.starting_after =
                               idv_call_option(call, "starting-after")};
    apr_array_header_t *items;
    json_t *workflow, *versions = json_array();
    int limit, has_more;

    idv_json_own(versions, call->pool);
    IDV_TRY(idv_call_limit(call, &limit));
    cursor.limit = limit > 1 ? limit : 2;
    IDV_TRY(
        idv_workflow_show(call->db, call->arguments[0], &workflow, call->pool));
    idv_json_own(workflow, call->pool);
    scope.organization_id =
        json_string_value(json_object_get(workflow, "organization_id"));
    IDV_TRY(idv_workflow_version_page(
        call->db,
        &(const idv_page_query_t){
            .scope = scope, .id = call->arguments[0], .cursor = cursor},
        &items, &has_more, call->pool));
    for (int i = 0; i < items->nelts; i++)
        json_array_append_new(
            versions,
            json_loads(APR_ARRAY_IDX(items, i, const char *), 0, NULL));
    if (json_array_size(versions) > 1)
        IDV_TRY(add_changes(call, &scope, json_array_get(versions, 0),
                            json_array_get(versions, 1)));
    if (json_array_size(versions) > (size_t)limit)
        json_array_remove(versions, 1);
    *answer = json_incref(versions);
    return NULL;
}

IDV_COMMAND(workflow_diff)
{
    json_t *published, *definition;
    const char *version_id;

    IDV_TRY(read_object(call, call->arguments[1], &definition));
    IDV_TRY(find_version(call, &published));
    version_id = idv_call_option(call, "version");
    if (!version_id)
        version_id =
            json_string_value(json_object_get(published, "version_id"));
    *answer =
        json_pack("{s:s, s:s, s:o}", "workflow_id", call->arguments[0],
                  "version_id", version_id,
                  "changes",
                  idv_workflow_diff(json_object_get(published, "definition"),
                                    definition, call->pool));
    return NULL;
}

static const char *const version_columns[] = {
    "number", "id", "is_live", "published_by", "created", "changed", NULL};

static const char *const workflow_columns[] = {
    "id", "name", "version_id", "updated", "retired_at", NULL};

const idv_command_t idv_definition_commands[] = {
    {.noun = "workflow",
     .verb = "check",
     .arguments = "FILE",
     .offline = 1,
     .run = workflow_check,
     .help = "compile a definition without publishing it. Exit status 1 if\n"
             "      it has faults, each printed with its JSON pointer. Needs no\n"
             "      database"},
    {.noun = "workflow",
     .verb = "publish",
     .changes = 1,
     .arguments = "FILE",
     .options = {"org! ORG", "app APP", "id WF_ID", "rules DIR"},
     .run = workflow_publish,
     .help = "publish a workflow definition, with --id as a new version, if\n"
             "      the scenarios of that workflow have the expected outcome. If\n"
             "      the organization requires two people, publish drafts instead"},
    {.noun = "workflow",
     .verb = "list",
     .options = {"org! ORG", "live?"},
     .run = workflow_list,
     .columns = workflow_columns,
     .help = "list the workflows of an organization; --live omits retired\n"
             "      ones"},
    {.noun = "workflow",
     .verb = "retire",
     .changes = 1,
     .arguments = "WF_ID",
     .options = {"org! ORG"},
     .run = workflow_retire,
     .help = "stop new sessions of a workflow; existing sessions continue"},
    {.noun = "workflow",
     .verb = "restore",
     .changes = 1,
     .arguments = "WF_ID",
     .options = {"org! ORG"},
     .run = workflow_restore,
     .help = "allow new sessions of a retired workflow again"},
    {.noun = "workflow",
     .verb = "show",
     .arguments = "WF_ID",
     .options = {"version VERSION_ID"},
     .run = workflow_show,
     .help = "print the definition and the compiled form of a workflow, of\n"
             "      its live version or of another"},
    {.noun = "workflow",
     .verb = "export",
     .arguments = "WF_ID",
     .options = {"version VERSION_ID"},
     .run = workflow_export,
     .is_document = 1,
     .help = "print only the definition, as workflow publish reads it"},
    {.noun = "workflow",
     .verb = "versions",
     .arguments = "WF_ID",
     .options = {"limit N", "starting-after VERSION_ID"},
     .run = workflow_versions,
     .columns = version_columns,
     .help = "list the versions of a workflow, newest first: when and by\n"
             "      whom each was published, and how the newest differs from the\n"
             "      one before"},
    {.noun = "workflow",
     .verb = "diff",
     .arguments = "WF_ID FILE",
     .options = {"version VERSION_ID"},
     .run = workflow_diff,
     .help = "print what a file would change in a published workflow,\n"
             "      compared with its live version or another"},
    {.noun = "workflow",
     .verb = "simulate",
     .arguments = "FILE",
     .options = {"type! TYPE", "jurisdiction J", "scenario FILE", "rules DIR"},
     .offline = 1,
     .run = workflow_simulate,
     .help = "run a simulated session through a definition, with the inputs\n"
             "      of {\"scenario\": [...]}. Shows states, effects and webhooks,\n"
             "      and stores nothing. Needs no database"},
    {.noun = "workflow",
     .verb = "paths",
     .arguments = "FILE",
     .options = {"type! TYPE", "jurisdiction J", "rules DIR"},
     .offline = 1,
     .run = workflow_paths,
     .help = "list all paths through a definition in each of its\n"
             "      jurisdictions: the weakest evidence that verifies, dead ends\n"
             "      and the longest path. Needs no database"},
    {0},
};
