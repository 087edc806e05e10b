/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/account/billing_commands.h"

/* The credits of organizations and what they used. */

/* A billing month as text, or null. New reference. */
static json_t *month_json(int month)
{
    return month ? json_sprintf("%04d-%02d", month / 100, month % 100)
                 : json_null();
}

json_t *idv_call_usage_json(int month, const idv_usage_t *usage)
{
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I}", "month", month_json(month),
        "verifications", (json_int_t)idv_usage_total(usage), "free",
        (json_int_t)usage->counts[IDV_LEDGER_FREE], "charged",
        (json_int_t)usage->counts[IDV_LEDGER_CHARGED], "sandbox",
        (json_int_t)usage->counts[IDV_LEDGER_SANDBOX]);
}

IDV_COMMAND(credits_add)
{
    apr_int64_t bounds[2] = {-IDV_CREDITS_MAX, IDV_CREDITS_MAX};
    apr_int64_t amount = 0, balance = 0;

    IDV_TRY(idv_call_text(call, "note", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_number(call, "amount", bounds, &amount));
    if (amount == 0)
        return idv_error_param(call->pool, "amount", "Must not be 0.");
    IDV_TRY(idv_ledger_add_credits(
        call->db,
        &(const idv_ledger_credit_t){.organization_id =
                                         idv_call_option(call, "org"),
                                     .amount = amount,
                                     .note = idv_call_option(call, "note")},
        &balance, call->pool));
    *answer =
        json_pack("{s:s, s:I}", "organization_id", idv_call_option(call, "org"),
                  "credit_balance", (json_int_t)balance);
    return NULL;
}

static json_t *entry_json(const idv_ledger_entry_t *entry)
{
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:I, s:I, s:s, s:s?, s:I}", "id", entry->id,
        "object", "ledger_entry", "kind", entry->kind, "verifications",
        (json_int_t)entry->verifications, "month", month_json(entry->month),
        "amount", (json_int_t)entry->amount, "balance",
        (json_int_t)entry->balance, "note", entry->note, "session_id",
        entry->session_id, "created",
        (json_int_t)idv_time_seconds(entry->created));
}

IDV_COMMAND(credits)
{
    idv_cursor_t cursor = {.starting_after =
                               idv_call_option(call, "starting-after")};
    apr_array_header_t *entries;
    idv_error_t *error;
    int has_more;

    IDV_TRY(idv_call_limit(call, &cursor.limit));
    IDV_TRY(idv_call_organization(call));
    error = idv_ledger_list(
        call->db,
        &(const idv_page_query_t){
            .scope = {.organization_id = idv_call_option(call, "org")},
            .cursor = cursor},
        &entries, &has_more, call->pool);
    if (error && error->code == IDV_E_PARAMETER_INVALID)
        return idv_error_param(call->pool, "starting-after", "No such entry.");
    IDV_TRY(error);
    *answer = json_array();
    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(*answer, entry_json(&APR_ARRAY_IDX(
                                           entries, i, idv_ledger_entry_t)));
    return NULL;
}

IDV_COMMAND(usage)
{
    apr_array_header_t *months;
    int limit;

    IDV_TRY(idv_call_limit(call, &limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_ledger_months(call->db, idv_call_option(call, "org"), limit,
                              &months, call->pool));
    *answer = json_array();
    for (int i = 0; i < months->nelts; i++) {
        const idv_ledger_month_t *month =
            &APR_ARRAY_IDX(months, i, idv_ledger_month_t);

        json_array_append_new(*answer,
                              idv_call_usage_json(month->month, &month->usage));
    }
    return NULL;
}

static const char *const usage_columns[] = {"month",   "verifications", "free",
                                            "charged", "sandbox",       NULL};

static const char *const ledger_columns[] = {
    "created", "kind", "amount", "balance", "verifications", "month",
    "session_id", "note", NULL};

const idv_command_t idv_billing_commands[] = {
    {.noun = "credits",
     .verb = "add",
     .changes = 1,
     .options = {"org! ORG", "amount! N", "note! TEXT"},
     .run = credits_add,
     .help = "add prepaid credits; a negative amount removes credits"},
    {.noun = "credits",
     .options = {"org! ORG", "limit N", "starting-after ENTRY_ID"},
     .run = credits,
     .columns = ledger_columns,
     .help = "print the ledger of credits and verifications, newest first"},
    {.noun = "usage",
     .options = {"org! ORG", "limit N"},
     .run = usage,
     .columns = usage_columns,
     .help = "print the number of verifications per month, newest first"},
    {0},
};
