/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <string.h>

#include "core/terminal_text.h"
#include "store/operator_action.h"

/* The record of what was done. */

static json_t *chain_json(const idv_operator_chain_t *chain)
{
    return json_pack("{s:s, s:I, s:s, s:s?}", "organization",
                     chain->organization_id, "entries",
                     (json_int_t)chain->entries, "head", chain->head, "fault",
                     chain->fault);
}

/* No chain is that of a new organization, which is sound, or of a name that was
 * mistyped, of which nothing is proven. "*" is the server. */
static idv_error_t *check_owner(const idv_call_t *call,
                                const apr_array_header_t *chains)
{
    const char *organization = idv_call_option(call, "org");

    if (!organization || chains->nelts > 0 || strcmp(organization, "*") == 0)
        return NULL;
    return idv_call_organization(call);
}

IDV_COMMAND(audit_verify)
{
    apr_array_header_t *chains;
    json_t *list = idv_json_own(json_array(), call->pool);

    IDV_TRY(idv_operator_action_verify(call->db, idv_call_option(call, "org"),
                                       NULL, NULL, &chains, call->pool));
    IDV_TRY(check_owner(call, chains));
    for (int i = 0; i < chains->nelts; i++) {
        const idv_operator_chain_t *chain =
            &APR_ARRAY_IDX(chains, i, idv_operator_chain_t);

        call->found_faults |= chain->fault != NULL;
        json_array_append_new(list, chain_json(chain));
    }
    *answer = json_pack("{s:b, s:O}", "valid", !call->found_faults, "chains",
                        list);
    return NULL;
}

/* --- what was done --- */

#define TEXT_MAX 255 /* characters of an actor, an action or a subject */

static idv_error_t *read_filter(const idv_call_t *call,
                                idv_operator_action_filter_t *filter)
{
    static const apr_int64_t times[2] = {0, IDV_LATEST_SECOND};
    static const char *const texts[] = {"actor", "action", "subject", NULL};
    apr_int64_t since = 0, until = IDV_LATEST_SECOND;

    for (const char *const *name = texts; *name; name++)
        IDV_TRY(idv_call_text(call, *name, TEXT_MAX));
    IDV_TRY(idv_call_number(call, "since", times, &since));
    IDV_TRY(idv_call_number(call, "until", times, &until));
    *filter = (idv_operator_action_filter_t){
        .organization_id = idv_call_option(call, "org"),
        .actor = idv_call_option(call, "actor"),
        .action = idv_call_option(call, "action"),
        .subject = idv_call_option(call, "subject"),
        .created_from = since * IDV_SECOND,
        .created_before = until * IDV_SECOND,
    };
    return idv_operator_action_filter_check(filter, call->pool);
}

/* The server has a chain, and is no organization. */
static idv_error_t *check_place(const idv_call_t *call)
{
    const char *organization = idv_call_option(call, "org");

    return organization && strcmp(organization, IDV_OPERATOR_EVERYWHERE) != 0
             ? idv_call_organization(call)
             : NULL;
}

IDV_COMMAND(audit_list)
{
    idv_operator_action_filter_t filter;
    apr_array_header_t *actions;
    int has_more;

    IDV_TRY(read_filter(call, &filter));
    filter.cursor.starting_after = idv_call_option(call, "starting-after");
    IDV_TRY(idv_call_limit(call, &filter.cursor.limit));
    IDV_TRY(check_place(call));
    IDV_TRY(idv_operator_action_list(call->db, &filter, &actions, &has_more,
                                     call->pool));
    *answer = json_array();
    for (int i = 0; i < actions->nelts; i++)
        json_array_append_new(
            *answer,
            json_loads(APR_ARRAY_IDX(actions, i, const char *), 0, NULL));
    return NULL;
}

static idv_error_t *print_entry(void *baton, const idv_operator_entry_t *entry,
                                apr_pool_t *pool)
{
    const char *text = idv_operator_entry_line(entry, pool);

    (void)baton;
    if (text)
        text = idv_terminal_text(text, pool);
    return text && puts(text) >= 0
             ? NULL
             : idv_error_internal(pool, "the output could not be written");
}

/* Some of an organization's entries, in the order of their ids. */
static idv_error_t *export_some(const idv_call_t *call,
                                const idv_operator_action_filter_t *filter)
{
    idv_operator_export_t export = {.filter = *filter};
    apr_pool_t *scratch;

    if (!filter->organization_id)
        return idv_error_param(call->pool, "org",
                               "Entries are chosen of one organization.");
    IDV_TRY(check_place(call));
    apr_pool_create(&scratch, call->pool);
    while (!export.is_whole) {
        IDV_TRY(idv_operator_action_export(call->db, &export, print_entry, NULL,
                                           scratch));
        apr_pool_clear(scratch);
    }
    return NULL;
}

/* Prints line by line, since the record can be longer than memory. */
IDV_COMMAND(audit_export)
{
    idv_operator_action_filter_t filter;
    apr_array_header_t *chains;

    *answer = NULL;
    IDV_TRY(read_filter(call, &filter));
    if (filter.actor || filter.action || filter.subject
        || idv_call_option(call, "since") || idv_call_option(call, "until"))
        return export_some(call, &filter);
    IDV_TRY(idv_operator_action_verify(call->db, filter.organization_id,
                                       print_entry, NULL, &chains, call->pool));
    return check_owner(call, chains);
}

/* What it does is the first entry behind the head that it restores. */
IDV_COMMAND(audit_repair)
{
    const char *organization = call->arguments[0];
    apr_array_header_t *chains;
    int restored;

    call->organization_id = organization;
    IDV_TRY(idv_operator_action_restore_head(call->db, organization, &restored,
                                             call->pool));
    call->changed_nothing = !restored;
    IDV_TRY(idv_operator_action_verify(call->db, organization, NULL, NULL,
                                       &chains, call->pool));
    if (chains->nelts == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, call->pool);
    *answer = chain_json(&APR_ARRAY_IDX(chains, 0, idv_operator_chain_t));
    json_object_set_new(*answer, "restored", json_boolean(restored));
    return NULL;
}

static const char *const action_columns[] = {
    "created", "actor", "action", "subject", "reason", "id", NULL};

const idv_command_t idv_audit_commands[] = {
    {.noun = "audit",
     .verb = "verify",
     .options = {"org ORG"},
     .any_organization = 1,
     .run = audit_verify,
     .help = "prove that no entry of the record of actions was changed, inserted "
             "or\n      removed from within; only a head that was kept elsewhere "
             "shows an\n      end that was cut off. Without ORG: of all "
             "organizations and of the server"},
    {.noun = "audit",
     .verb = "list",
     .options = {"org! ORG|*", "actor WHO", "action ACTION", "subject ID",
                 "since UNIX", "until UNIX", "limit N",
                 "starting-after OPA_ID"},
     .run = audit_list,
     .columns = action_columns,
     .help = "list what was done to an organization, or to the server (*),\n"
             "      newest first; of one actor, action or subject"},
    {.noun = "audit",
     .verb = "export",
     .options = {"org ORG", "actor WHO", "action ACTION", "subject ID",
                 "since UNIX", "until UNIX"},
     .any_organization = 1,
     .run = audit_export,
     .help = "print the record of actions, a JSON object a line, oldest first;\n"
             "      all of it, which can be proved, or some of an organization's"},
    {.noun = "audit",
     .verb = "repair",
     .changes = 1,
     .arguments = "ORG|*",
     .run = audit_repair,
     .help = "give a chain whose head was taken away the head that its last entry "
             "is;\n      first compare it with an export: what was cut off behind "
             "it stays lost"},
    {0},
};
