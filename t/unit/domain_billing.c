/* SPDX-License-Identifier: Apache-2.0 */
/* What verifications cost, and what is given back. */
#include "unit/unit.h"

#include "domain/account/billing.h"

#define STEPS 20000
#define ALLOTMENT 7

static int is_admitted(const idv_billing_account_t *account, int livemode)
{
    idv_billing_bounds_t bounds;

    return idv_billing_is_admitted(account, livemode, &bounds);
}

static void takes(idv_billing_account_t *account,
                  const idv_billing_entry_t *entry)
{
    for (int i = 0; i < IDV_LEDGER_KIND_COUNT; i++)
        account->usage.counts[i] += entry->usage.counts[i];
    assert_int_equal(entry->usage.counts[entry->kind], entry->verifications);
    assert_int_equal(entry->balance, account->credit_balance + entry->amount);
    account->credit_balance = entry->balance;
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
    assert_true(is_admitted(&account, 1));
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    assert_int_equal(account.credit_balance, 0);
    assert_false(is_admitted(&account, 1));
    counts(&account, 1, IDV_LEDGER_CHARGED, *state);
    assert_int_equal(account.credit_balance, -1);
    account.free_allotment = 3;
    assert_false(is_admitted(&account, 1)); /* in debt */
    account.credit_balance = 0;
    assert_true(is_admitted(&account, 1));
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
    account.usage.counts[IDV_LEDGER_SANDBOX] = IDV_SANDBOX_QUOTA - 1;
    assert_null(idv_billing_count(&account, 0, 1, &entry, *state));
    takes(&account, &entry);
    assert_false(is_admitted(&account, 0));
    assert_int_equal(idv_billing_count(&account, 0, 1, &entry, *state)->code,
                     IDV_E_TEST_QUOTA_EXCEEDED);
    assert_null(idv_billing_count(&account, 0, 0, &entry, *state));
}

static int is_within(const idv_billing_account_t *account,
                     const idv_billing_bounds_t *bounds)
{
    return account->credit_balance >= bounds->balance_from
        && account->free_allotment >= bounds->allotment_from
        && account->usage.counts[IDV_LEDGER_FREE] < bounds->free_before
        && account->usage.counts[IDV_LEDGER_SANDBOX] < bounds->sandbox_before;
}

/* The accounts of all small numbers, and a sandbox around its quota. */
static idv_billing_account_t account_of(int number)
{
    idv_billing_account_t account = {
        .free_allotment = number % 4,
        .credit_balance = number / 4 % 4 - 1,
    };

    account.usage.counts[IDV_LEDGER_FREE] = number / 16 % 4;
    account.usage.counts[IDV_LEDGER_SANDBOX] =
        IDV_SANDBOX_QUOTA - number / 64 % 2;
    return account;
}
#define ACCOUNTS 128

/* A live organization needs a credit, or a free place and no debt; a sandbox
 * what is left of its quota. */
static void admits_who_can_pay_and_nobody_else(void **state)
{
    (void)state;
    for (int i = 0; i < ACCOUNTS; i++) {
        idv_billing_account_t account = account_of(i);

        assert_int_equal(is_admitted(&account, 1),
                         account.credit_balance > 0
                             || (account.credit_balance == 0
                                 && account.usage.counts[IDV_LEDGER_FREE]
                                        < account.free_allotment));
        assert_int_equal(is_admitted(&account, 0),
                         account.usage.counts[IDV_LEDGER_SANDBOX]
                             < IDV_SANDBOX_QUOTA);
    }
}

static void admits_all_within_its_bounds(void **state)
{
    int within = 0;

    (void)state;
    for (int i = 0; i < 2 * ACCOUNTS; i++) {
        idv_billing_account_t account = account_of(i / 2);
        int livemode = i % 2;
        idv_billing_bounds_t bounds;

        if (!idv_billing_is_admitted(&account, livemode, &bounds))
            continue;
        assert_true(is_within(&account, &bounds));
        for (int k = 0; k < ACCOUNTS; k++) {
            idv_billing_account_t other = account_of(k);

            if (!is_within(&other, &bounds))
                continue;
            assert_true(is_admitted(&other, livemode));
            within++;
        }
    }
    assert_true(within > 2 * ACCOUNTS);
}

/* As many sessions may be under way as can be paid for, and the overdraft; then
 * all of them can be counted, and the debt is not more than the overdraft. */
static void bounds_what_is_under_way(void **state)
{
    int bounded = 0;

    for (int i = 0; i < 4 * ACCOUNTS; i++) {
        idv_billing_account_t account = account_of(i / 4);
        idv_billing_entry_t entry;
        idv_error_t *error;

        if (!is_admitted(&account, 1))
            continue;
        account.overdraft = i % 4;
        while (!(error = idv_billing_admit(&account, 1, 0, *state)))
            account.under_way++;
        assert_int_equal(error->code, IDV_E_BILLING_SUSPENDED);
        assert_non_null(strstr(error->message, "sessions are under way"));
        assert_int_equal(account.under_way,
                         idv_billing_under_way_max(&account));
        assert_null(idv_billing_bound(&account, 1, 0, *state));
        assert_null(idv_billing_bound(&account, 0, 1, *state));
        for (; account.under_way > 0; account.under_way--) {
            assert_null(idv_billing_count(&account, 1, 0, &entry, *state));
            takes(&account, &entry);
            assert_true(idv_billing_has_room(&account, 1, -1));
        }
        assert_int_equal(account.credit_balance, -account.overdraft);
        bounded++;
    }
    assert_true(bounded > ACCOUNTS);
}

/* In debt, places become free again without room for more than these. */
static void bounds_debts(void **state)
{
    idv_billing_account_t account = {
        .free_allotment = 1, .credit_balance = -5, .overdraft = 3};

    (void)state;
    assert_int_equal(idv_billing_under_way_max(&account), 0);
    account.free_allotment = 4;
    assert_int_equal(idv_billing_under_way_max(&account), 2);
}

static void refuses_the_suspended_unless_they_are_sandboxes(void **state)
{
    idv_billing_account_t account = {.credit_balance = 1};

    assert_null(idv_billing_admit(&account, 1, 0, *state));
    assert_int_equal(idv_billing_admit(&account, 1, 1, *state)->code,
                     IDV_E_BILLING_SUSPENDED);
    assert_null(idv_billing_admit(&account, 0, 1, *state));
}

static void adds_credits_to_no_month(void **state)
{
    idv_billing_account_t account = {.credit_balance = -2};
    idv_billing_entry_t entry;

    (void)state;
    idv_billing_add_credits(&account, 5, &entry);
    assert_int_equal(entry.kind, IDV_LEDGER_CREDITS);
    assert_int_equal(entry.balance, 3);
    takes(&account, &entry);
    assert_int_equal(idv_usage_total(&account.usage), 0);
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
        pooled_test(admits_who_can_pay_and_nobody_else),
        pooled_test(admits_all_within_its_bounds),
        pooled_test(bounds_what_is_under_way),
        pooled_test(bounds_debts),
        pooled_test(refuses_the_suspended_unless_they_are_sandboxes),
        pooled_test(adds_credits_to_no_month),
        pooled_test(charges_exactly_what_goes_beyond),
        pooled_test(counts_by_months_of_utc),
    };

    return unit_run("domain/billing", tests);
}
