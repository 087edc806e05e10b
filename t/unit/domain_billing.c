/* SPDX-License-Identifier: Apache-2.0 */
/* What verifications cost, and what is given back. */
#include "unit/unit.h"

#include "domain/billing.h"

#define STEPS 20000
#define ALLOTMENT 7

static void takes(idv_billing_account_t *account,
                  const idv_billing_entry_t *entry)
{
    account->usage.counts[entry->kind] += entry->verifications;
    account->credit_balance += entry->amount;
}

static void counts(idv_billing_account_t *account, int livemode,
                   idv_ledger_kind_t kind, apr_pool_t *pool)
{
    idv_billing_entry_t entry;

    assert_null(idv_billing_count(account, livemode, 0, &entry, pool));
    assert_int_equal(entry.kind, kind);
    assert_int_equal(entry.verifications, 1);
    assert_int_equal(entry.amount, kind == IDV_LEDGER_CHARGED ? -1 : 0);
    takes(account, &entry);
}

static void undoes(idv_billing_account_t *account, int livemode,
                   idv_ledger_kind_t kind)
{
    idv_billing_entry_t entry;

    assert_true(idv_billing_undo(account, livemode, &entry));
    assert_int_equal(entry.kind, kind);
    assert_int_equal(entry.verifications, -1);
    assert_int_equal(entry.amount, kind == IDV_LEDGER_CHARGED ? 1 : 0);
    takes(account, &entry);
}

static void begins_with_the_allotment(void **state)
{
    idv_billing_account_t account = {.free_allotment = 2, .credit_balance = 1};

    counts(&account, 1, IDV_LEDGER_FREE, *state);
    counts(&account, 1, IDV_LEDGER_FREE, *state);
    assert_true(idv_billing_can_pay(&account));
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    assert_int_equal(account.credit_balance, 0);
    assert_false(idv_billing_can_pay(&account));
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    assert_int_equal(account.credit_balance, -1);
    account.free_allotment = 3;
    assert_false(idv_billing_can_pay(&account)); /* in debt */
    account.credit_balance = 0;
    assert_true(idv_billing_can_pay(&account));
    account.credit_balance = -1;
    counts(&account, 1, IDV_LEDGER_FREE, *state);
    assert_int_equal(idv_usage_total(&account.usage), 5);
}

static void gives_a_credit_back_before_a_place(void **state)
{
    idv_billing_account_t account = {.free_allotment = 1, .credit_balance = 5};
    idv_billing_entry_t entry;

    counts(&account, 1, IDV_LEDGER_FREE, *state);
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    undoes(&account, 1, IDV_LEDGER_CHARGED);
    assert_int_equal(account.credit_balance, 5);
    undoes(&account, 1, IDV_LEDGER_FREE);
    assert_false(idv_billing_undo(&account, 1, &entry));
    assert_int_equal(account.credit_balance, 5);
    counts(&account, 1, IDV_LEDGER_FREE, *state);
}

static void keeps_sandboxes_apart(void **state)
{
    idv_billing_account_t account = {0};

    counts(&account, 0, IDV_LEDGER_SANDBOX, *state);
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    undoes(&account, 0, IDV_LEDGER_SANDBOX);
    undoes(&account, 1, IDV_LEDGER_CHARGED);
    assert_int_equal(account.credit_balance, 0);
    /* counted before the kinds were told apart */
    account.usage.counts[IDV_LEDGER_FREE] = 1;
    undoes(&account, 0, IDV_LEDGER_FREE);
    account.usage.counts[IDV_LEDGER_SANDBOX] = 1;
    undoes(&account, 1, IDV_LEDGER_SANDBOX);
}

static void refuses_the_born_that_nobody_pays(void **state)
{
    idv_billing_account_t account = {.credit_balance = 1};
    idv_billing_entry_t entry;

    assert_null(idv_billing_count(&account, 1, 1, &entry, *state));
    account.credit_balance = 0;
    assert_int_equal(idv_billing_count(&account, 1, 1, &entry, *state)->code,
                     IDV_E_BILLING_SUSPENDED);
    assert_null(idv_billing_count(&account, 1, 0, &entry, *state));
    account.usage.counts[IDV_LEDGER_SANDBOX] = IDV_SANDBOX_QUOTA_DEFAULT - 1;
    assert_null(idv_billing_count(&account, 0, 1, &entry, *state));
    takes(&account, &entry);
    assert_false(idv_billing_has_quota(&account));
    assert_int_equal(idv_billing_count(&account, 0, 1, &entry, *state)->code,
                     IDV_E_TEST_QUOTA_EXCEEDED);
    assert_null(idv_billing_count(&account, 0, 0, &entry, *state));
}

/* Whatever is counted and undone in whichever order: as many are charged as go
 * beyond the allotment, and the balance shows each. */
static void charges_exactly_what_goes_beyond(void **state)
{
    idv_billing_account_t account = {.free_allotment = ALLOTMENT};
    idv_billing_entry_t entry;
    apr_int64_t verified = 0;
    unsigned random = 1;

    for (int i = 0; i < STEPS; i++) {
        random = random * 1103515245u + 12345u;
        if (random >> 16 & 1) {
            assert_null(idv_billing_count(&account, 1, 0, &entry, *state));
            takes(&account, &entry);
            verified++;
        } else if (verified > 0) {
            assert_true(idv_billing_undo(&account, 1, &entry));
            takes(&account, &entry);
            verified--;
        }
        assert_int_equal(idv_usage_total(&account.usage), verified);
        assert_int_equal(account.usage.counts[IDV_LEDGER_CHARGED],
                         verified > ALLOTMENT ? verified - ALLOTMENT : 0);
        assert_int_equal(account.credit_balance,
                         -account.usage.counts[IDV_LEDGER_CHARGED]);
    }
}

static void counts_by_months_of_utc(void **state)
{
    (void)state;
    assert_int_equal(idv_billing_month(1796083199 * IDV_SECOND + 999), 202611);
    assert_int_equal(idv_billing_month(1796083200 * IDV_SECOND), 202612);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(begins_with_the_allotment),
        pooled_test(gives_a_credit_back_before_a_place),
        pooled_test(keeps_sandboxes_apart),
        pooled_test(refuses_the_born_that_nobody_pays),
        pooled_test(charges_exactly_what_goes_beyond),
        pooled_test(counts_by_months_of_utc),
    };

    return unit_run("domain/billing", tests);
}
