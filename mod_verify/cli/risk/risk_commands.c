/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdio.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/request/parameters.h"
#include "store/risk/risk_list.h"
#include "store/risk/risk_record.h"

/* Risk: entries that an operator allows or blocks, and who changed them. */

#define VALUE_MAX 320 /* bytes of a value; e-mail addresses are longest */

/* A time in Unix seconds, or null. New reference. */
static json_t *time_json(idv_time_t time)
{
    return time ? json_integer((json_int_t)idv_time_seconds(time))
                : json_null();
}

static json_t *entry_json(const idv_risk_list_row_t *row)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s, s:o, s:o}", "id", row->id,
        "object", "risk_list_entry", "kind", row->kind, "listing", row->action,
        "value", row->value, "note", row->note, "by", row->actor, "created",
        time_json(row->created), "expires_at", time_json(row->expires_at));
}

static json_t *change_json(const idv_risk_list_row_t *row)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s?, s:s, s:o}", "id",
                     row->id, "object", "risk_list_change", "entry_id",
                     row->entry_id, "action", row->action, "kind", row->kind,
                     "value", row->value, "note", row->note, "by", row->actor,
                     "created", time_json(row->created));
}

/* --- subject of an entry --- */

/* Sets the kind, value and digest of CHANGE from the words KIND and VALUE. */
static idv_error_t *identify(const idv_call_t *call, const char *kind,
                             const char *value,
                             idv_risk_listing_change_t *change)
{
    change->kind = idv_risk_list_kind_parse(kind);
    if (change->kind == IDV_RISK_LIST_KIND_COUNT)
        return idv_error_param(call->pool, "KIND",
                               "Expected ip, email, phone, device or "
                               "email_domain.");
    /* Command lines are visible to all users of a machine. */
    if (strcmp(value, "-") == 0)
        IDV_TRY(idv_call_read_line(call, "VALUE", VALUE_MAX, &value));
    IDV_TRY(idv_risk_list_normalize(change->kind, value, "VALUE",
                                    &change->value, call->pool));
    change->digest = idv_risk_list_digest(call->keyring, change->kind,
                                          change->value, call->pool);
    return NULL;
}

/* Sets the organization, actor and note of CHANGE. */
static idv_error_t *begin_change(const idv_call_t *call,
                                 idv_risk_listing_change_t *change)
{
    memset(change, 0, sizeof(*change));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_call_text(call, "by", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_text(call, "note", IDV_CALL_TEXT_MAX));
    change->organization_id = idv_call_option(call, "org");
    change->actor = idv_call_option(call, "by");
    change->note = idv_call_option(call, "note");
    change->now = idv_time_now();
    return NULL;
}

/* --- commands --- */

static idv_error_t *put(const idv_call_t *call, idv_risk_listing_t listing,
                        json_t **answer)
{
    static const apr_int64_t bounds[2] = {1, 3650};
    idv_risk_listing_change_t change;
    apr_int64_t days = 0;
    const char *id;

    IDV_TRY(begin_change(call, &change));
    IDV_TRY(idv_call_number(call, "days", bounds, &days));
    IDV_TRY(identify(call, call->arguments[0], call->arguments[1], &change));
    change.listing = listing;
    if (days)
        change.expires_at = change.now + days * IDV_DAY;
    IDV_TRY(idv_risk_list_put(call->db, &change, &id, call->pool));
    *answer = entry_json(&(idv_risk_list_row_t){
        .id = id,
        .kind = call->arguments[0],
        .action = listing == IDV_RISK_BLOCKED ? "block" : "allow",
        .value =
            change.kind == IDV_RISK_LIST_EMAIL_DOMAIN ? change.value : NULL,
        .note = change.note,
        .actor = change.actor,
        .created = change.now,
        .expires_at = change.expires_at,
    });
    return NULL;
}

IDV_COMMAND(risk_allow)
{
    return put(call, IDV_RISK_ALLOWED, answer);
}

IDV_COMMAND(risk_block)
{
    return put(call, IDV_RISK_BLOCKED, answer);
}

IDV_COMMAND(risk_remove)
{
    idv_risk_listing_change_t change;
    idv_risk_list_row_t row;

    IDV_TRY(begin_change(call, &change));
    IDV_TRY(idv_risk_list_remove(call->db, &change, call->arguments[0], &row,
                                 call->pool));
    *answer =
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b}", "id", row.id, "object",
                  "risk_list_entry", "kind", row.kind, "listing", row.action,
                  "value", row.value, "deleted", 1);
    return NULL;
}

/* Sets QUERY from the options that both lists share. */
static idv_error_t *begin_list(const idv_call_t *call,
                               idv_risk_list_query_t *query)
{
    memset(query, 0, sizeof(*query));
    IDV_TRY(idv_call_limit(call, &query->limit));
    IDV_TRY(idv_call_organization(call));
    query->organization_id = idv_call_option(call, "org");
    query->after = idv_call_option(call, "starting-after");
    return NULL;
}

IDV_COMMAND(risk_list)
{
    const char *kind = idv_call_option(call, "kind");
    const char *value = idv_call_option(call, "value");
    idv_risk_listing_change_t sought = {0};
    idv_risk_list_query_t query;
    apr_array_header_t *rows;

    IDV_TRY(begin_list(call, &query));
    if (!kind != !value)
        return idv_error_param(call->pool, kind ? "value" : "kind",
                               "Pass both --kind and --value, or neither.");
    if (kind)
        IDV_TRY(identify(call, kind, value, &sought));
    query.digest = sought.digest;
    IDV_TRY(idv_risk_list_entries(call->db, &query, &rows, call->pool));
    *answer = json_array();
    for (int i = 0; i < rows->nelts; i++)
        json_array_append_new(
            *answer, entry_json(&APR_ARRAY_IDX(rows, i, idv_risk_list_row_t)));
    return NULL;
}

IDV_COMMAND(risk_changes)
{
    idv_risk_list_query_t query;
    apr_array_header_t *rows;

    IDV_TRY(begin_list(call, &query));
    IDV_TRY(idv_risk_list_changes(call->db, &query, &rows, call->pool));
    *answer = json_array();
    for (int i = 0; i < rows->nelts; i++)
        json_array_append_new(
            *answer, change_json(&APR_ARRAY_IDX(rows, i, idv_risk_list_row_t)));
    return NULL;
}

IDV_COMMAND(risk_show)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    const char *body;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_risk_find(call->db, &scope, call->arguments[0], &body,
                          call->pool));
    *answer = json_loads(body, 0, NULL);
    return NULL;
}

static const char *const entry_columns[] = {
    "id", "kind", "listing", "value", "by", "created", "expires_at", "note",
    NULL};

static const char *const change_columns[] = {
    "created", "action", "kind", "value", "by", "entry_id", "note", NULL};

const idv_command_t idv_risk_commands[] = {
    {.noun = "risk",
     .verb = "list",
     .options = {"org! ORG", "kind KIND", "value VALUE",
                 "starting-after RLE_ID", "limit N"},
     .needs_keyring = 1,
     .run = risk_list,
     .columns = entry_columns,
     .help = "list what an organization allows and blocks; with --value only\n"
             "      the entry of that value"},
    {.noun = "risk",
     .verb = "allow",
     .changes = 1,
     .arguments = "KIND VALUE",
     .options = {"org! ORG", "by! WHO", "note TEXT", "days N"},
     .needs_keyring = 1,
     .run = risk_allow,
     .help = "ignore all risk signals about an identifier. KIND is ip,\n"
             "      email, phone, device or email_domain. VALUE - is read from\n"
             "      standard input"},
    {.noun = "risk",
     .verb = "block",
     .changes = 1,
     .arguments = "KIND VALUE",
     .options = {"org! ORG", "by! WHO", "note TEXT", "days N"},
     .needs_keyring = 1,
     .run = risk_block,
     .help = "treat an identifier as a high risk"},
    {.noun = "risk",
     .verb = "remove",
     .changes = 1,
     .arguments = "RLE_ID",
     .options = {"org! ORG", "by! WHO", "note TEXT"},
     .run = risk_remove,
     .help = "remove an entry from what is allowed or blocked"},
    {.noun = "risk",
     .verb = "changes",
     .options = {"org! ORG", "starting-after RLC_ID", "limit N"},
     .run = risk_changes,
     .columns = change_columns,
     .help = "list who allowed, blocked and removed what, newest first"},
    {.noun = "risk",
     .verb = "show",
     .arguments = "RSK_ID",
     .options = {"org! ORG"},
     .run = risk_show,
     .help = "print a risk assessment: its tier, points and signals"},
    {0},
};
