/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "cli/law/rules_input.h"
#include "cli/workflow/definition_input.h"
#include "store/transaction/workflow_release.h"
#include "store/workflow/workflow_draft.h"

/* Drafts of workflows, under the same rules as in the dashboard
 * (store/workflow/workflow_draft.h, store/transaction/workflow_release.h). */

#define FILE_MAX (1024 * 1024)

/* A page of ITEMS, the texts of objects. */
static json_t *list_of_texts(const apr_array_header_t *items, apr_pool_t *pool)
{
    json_t *list = json_array();

    for (int i = 0; i < items->nelts; i++)
        json_array_append(
            list, idv_json_load(APR_ARRAY_IDX(items, i, const char *), pool));
    return list;
}

IDV_COMMAND(draft_list)
{
    const char *workflow_id = idv_call_option(call, "id");
    idv_workflow_draft_filter_t filter = {
        .organization_id = idv_call_option(call, "org"),
        .workflow_id = workflow_id,
        .cursor.starting_after = idv_call_option(call, "starting-after"),
    };
    apr_array_header_t *items;
    int has_more;

    IDV_TRY(idv_call_limit(call, &filter.cursor.limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_workflow_draft_page(call->db, &filter, &items, &has_more,
                                    call->pool));
    *answer = list_of_texts(items, call->pool);
    return NULL;
}

IDV_COMMAND(draft_show)
{
    idv_workflow_draft_t *draft;

    IDV_TRY(idv_workflow_draft_find(call->db, idv_call_option(call, "org"),
                                    call->arguments[0], &draft, call->pool));
    *answer = json_incref(idv_workflow_draft_json(draft, call->pool));
    return NULL;
}

/* The live version of the workflow of --id, on which the draft is based unless
 * a file is given. */
static idv_error_t *find_base(const idv_call_t *call,
                              idv_workflow_draft_t *draft)
{
    const idv_scope_t scope = {draft->organization_id, NULL};
    json_t *workflow, *version;

    IDV_TRY(idv_workflow_find(call->db, &scope, draft->workflow_id, &workflow,
                              call->pool));
    draft->base_version_id =
        json_string_value(json_object_get(workflow, "version_id"));
    if (draft->definition)
        return NULL;
    IDV_TRY(idv_workflow_version_find(call->db, &scope, draft->base_version_id,
                                      &version, call->pool));
    draft->definition = json_object_get(version, "definition");
    return NULL;
}

IDV_COMMAND(draft_create)
{
    idv_workflow_draft_t draft = {
        .organization_id = idv_call_option(call, "org"),
        .workflow_id = idv_call_option(call, "id"),
        .application_id = idv_call_option(call, "app"),
        .created_by = idv_call_actor(call),
        .created = idv_time_now(),
    };

    if (draft.workflow_id && draft.application_id)
        return idv_error_param(call->pool, "app",
                               "Only for a new workflow, without --id.");
    if (!draft.workflow_id && !call->arguments[0])
        return idv_error_param(call->pool, "FILE",
                               "A new workflow needs a definition.");
    IDV_TRY(idv_call_organization(call));
    if (call->arguments[0])
        IDV_TRY(idv_json_file_read(call->arguments[0], FILE_MAX,
                                   &draft.definition, call->pool));
    if (draft.workflow_id)
        IDV_TRY(find_base(call, &draft));
    IDV_TRY(idv_workflow_draft_create(call->db, &draft, call->pool));
    *answer = json_incref(idv_workflow_draft_json(&draft, call->pool));
    return NULL;
}

/* Locks the draft of the first argument in the state of --etag, which may be
 * given without its quotes. */
static idv_error_t *lock(const idv_call_t *call, idv_workflow_draft_t **draft)
{
    const idv_workflow_draft_t wanted = {.organization_id =
                                             idv_call_option(call, "org"),
                                         .id = call->arguments[0]};
    const char *tag = idv_call_option(call, "etag");

    if (*tag != '"')
        tag = apr_pstrcat(call->pool, "\"", tag, "\"", NULL);
    return idv_workflow_draft_lock(call->db, &wanted, tag, draft, call->pool);
}

IDV_COMMAND(draft_save)
{
    idv_workflow_draft_t *draft;
    idv_workflow_edit_t edit = {.editor = idv_call_actor(call),
                                .now = idv_time_now()};

    IDV_TRY(idv_json_file_read(call->arguments[1], FILE_MAX, &edit.definition,
                               call->pool));
    IDV_TRY(lock(call, &draft));
    IDV_TRY(idv_workflow_draft_save(call->db, draft, &edit, call->pool));
    *answer = json_incref(idv_workflow_draft_json(draft, call->pool));
    return NULL;
}

IDV_COMMAND(draft_delete)
{
    idv_workflow_draft_t *draft;

    IDV_TRY(lock(call, &draft));
    IDV_TRY(idv_workflow_draft_remove(call->db, draft, call->pool));
    *answer = json_pack("{s:s, s:s, s:b}", "id", draft->id, "object",
                        "workflow_draft", "deleted", 1);
    return NULL;
}

/* The ids in the text of --accept, which are separated by commas. */
static json_t *read_ids(const idv_call_t *call)
{
    const char *text = idv_call_option(call, "accept");
    json_t *ids = idv_json_own(json_array(), call->pool);
    char *state, *id;

    if (!text)
        return ids;
    for (id = apr_strtok(apr_pstrdup(call->pool, text), ",", &state); id;
         id = apr_strtok(NULL, ",", &state))
        json_array_append_new(ids, json_string(id));
    return ids;
}

IDV_COMMAND(draft_publish)
{
    const char *replaced = idv_call_option(call, "replace");
    idv_workflow_draft_t *draft;
    idv_workflow_release_t release;
    idv_workflow_t *workflow;
    json_t *published;

    IDV_TRY(lock(call, &draft));
    IDV_TRY(idv_call_compile(call, draft->definition, &workflow));
    release = (idv_workflow_release_t){
        .organization_id = draft->organization_id,
        .application_id = draft->is_new ? draft->application_id : NULL,
        .workflow_id = draft->workflow_id,
        .is_new = draft->is_new,
        .base_version_id = replaced ? replaced : draft->base_version_id,
        .definition = draft->definition,
        .workflow = workflow,
        .publisher = idv_call_actor(call),
        .editors = draft->editors,
        .accepted = read_ids(call),
    };
    IDV_TRY(idv_call_read_law(call, &release.law));
    release.rules = idv_call_usable_rules(call);
    IDV_TRY(idv_workflow_release(call->db, &release, &published, call->pool));
    IDV_TRY(idv_workflow_draft_remove(call->db, draft, call->pool));
    *answer = json_incref(published);
    return NULL;
}

static const char *const draft_columns[] = {
    "id", "workflow_id", "name", "etag", "updated_by", "updated", NULL};

const idv_command_t idv_draft_commands[] = {
    {.noun = "draft",
     .verb = "list",
     .options = {"org! ORG", "id WF_ID", "limit N",
                 "starting-after DRAFT_ID"},
     .run = draft_list,
     .columns = draft_columns,
     .help = "list the drafts of an organization, or of a workflow"},
    {.noun = "draft",
     .verb = "show",
     .arguments = "DRAFT_ID",
     .options = {"org! ORG"},
     .run = draft_show,
     .help = "print a draft with its definition and etag"},
    {.noun = "draft",
     .verb = "create",
     .changes = 1,
     .arguments = "[FILE]",
     .options = {"org! ORG", "id WF_ID", "app APP"},
     .run = draft_create,
     .help = "create a draft of a workflow, or of a new one without --id. It\n"
             "      may have faults"},
    {.noun = "draft",
     .verb = "save",
     .changes = 1,
     .arguments = "DRAFT_ID FILE",
     .options = {"org! ORG", "etag! TAG"},
     .run = draft_save,
     .help = "change a draft, if it is still the one that the etag names"},
    {.noun = "draft",
     .verb = "delete",
     .changes = 1,
     .arguments = "DRAFT_ID",
     .options = {"org! ORG", "etag! TAG"},
     .run = draft_delete,
     .help = "delete a draft"},
    {.noun = "draft",
     .verb = "publish",
     .changes = 1,
     .arguments = "DRAFT_ID",
     .options = {"org! ORG", "etag! TAG", "accept SCENARIO_IDS",
                 "replace VERSION_ID", "rules DIR"},
     .run = draft_publish,
     .help = "publish a draft, if the scenarios of its workflow have the\n"
             "      expected outcome or are accepted as changed (IDs separated by\n"
             "      commas)"},
    {.noun = NULL}};
