/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <apr_strings.h>

#include "store/ledger.h"
#include "store/organization.h"

#define ROWS_SHOWN 100
#define ROWS_MAX 10000
#define ALLOTMENT_MAX 1000000000
#define CREDITS_MAX ((apr_int64_t)1000000000000)

static json_t *organization_json(const idv_organization_t *organization)
{
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:I, s:I, s:s, s:I, s:I}", "id",
        organization->id, "object", "organization", "name", organization->name,
        "sandbox", organization->sandbox, "billing_status",
        organization->billing_status, "free_allotment",
        (json_int_t)organization->free_allotment, "credit_balance",
        (json_int_t)organization->credit_balance, "publishable_session_create",
        organization->publishable_session_create, "created",
        (json_int_t)idv_time_seconds(organization->created), "updated",
        (json_int_t)idv_time_seconds(organization->updated));
}

IDV_COMMAND(idv_command_org_create)
{
    idv_organization_t *organization;

    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_organization_create(call->db, idv_call_option(call, "name"),
                                    idv_call_option(call, "sandbox") != NULL,
                                    &organization, call->pool));
    *answer = organization_json(organization);
    return NULL;
}

IDV_COMMAND(idv_command_org_list)
{
    apr_int64_t bounds[2] = {1, ROWS_MAX}, limit = ROWS_SHOWN;
    apr_array_header_t *organizations;

    IDV_TRY(idv_call_number(call, "limit", bounds, &limit));
    IDV_TRY(idv_organization_list(call->db,
                                  idv_call_option(call, "starting-after"),
                                  (int)limit, &organizations, call->pool));
    *answer = json_array();
    for (int i = 0; i < organizations->nelts; i++)
        json_array_append_new(
            *answer, organization_json(APR_ARRAY_IDX(organizations, i,
                                                     idv_organization_t *)));
    return NULL;
}

/* A billing month as text, or null. New reference. */
static json_t *month_json(int month)
{
    return month ? json_sprintf("%04d-%02d", month / 100, month % 100)
                 : json_null();
}

static json_t *usage_json(int month, const idv_usage_t *usage)
{
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I}", "month", month_json(month),
        "verifications", (json_int_t)idv_usage_total(usage), "free",
        (json_int_t)usage->counts[IDV_LEDGER_FREE], "charged",
        (json_int_t)usage->counts[IDV_LEDGER_CHARGED], "sandbox",
        (json_int_t)usage->counts[IDV_LEDGER_SANDBOX]);
}

IDV_COMMAND(idv_command_org_show)
{
    idv_organization_t *organization;
    int month = idv_billing_month(idv_time_now());
    idv_usage_t usage;

    IDV_TRY(idv_organization_find(call->db, call->arguments[0], &organization,
                                  call->pool));
    IDV_TRY(idv_ledger_usage(call->db, organization->id, month, &usage,
                             call->pool));
    *answer = organization_json(organization);
    json_object_set_new(*answer, "usage", usage_json(month, &usage));
    return NULL;
}

IDV_COMMAND(idv_command_org_update)
{
    static const char *const billing[] = {"active", "suspended", NULL};
    static const char *const creation[] = {"allowed", "blocked", NULL};
    idv_organization_update_t update = {
        .name = idv_call_option(call, "name"),
        .billing_status = idv_call_option(call, "billing-status"),
        .free_allotment = -1,
        .publishable_session_create =
            idv_call_option(call, "publishable-session-create"),
    };
    const apr_int64_t bounds[2] = {0, ALLOTMENT_MAX};
    idv_organization_t *organization;
    int unused;

    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_choice(call, "billing-status", billing, &unused));
    IDV_TRY(
        idv_call_choice(call, "publishable-session-create", creation, &unused));
    IDV_TRY(idv_call_number(call, "free-allotment", bounds,
                            &update.free_allotment));
    IDV_TRY(idv_organization_update(call->db, call->arguments[0], &update,
                                    &organization, call->pool));
    *answer = organization_json(organization);
    return NULL;
}

static json_t *application_json(const idv_call_t *call, const char *id,
                                const char *name, idv_time_t created)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "id", id, "object",
                     "application", "organization_id",
                     idv_call_option(call, "org"), "name", name, "created",
                     (json_int_t)idv_time_seconds(created));
}

IDV_COMMAND(idv_command_app_create)
{
    const char *id;
    idv_time_t now = idv_time_now();

    IDV_TRY(idv_call_text(call, "name", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_application_create(call->db, idv_call_option(call, "org"),
                                   idv_call_option(call, "name"), now, &id,
                                   call->pool));
    *answer = application_json(call, id, idv_call_option(call, "name"), now);
    return NULL;
}

IDV_COMMAND(idv_command_app_list)
{
    apr_array_header_t *applications;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_application_list(call->db, idv_call_option(call, "org"),
                                 &applications, call->pool));
    *answer = json_array();
    for (int i = 0; i < applications->nelts; i++) {
        const idv_application_t *application =
            &APR_ARRAY_IDX(applications, i, idv_application_t);

        json_array_append_new(*answer, application_json(call, application->id,
                                                        application->name,
                                                        application->created));
    }
    return NULL;
}

IDV_COMMAND(idv_command_credits_add)
{
    apr_int64_t bounds[2] = {-CREDITS_MAX, CREDITS_MAX};
    apr_int64_t amount = 0, balance = 0;

    IDV_TRY(idv_call_text(call, "note", IDV_CALL_TEXT_MAX));
    IDV_TRY(idv_call_number(call, "amount", bounds, &amount));
    if (amount == 0)
        return idv_error_param(call->pool, "amount", "Must not be 0.");
    IDV_TRY(idv_ledger_add_credits(call->db, idv_call_option(call, "org"),
                                   amount, idv_call_option(call, "note"),
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

static idv_error_t *list_entries(const idv_call_t *call, int limit,
                                 apr_array_header_t **entries)
{
    idv_error_t *error = idv_ledger_list(
        call->db, idv_call_option(call, "org"),
        idv_call_option(call, "starting-after"), limit, entries, call->pool);

    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(call->pool, "starting-after", "No such entry.");
    return error;
}

IDV_COMMAND(idv_command_credits)
{
    apr_int64_t bounds[2] = {1, ROWS_MAX}, limit = ROWS_SHOWN;
    apr_array_header_t *entries;

    IDV_TRY(idv_call_number(call, "limit", bounds, &limit));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(list_entries(call, (int)limit, &entries));
    *answer = json_array();
    for (int i = 0; i < entries->nelts; i++)
        json_array_append_new(*answer, entry_json(&APR_ARRAY_IDX(
                                           entries, i, idv_ledger_entry_t)));
    return NULL;
}
