/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/usage: verifications by month; …/ledger:
 * each verification and each addition of credits; …/credits: adding credits.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "store/account/ledger.h"
#include "store/account/organization.h"

#define EXPECTED_LENGTH 2000
#define MONTHS 13 /* a year, and the current month */
#define NOTE_MAX 500

static void put_month(idv_json_writer_t *object, int month, apr_pool_t *pool)
{
    idv_json_put_text(
        object, "month",
        month ? apr_psprintf(pool, "%04d-%02d", month / 100, month % 100)
              : NULL);
}

/* --- months --- */

typedef struct {
    const char *organization_id;
    idv_organization_t *organization;
    apr_array_header_t *months;
} account_t;

static idv_error_t *find_account(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    account_t *account = baton;

    IDV_TRY(idv_organization_find(db, account->organization_id,
                                  &account->organization, pool));
    return idv_ledger_months(db, account->organization_id, MONTHS,
                             &account->months, pool);
}

static void write_month(idv_json_writer_t *object,
                        const idv_ledger_month_t *month, apr_pool_t *pool)
{
    const idv_usage_t *usage = &month->usage;

    idv_json_open_object(object, NULL);
    put_month(object, month->month, pool);
    idv_json_put_integer(object, "verifications", idv_usage_total(usage));
    idv_json_put_integer(object, "free", usage->counts[IDV_LEDGER_FREE]);
    idv_json_put_integer(object, "charged", usage->counts[IDV_LEDGER_CHARGED]);
    idv_json_put_integer(object, "sandbox", usage->counts[IDV_LEDGER_SANDBOX]);
    idv_json_close_object(object);
}

idv_error_t *idv_usage_api_retrieve(idv_request_t *request)
{
    account_t account = {.organization_id = request->organization_id};
    idv_json_writer_t object;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find_account, &account));
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "usage");
    idv_json_put_integer(&object, "credit_balance",
                         account.organization->credit_balance);
    idv_json_put_integer(&object, "free_allotment",
                         account.organization->free_allotment);
    put_month(&object, idv_billing_month(request->now), request->pool);
    idv_json_open_array(&object, "months");
    for (int i = 0; i < account.months->nelts; i++)
        write_month(&object,
                    &APR_ARRAY_IDX(account.months, i, idv_ledger_month_t),
                    request->pool);
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

/* --- the ledger --- */

static idv_error_t *read_entries(idv_db_t *db, idv_listing_t *listing,
                                 apr_pool_t *pool)
{
    return idv_ledger_list(
        db,
        &(const idv_page_query_t){
            .scope = {.organization_id = listing->request->organization_id},
            .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_entry(idv_json_writer_t *object, const void *element,
                        apr_pool_t *pool)
{
    const idv_ledger_entry_t *entry = element;

    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", entry->id);
    idv_json_put_text(object, "object", "ledger_entry");
    idv_json_put_text(object, "kind", entry->kind);
    idv_json_put_integer(object, "verifications", entry->verifications);
    put_month(object, entry->month, pool);
    idv_json_put_integer(object, "amount", entry->amount);
    idv_json_put_integer(object, "balance", entry->balance);
    idv_json_put_text(object, "note", entry->note);
    idv_json_put_text(object, "session_id", entry->session_id);
    idv_json_put_seconds(object, "created", entry->created);
    idv_json_close_object(object);
}

idv_error_t *idv_ledger_api_list(idv_request_t *request)
{
    static const idv_list_t entries = {IDV_ID_LEDGER_ENTRY, read_entries,
                                       write_entry};

    return idv_list_respond(request, &entries);
}

/* --- credits --- */

typedef struct {
    apr_int64_t amount;
    const char *note;
} credits_input_t;

static const idv_parameter_t credits_parameters[] = {
    IDV_PARAMETER(INTEGER, credits_input_t, amount, IDV_REQUIRED,
                  -IDV_CREDITS_MAX, IDV_CREDITS_MAX),
    IDV_PARAMETER(STRING, credits_input_t, note, IDV_REQUIRED, 1, NOTE_MAX),
    {0},
};

static idv_error_t *check_credits(void *baton, const char *name,
                                  apr_pool_t *pool)
{
    const credits_input_t *input = baton;

    return strcmp(name, "amount") == 0 && input->amount == 0
             ? idv_error_param(pool, name, "must not be 0.")
             : NULL;
}

typedef struct {
    const char *organization_id;
    credits_input_t input;
} credits_work_t;

static idv_error_t *add(idv_db_t *db, void *baton, const char **answer,
                        apr_pool_t *pool)
{
    const credits_work_t *work = baton;
    apr_int64_t balance;
    idv_json_writer_t object;

    IDV_TRY(idv_ledger_add_credits(
        db,
        &(const idv_ledger_credit_t){.organization_id = work->organization_id,
                                     .amount = work->input.amount,
                                     .note = work->input.note},
        &balance, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "credits");
    idv_json_put_integer(&object, "amount", work->input.amount);
    idv_json_put_integer(&object, "credit_balance", balance);
    idv_json_close_object(&object);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_ledger_api_add_credits(idv_request_t *request)
{
    credits_work_t work = {.organization_id = request->organization_id};
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = add, .baton = &work};

    IDV_TRY(idv_request_parameters(request, credits_parameters, &work.input,
                                   check_credits));
    return idv_write(request, &write);
}
