/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "cli/command/table.h"
#include "domain/risk/risk_data.h"
#include "domain/workflow/workflow_compile.h"
#include "store/simulation/workflow_replay.h"
#include "store/workflow/workflow.h"
#include "store/workflow/workflow_draft.h"

/* The simulator, as in the dashboard: these commands order jobs, and the
 * watchdog of a running server runs them (worker/simulation/replayer.h). */

#define FILE_MAX (1024 * 1024)
#define DAYS_MAX 3650
#define DAYS_DEFAULT 30

static const char *const laws[] = {"kept", "current", NULL};
static const char *const kinds[] = {"past", "shadow", NULL};
static const char *const results[] = {"changed", "undetermined", NULL};

static idv_error_t *show(const idv_call_t *call,
                         const idv_workflow_replay_t *replay, json_t **answer)
{
    idv_replay_account_t account;

    IDV_TRY(idv_workflow_replay_account(call->db, replay->organization_id,
                                        &account, call->pool));
    *answer =
        json_incref(idv_workflow_replay_json(replay, &account, call->pool));
    return NULL;
}

static idv_error_t *find(const idv_call_t *call,
                         idv_workflow_replay_t **replay)
{
    return idv_workflow_replay_find(call->db, idv_call_option(call, "org"),
                                    call->arguments[0], replay, call->pool);
}

/* --- ordering --- */

/* The definition from FILE, --draft or --version. */
static idv_error_t *read_definition(const idv_call_t *call,
                                    const idv_workflow_replay_t *replay,
                                    json_t **definition)
{
    const idv_scope_t scope = {replay->organization_id, NULL};
    idv_workflow_draft_t *draft;
    json_t *version;
    int given = (call->arguments[0] != NULL) + (replay->draft_id != NULL)
              + (replay->version_id != NULL);

    if (given != 1)
        return idv_error_param(call->pool, "FILE",
                               "Pass exactly one of FILE, --draft and "
                               "--version.");
    if (replay->draft_id) {
        IDV_TRY(idv_workflow_draft_find(call->db, replay->organization_id,
                                        replay->draft_id, &draft, call->pool));
        *definition = draft->definition;
        return NULL;
    }
    if (!replay->version_id)
        return idv_json_file_read(call->arguments[0], FILE_MAX, definition,
                                  call->pool);
    IDV_TRY(idv_workflow_version_find(call->db, &scope, replay->version_id,
                                      &version, call->pool));
    *definition = json_object_get(version, "definition");
    return NULL;
}

static idv_error_t *read_plan(const idv_call_t *call,
                              idv_workflow_replay_t *replay)
{
    const apr_int64_t bounds[2] = {1, replay->is_shadow ? IDV_SHADOW_DAYS_MAX
                                                        : DAYS_MAX};
    const char *path = idv_call_option(call, "risk");
    apr_int64_t days =
        replay->is_shadow ? IDV_SHADOW_DAYS_DEFAULT : DAYS_DEFAULT;
    idv_risk_policy_t policy;

    IDV_TRY(idv_call_number(call, "days", bounds, &days));
    IDV_TRY(idv_call_choice(call, "law", laws, &replay->is_current_law));
    replay->since = replay->created - (replay->is_shadow ? 0 : days * IDV_DAY);
    replay->until = replay->since + days * IDV_DAY;
    if (!path)
        return NULL;
    IDV_TRY(idv_json_file_read(path, FILE_MAX, &replay->risk, call->pool));
    return idv_risk_policy_load(replay->risk, &policy, call->pool);
}

/* The workflow of --id. The error names --id because the argument is a file. */
static idv_error_t *find_workflow(const idv_call_t *call,
                                  const idv_scope_t *scope, json_t **workflow)
{
    const char *id = idv_call_option(call, "id");
    idv_error_t *error =
        idv_workflow_find(call->db, scope, id, workflow, call->pool);

    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(call->pool,
                               apr_pstrcat(call->pool, "--id ", id, NULL),
                               "The organization has no such workflow.");
    return error;
}

static idv_error_t *order(const idv_call_t *call, int is_shadow,
                          json_t **answer)
{
    idv_workflow_replay_t replay = {
        .is_shadow = is_shadow,
        .organization_id = idv_call_option(call, "org"),
        .workflow_id = idv_call_option(call, "id"),
        .draft_id = idv_call_option(call, "draft"),
        .version_id = idv_call_option(call, "version"),
        .created_by = idv_call_actor(call),
        .created = idv_time_now(),
    };
    const idv_scope_t scope = {replay.organization_id, NULL};
    apr_array_header_t *faults;
    json_t *definition, *workflow;
    idv_workflow_t *compiled;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(find_workflow(call, &scope, &workflow));
    IDV_TRY(read_plan(call, &replay));
    IDV_TRY(read_definition(call, &replay, &definition));
    idv_workflow_compile(definition, &compiled, &faults, call->pool);
    if (!compiled)
        return idv_error_param(call->pool, NULL,
                               "The definition does not validate (%d faults); "
                               "see verifyctl workflow check.",
                               faults->nelts);
    IDV_TRY(
        idv_workflow_replay_create(call->db, &replay, compiled, call->pool));
    return show(call, &replay, answer);
}

IDV_COMMAND(simulation_create)
{
    return order(call, 0, answer);
}

IDV_COMMAND(shadow_start)
{
    return order(call, 1, answer);
}

/* --- showing and stopping --- */

IDV_COMMAND(simulation_list)
{
    idv_workflow_replay_filter_t filter = {
        .organization_id = idv_call_option(call, "org"),
        .workflow_id = idv_call_option(call, "id"),
        .cursor.starting_after = idv_call_option(call, "starting-after"),
    };
    idv_replay_account_t account;
    apr_array_header_t *replays;
    int has_more, kind = -1;

    IDV_TRY(idv_call_limit(call, &filter.cursor.limit));
    IDV_TRY(idv_call_choice(call, "kind", kinds, &kind));
    filter.kind = kind < 0 ? NULL : kinds[kind];
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_workflow_replay_page(call->db, &filter, &replays, &has_more,
                                     call->pool));
    IDV_TRY(idv_workflow_replay_account(call->db, filter.organization_id,
                                        &account, call->pool));
    *answer = json_array();
    for (int i = 0; i < replays->nelts; i++)
        json_array_append(
            *answer,
            idv_workflow_replay_json(
                &APR_ARRAY_IDX(replays, i, idv_workflow_replay_t), &account,
                call->pool));
    return NULL;
}

IDV_COMMAND(simulation_show)
{
    idv_workflow_replay_t *replay;

    IDV_TRY(find(call, &replay));
    return show(call, replay, answer);
}

IDV_COMMAND(simulation_sessions)
{
    idv_cursor_t cursor = {.starting_after = idv_call_option(call, "after")};
    int chosen = 0, has_more;
    apr_array_header_t *items;
    idv_workflow_replay_t *replay;

    IDV_TRY(idv_call_limit(call, &cursor.limit));
    IDV_TRY(idv_call_choice(call, "result", results, &chosen));
    IDV_TRY(find(call, &replay));
    IDV_TRY(idv_workflow_replay_sessions(
        call->db,
        &(const idv_replay_sessions_query_t){
            .replay = replay,
            .result =
                chosen ? IDV_REPLAY_IS_UNDETERMINED : IDV_REPLAY_IS_CHANGED,
            .cursor = cursor},
        &items, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < items->nelts; i++)
        json_array_append(*answer,
                          idv_json_load(APR_ARRAY_IDX(items, i, const char *),
                                        call->pool));
    return NULL;
}

IDV_COMMAND(simulation_stop)
{
    idv_workflow_replay_t *replay;

    IDV_TRY(idv_workflow_replay_stop(call->db, idv_call_option(call, "org"),
                                     call->arguments[0], idv_time_now(),
                                     call->pool));
    IDV_TRY(find(call, &replay));
    return show(call, replay, answer);
}

/* The shadow of --id. */
static idv_error_t *find_shadow(const idv_call_t *call,
                                idv_workflow_replay_t **replay)
{
    idv_error_t *error = idv_workflow_shadow_find(
        call->db, idv_call_option(call, "org"), idv_call_option(call, "id"),
        replay, call->pool);

    return error && error->code == IDV_E_RESOURCE_MISSING
             ? idv_error_param(call->pool, "id",
                               "The organization has no such workflow, or it "
                               "has no shadow.")
             : error;
}

IDV_COMMAND(shadow_show)
{
    idv_workflow_replay_t *replay;

    IDV_TRY(find_shadow(call, &replay));
    return show(call, replay, answer);
}

IDV_COMMAND(shadow_stop)
{
    idv_workflow_replay_t *replay;

    IDV_TRY(find_shadow(call, &replay));
    IDV_TRY(idv_workflow_replay_stop(call->db, replay->organization_id,
                                     replay->id, idv_time_now(), call->pool));
    IDV_TRY(find_shadow(call, &replay));
    return show(call, replay, answer);
}

/* --- on a terminal --- */

/* Prints the numbers, then the matrix and the reasons. */
static void print_replay(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    static const char *const numbers[] = {"id", "kind", "status", "progress",
                                          "processed", "same", "changed",
                                          "undetermined", NULL};
    static const char *const matrix[] = {"before", "after", "count", NULL};
    static const char *const reasons[] = {"reason", "count", NULL};
    json_t *list = idv_json_own(json_pack("[O]", (json_t *)answer), pool);

    idv_table_print(out, list, numbers, pool);
    fputc('\n', out);
    idv_table_print(out, json_object_get(answer, "matrix"), matrix, pool);
    fputc('\n', out);
    idv_table_print(out, json_object_get(answer, "undetermined_reasons"),
                    reasons, pool);
}

static const char *const list_columns[] = {
    "id",   "workflow_id", "kind",         "status",  "processed",
    "same", "changed",     "undetermined", "created", NULL};
static const char *const session_columns[] = {"session_id", "result", "before",
                                              "after", "reason", NULL};

const idv_command_t idv_simulation_commands[] = {
    {.noun = "simulation",
     .verb = "create",
     .changes = 1,
     .arguments = "[FILE]",
     .options = {"org! ORG", "id! WF_ID", "draft WFD_ID", "version WFV_ID",
                 "days N", "law kept|current", "risk FILE"},
     .run = simulation_create,
     .print = print_replay,
     .help = "run a workflow's sessions of the last N days (30) through a\n"
             "      definition, a draft or a version, under the law that applied\n"
             "      then or today's, or with another risk.json. The running server\n"
             "      executes the simulation, and changes nothing else"},
    {.noun = "simulation",
     .verb = "list",
     .options = {"org! ORG", "id WF_ID", "kind past|shadow", "limit N",
                 "starting-after SIM_ID"},
     .run = simulation_list,
     .columns = list_columns,
     .help = "list simulations of a workflow or of all, newest first"},
    {.noun = "simulation",
     .verb = "show",
     .arguments = "SIM_ID",
     .options = {"org! ORG"},
     .run = simulation_show,
     .print = print_replay,
     .help = "print the results of a simulation so far"},
    {.noun = "simulation",
     .verb = "sessions",
     .arguments = "SIM_ID",
     .options = {"org! ORG", "result changed|undetermined", "after SESSION_ID",
                 "limit N"},
     .run = simulation_sessions,
     .columns = session_columns,
     .help = "list the sessions that would or might have ended differently"},
    {.noun = "simulation",
     .verb = "stop",
     .changes = 1,
     .arguments = "SIM_ID",
     .options = {"org! ORG"},
     .run = simulation_stop,
     .print = print_replay,
     .help = "stop a simulation; its results are kept"},
    {.noun = "shadow",
     .verb = "start",
     .changes = 1,
     .arguments = "[FILE]",
     .options = {"org! ORG", "id! WF_ID", "draft WFD_ID", "version WFV_ID",
                 "days N", "law kept|current", "risk FILE"},
     .run = shadow_start,
     .print = print_replay,
     .help = "run every session of a workflow that ends in the next N days\n"
             "      (30) also through a definition, a draft or a version, as it is\n"
             "      now. The running server does this, without effect on the\n"
             "      sessions. List the differences with simulation sessions"},
    {.noun = "shadow",
     .verb = "show",
     .options = {"org! ORG", "id! WF_ID"},
     .run = shadow_show,
     .print = print_replay,
     .help = "print the results of the current or last shadow of a workflow"},
    {.noun = "shadow",
     .verb = "stop",
     .changes = 1,
     .options = {"org! ORG", "id! WF_ID"},
     .run = shadow_stop,
     .print = print_replay,
     .help = "stop the shadow of a workflow; its results are kept"},
    {0},
};
