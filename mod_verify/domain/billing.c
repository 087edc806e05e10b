/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/billing.h"

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

static int is_free_place_left(const idv_billing_account_t *account)
{
    return account->usage.counts[IDV_LEDGER_FREE] < account->free_allotment;
}

int idv_billing_can_pay(const idv_billing_account_t *account)
{
    return account->credit_balance > 0
        || (account->credit_balance == 0 && is_free_place_left(account));
}

int idv_billing_has_quota(const idv_billing_account_t *account)
{
    return account->usage.counts[IDV_LEDGER_SANDBOX]
         < IDV_SANDBOX_QUOTA_DEFAULT;
}

idv_error_t *idv_billing_count(const idv_billing_account_t *account,
                               int livemode, int born,
                               idv_billing_entry_t *entry, apr_pool_t *pool)
{
    *entry = (idv_billing_entry_t){
        .kind = !livemode                   ? IDV_LEDGER_SANDBOX
              : is_free_place_left(account) ? IDV_LEDGER_FREE
                                            : IDV_LEDGER_CHARGED,
        .verifications = 1,
    };
    if (entry->kind == IDV_LEDGER_CHARGED)
        entry->amount = -1;
    if (born && !livemode && !idv_billing_has_quota(account))
        return idv_error_new(IDV_E_TEST_QUOTA_EXCEEDED, pool);
    if (born && livemode && !idv_billing_can_pay(account))
        return idv_error_new(IDV_E_BILLING_SUSPENDED, pool);
    return NULL;
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
        *entry = (idv_billing_entry_t){
            .kind = order[i],
            .verifications = -1,
            .amount = order[i] == IDV_LEDGER_CHARGED ? 1 : 0,
        };
        return 1;
    }
    return 0;
}

int idv_billing_month(idv_time_t now)
{
    apr_time_exp_t parts;

    apr_time_exp_gmt(&parts, apr_time_from_msec(now));
    return (parts.tm_year + 1900) * 100 + parts.tm_mon + 1;
}
