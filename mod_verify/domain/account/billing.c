/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/billing.h"

#include <apr_strings.h>
#include <apr_time.h>

static const char *const kinds[IDV_LEDGER_KIND_COUNT] = {
#define X(name, value) [IDV_LEDGER_##name] = value,
    IDV_LEDGER_KINDS(X)
#undef X
};

const char *idv_ledger_kind_value(idv_ledger_kind_t kind)
{
    return kinds[kind];
}

apr_int64_t idv_usage_total(const idv_usage_t *usage)
{
    apr_int64_t total = 0;

    for (int i = 0; i < IDV_LEDGER_KIND_COUNT; i++)
        total += usage->counts[i];
    return total;
}

static apr_int64_t free_places(const idv_billing_account_t *account)
{
    apr_int64_t used = account->usage.counts[IDV_LEDGER_FREE];

    return used < account->free_allotment ? account->free_allotment - used : 0;
}

/* --- beginning --- */

static int is_within(const idv_billing_account_t *account,
                     const idv_billing_bounds_t *bounds)
{
    const apr_int64_t *used = account->usage.counts;

    return account->credit_balance >= bounds->balance_from
        && account->free_allotment >= bounds->allotment_from
        && used[IDV_LEDGER_FREE] < bounds->free_before
        && used[IDV_LEDGER_SANDBOX] < bounds->sandbox_before;
}

int idv_billing_is_admitted(const idv_billing_account_t *account, int livemode,
                            idv_billing_bounds_t *bounds)
{
    static const idv_billing_bounds_t anything = {APR_INT64_MIN, APR_INT64_MIN,
                                                  APR_INT64_MAX, APR_INT64_MAX};
    idv_billing_bounds_t quota = anything, credit = anything, place = anything;

    quota.sandbox_before = IDV_SANDBOX_QUOTA;
    credit.balance_from = 1;
    place.balance_from = 0;
    place.allotment_from = account->free_allotment;
    place.free_before = account->free_allotment;
    if (!livemode)
        *bounds = quota;
    else if (is_within(account, &credit))
        *bounds = credit;
    else
        *bounds = place;
    return is_within(account, bounds);
}

apr_int64_t idv_billing_under_way_max(const idv_billing_account_t *account)
{
    apr_int64_t most = account->credit_balance + free_places(account)
                     + account->overdraft;

    return most > 0 ? most : 0;
}

int idv_billing_has_room(const idv_billing_account_t *account, int livemode,
                         apr_int64_t more)
{
    return !livemode
        || account->under_way + more <= idv_billing_under_way_max(account);
}

idv_error_t *idv_billing_bound(const idv_billing_account_t *account,
                               int livemode, apr_int64_t more, apr_pool_t *pool)
{
    apr_int64_t most = idv_billing_under_way_max(account);
    idv_error_t *error;

    if (idv_billing_has_room(account, livemode, more))
        return NULL;
    error = idv_error_new(IDV_E_BILLING_SUSPENDED, pool);
    error->message = apr_psprintf(
        pool,
        "At least %" APR_INT64_T_FMT " sessions are under way, and the credits "
        "and free verifications allow no more. Wait until some end, cancel "
        "those that nobody needs, or add credits.",
        most);
    return error;
}

idv_error_t *idv_billing_admit(const idv_billing_account_t *account,
                               int livemode, int suspended, apr_pool_t *pool)
{
    idv_billing_bounds_t bounds;
    idv_error_t *error;

    if (livemode && suspended)
        return idv_error_new(IDV_E_BILLING_SUSPENDED, pool);
    if (idv_billing_is_admitted(account, livemode, &bounds))
        return idv_billing_bound(account, livemode, 1, pool);
    if (!livemode)
        return idv_error_new(IDV_E_TEST_QUOTA_EXCEEDED, pool);
    error = idv_error_new(IDV_E_BILLING_SUSPENDED, pool);
    error->message = "The free verifications of this month are used up and "
                     "there are no credits.";
    return error;
}

/* --- entries --- */

/* VERIFICATIONS of one kind, or none, for AMOUNT credits. */
static void make_entry(const idv_billing_account_t *account,
                       idv_ledger_kind_t kind, int verifications,
                       apr_int64_t amount, idv_billing_entry_t *entry)
{
    *entry = (idv_billing_entry_t){
        .kind = kind,
        .verifications = verifications,
        .amount = amount,
        .balance = account->credit_balance + amount,
    };
    entry->usage.counts[kind] = verifications;
}

idv_error_t *idv_billing_count(const idv_billing_account_t *account,
                               int livemode, int born,
                               idv_billing_entry_t *entry, apr_pool_t *pool)
{
    idv_ledger_kind_t kind = !livemode                ? IDV_LEDGER_SANDBOX
                           : free_places(account) > 0 ? IDV_LEDGER_FREE
                                                      : IDV_LEDGER_CHARGED;

    make_entry(account, kind, 1, kind == IDV_LEDGER_CHARGED ? -1 : 0, entry);
    return born ? idv_billing_admit(account, livemode, 0, pool) : NULL;
}

/* As what a verification is undone: the first of which there is any. The last
 * ones are for organizations that were or are no longer a sandbox in months
 * that were counted before the ledger told the kinds apart. */
static const idv_ledger_kind_t live_order[] = {
    IDV_LEDGER_CHARGED, IDV_LEDGER_FREE, IDV_LEDGER_SANDBOX};
static const idv_ledger_kind_t sandbox_order[] = {
    IDV_LEDGER_SANDBOX, IDV_LEDGER_FREE, IDV_LEDGER_CHARGED};

int idv_billing_undo(const idv_billing_account_t *account, int livemode,
                     idv_billing_entry_t *entry)
{
    const idv_ledger_kind_t *order = livemode ? live_order : sandbox_order;

    for (size_t i = 0; i < sizeof(live_order) / sizeof(*live_order); i++) {
        if (account->usage.counts[order[i]] <= 0)
            continue;
        make_entry(account, order[i], -1, order[i] == IDV_LEDGER_CHARGED,
                   entry);
        return 1;
    }
    return 0;
}

void idv_billing_note(const idv_billing_account_t *account, int livemode,
                      idv_billing_entry_t *entry)
{
    make_entry(account, livemode ? IDV_LEDGER_FREE : IDV_LEDGER_SANDBOX, 0, 0,
               entry);
}

void idv_billing_add_credits(const idv_billing_account_t *account,
                             apr_int64_t amount, idv_billing_entry_t *entry)
{
    make_entry(account, IDV_LEDGER_CREDITS, 0, amount, entry);
}

int idv_billing_month(idv_time_t now)
{
    apr_time_exp_t parts;

    apr_time_exp_gmt(&parts, apr_time_from_msec(now));
    return (parts.tm_year + 1900) * 100 + parts.tm_mon + 1;
}
