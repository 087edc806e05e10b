/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "cli/command/file_input.h"
#include "core/terminal_text.h"
#include "store/account/operator_action.h"

/* The audit record. */

static json_t *chain_json(const idv_operator_chain_t *chain)
{
    return json_pack("{s:s, s:I, s:s, s:s?}", "organization",
                     chain->organization_id, "entries",
                     (json_int_t)chain->entries, "head", chain->head, "fault",
                     chain->fault);
}

/* A missing chain is sound if the organization is new, but proves nothing if
 * its name was mistyped. "*" is the server. */
static idv_error_t *check_owner(const idv_call_t *call,
                                const apr_array_header_t *chains)
{
    const char *organization = idv_call_option(call, "org");

    if (!organization || chains->nelts > 0 || strcmp(organization, "*") == 0)
        return NULL;
    return idv_call_organization(call);
}

/* --- heads kept elsewhere --- */

/* Anyone who can write to the database can cut off the end of a chain together
 * with its head, or rewrite the whole chain. A head kept elsewhere reveals
 * this: the entry that has it as its hash must still exist. */

#define HEADS_MAX (16 * 1024 * 1024) /* bytes of the file */

typedef struct {
    const char *organization_id;
    const char *head;
    apr_int64_t entries;
    int is_there; /* flag: its entry exists */
    int is_other; /* flag: its place holds another entry */
} kept_head_t;

static idv_error_t *read_heads(const idv_call_t *call, const char *path,
                               json_t **heads)
{
    idv_bytes_t text;

    IDV_TRY(idv_file_input_read("head", path, HEADS_MAX, &text, call->pool));
    return idv_json_parse((const char *)text.data, text.length, heads,
                          call->pool);
}

/* The heads in the file of --head, by organization. With --org only that
 * organization's, which must be in the file. NULL without --head. */
static idv_error_t *find_heads(const idv_call_t *call, apr_hash_t **found)
{
    const char *path = idv_call_option(call, "head");
    const char *only = idv_call_option(call, "org");
    json_t *heads, *head;
    size_t i;

    *found = NULL;
    if (!path)
        return NULL;
    IDV_TRY(read_heads(call, path, &heads));
    *found = apr_hash_make(call->pool);
    json_array_foreach(json_object_get(heads, "chains"), i, head) {
        kept_head_t *kept = apr_pcalloc(call->pool, sizeof(*kept));
        json_int_t entries;

        if (json_unpack(head, "{s:s, s:I, s:s}", "organization",
                        &kept->organization_id, "entries", &entries, "head",
                        &kept->head)
            || entries < 0)
            return idv_error_param(call->pool, "head",
                                   "Must be the output of `verifyctl audit "
                                   "verify`.");
        kept->entries = entries;
        if (!only || strcmp(only, kept->organization_id) == 0)
            apr_hash_set(*found, kept->organization_id, APR_HASH_KEY_STRING,
                         kept);
    }
    return apr_hash_count(*found)
             ? NULL
             : idv_error_param(call->pool, "head",
                               "Does not contain the head of this trail.");
}

static idv_error_t *compare_entry(void *baton,
                                  const idv_operator_entry_t *entry,
                                  apr_pool_t *pool)
{
    kept_head_t *kept =
        apr_hash_get(baton, entry->organization_id, APR_HASH_KEY_STRING);

    (void)pool;
    if (!kept || entry->sequence != kept->entries)
        return NULL;
    kept->is_there = strcmp(entry->hash, kept->head) == 0;
    kept->is_other = !kept->is_there;
    return NULL;
}

/* The contradiction between KEPT and its chain, or NULL. */
static const char *fault_of(const kept_head_t *kept, apr_pool_t *pool)
{
    if (!kept || kept->is_there || kept->entries == 0)
        return NULL;
    return apr_psprintf(pool,
                        kept->is_other
                            ? "entry %" APR_INT64_T_FMT
                              " is not the one whose head was kept"
                            : "entry %" APR_INT64_T_FMT
                              ", whose head was kept, is missing",
                        kept->entries);
}

/* Adds to CHAINS what the kept HEADS reveal, including chains that are gone. */
static void compare_chains(apr_hash_t *heads, apr_array_header_t *chains,
                           apr_pool_t *pool)
{
    for (int i = 0; i < chains->nelts; i++) {
        idv_operator_chain_t *chain =
            &APR_ARRAY_IDX(chains, i, idv_operator_chain_t);
        const kept_head_t *kept =
            apr_hash_get(heads, chain->organization_id, APR_HASH_KEY_STRING);

        if (!chain->fault)
            chain->fault = fault_of(kept, pool);
        apr_hash_set(heads, chain->organization_id, APR_HASH_KEY_STRING, NULL);
    }
    for (apr_hash_index_t *i = apr_hash_first(pool, heads); i;
         i = apr_hash_next(i)) {
        const kept_head_t *kept = apr_hash_this_val(i);

        if (fault_of(kept, pool))
            APR_ARRAY_PUSH(chains, idv_operator_chain_t) =
                (idv_operator_chain_t){.organization_id = kept->organization_id,
                                       .head = "",
                                       .fault = fault_of(kept, pool)};
    }
}

IDV_COMMAND(audit_verify)
{
    apr_array_header_t *chains;
    apr_hash_t *heads;
    json_t *list = idv_json_own(json_array(), call->pool);

    IDV_TRY(find_heads(call, &heads));
    IDV_TRY(idv_operator_action_verify(
        call->db, idv_call_option(call, "org"),
        &(const idv_operator_entry_visitor_t){
            .visit = heads ? compare_entry : NULL, .baton = heads},
        &chains, call->pool));
    if (heads)
        compare_chains(heads, chains, call->pool);
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

/* --- entries --- */

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

/* The server has a chain but is not an organization. */
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

/* Some entries of an organization, ordered by id. */
static idv_error_t *export_some(const idv_call_t *call,
                                const idv_operator_action_filter_t *filter)
{
    idv_operator_export_t export = {.filter = *filter};
    apr_pool_t *scratch;

    if (!filter->organization_id)
        return idv_error_param(call->pool, "org",
                               "Filters need --org.");
    IDV_TRY(check_place(call));
    apr_pool_create(&scratch, call->pool);
    while (!export.is_whole) {
        IDV_TRY(idv_operator_action_export(call->db, &export, print_entry, NULL,
                                           scratch));
        apr_pool_clear(scratch);
    }
    return NULL;
}

/* Prints line by line because the record can be larger than memory. */
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
                                       &(const idv_operator_entry_visitor_t){
                                           .visit = print_entry, .baton = NULL},
                                       &chains, call->pool));
    return check_owner(call, chains);
}

/* The repair is recorded as the first entry after the head that it restores. */
IDV_COMMAND(audit_repair)
{
    const char *organization = call->arguments[0];
    apr_array_header_t *chains;
    int restored;

    call->organization_id = organization;
    IDV_TRY(idv_operator_action_restore_head(call->db, organization, &restored,
                                             call->pool));
    call->changed_nothing = !restored;
    IDV_TRY(idv_operator_action_verify(
        call->db, organization,
        &(const idv_operator_entry_visitor_t){.visit = NULL, .baton = NULL},
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
     .options = {"org ORG", "head FILE"},
     .any_organization = 1,
     .run = audit_verify,
     .help = "check that no entry of the audit trail was changed or\n"
             "      inserted, and that none is missing before the last one. FILE is\n"
             "      the output of an earlier audit verify; with it, the command\n"
             "      also detects that entries were cut off the end. Without ORG,\n"
             "      checks the trails of all organizations and of the server"},
    {.noun = "audit",
     .verb = "list",
     .options = {"org! ORG|*", "actor WHO", "action ACTION", "subject ID",
                 "since UNIX", "until UNIX", "limit N",
                 "starting-after OPA_ID"},
     .run = audit_list,
     .columns = action_columns,
     .help = "list actions on an organization, or on the server (*), newest\n"
             "      first: all of them, or those of one actor, action or subject"},
    {.noun = "audit",
     .verb = "export",
     .options = {"org ORG", "actor WHO", "action ACTION", "subject ID",
                 "since UNIX", "until UNIX"},
     .any_organization = 1,
     .run = audit_export,
     .help = "print the audit trail as one JSON object per line, oldest\n"
             "      first: all of it, or part of an organization's trail. Only a\n"
             "      complete export can be verified"},
    {.noun = "audit",
     .verb = "repair",
     .changes = 1,
     .arguments = "ORG|*",
     .run = audit_repair,
     .help = "make the last entry the head of a chain that has lost its\n"
             "      head. First compare the chain with an export, because this does\n"
             "      not restore entries that were cut off"},
    {0},
};
