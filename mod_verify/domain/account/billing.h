/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_BILLING_H
#define IDV_DOMAIN_ACCOUNT_BILLING_H

/*
 * What a verification costs, who may begin one and what is given back: the only
 * place that decides any of it. The store writes each decision as one entry of
 * the ledger, with the counter of the month and the balance, in the transaction
 * of the session that it is about (store/account/ledger.h). Where a statement has to
 * look in the moment in which it writes, it is given numbers to compare with:
 * the bounds below.
 *
 * A live organization pays for a verification with a credit, or with a place of
 * its free allotment while it has no debt; a sandbox has a quota a month and is
 * never billed. A session that was let in finishes, whatever the account is
 * then, so a balance can fall below zero. How far is bounded: a live session is
 * under way while it is open and not counted, and a new one is refused if more of
 * them were under way than the balance and the free places pay for and the
 * overdraft (VerifyCreditOverdraft) adds. Sandboxes have no such bound.
 *
 * A verification is counted once, in the month in which the session became
 * `verified` first: in a sandbox without a price, else in the free allotment
 * of that month, and beyond it for one credit. A session that the customer's
 * server or operator cancels after evidence of a method had passed is counted
 * alike, in the month of the cancel. It stays counted whatever
 * becomes of the session, unless a reviewer rejects it (not the customer's server
 * by a test value of a sandbox, whose quota would be none): then it is undone
 * once, in the month in which it was counted. An undone verification is as if it had
 * never been: while others of that month took credits, one of these moves into
 * the free place, and a credit comes back.
 *
 * Failed verifications are never charged. What a review fails after evidence had
 * passed is an entry that counts nothing.
 *
 * Whether a session is a sandbox's was settled at its creation (`livemode`),
 * whatever its organization has become since.
 *
 * Memory: errors live in the given pool. Threads: pure.
 */
#include "core/clock.h"

/* Verifications that a sandbox has in a month. */
#define IDV_SANDBOX_QUOTA 500

/* The free allotment of a new organization, and the most that it can be. */
#define IDV_FREE_ALLOTMENT_DEFAULT 100
#define IDV_FREE_ALLOTMENT_MAX 1000000000

/* Credits that one entry adds or takes away at most. */
#define IDV_CREDITS_MAX APR_INT64_C(1000000000000)

/* What an entry of the ledger is for. CREDITS are an operator's, bought or
 * taken away; the others are verifications, and name the counter of the month
 * that they change. */
#define IDV_LEDGER_KINDS(X)                                                    \
    X(CREDITS, "credits")                                                      \
    X(FREE, "free")                                                            \
    X(CHARGED, "charged")                                                      \
    X(SANDBOX, "sandbox")

typedef enum {
#define X(name, value) IDV_LEDGER_##name,
    IDV_LEDGER_KINDS(X)
#undef X
    IDV_LEDGER_KIND_COUNT
} idv_ledger_kind_t;

/* The verifications of a month by kind, none of them negative; that of CREDITS
 * stays 0. */
typedef struct {
    apr_int64_t counts[IDV_LEDGER_KIND_COUNT];
} idv_usage_t;

/* An organization, and the month that is looked at or written to. */
typedef struct {
    apr_int64_t free_allotment; /* verifications a month */
    apr_int64_t credit_balance; /* may be below 0 by sessions under way */
    idv_usage_t usage;
    apr_int64_t under_way; /* live sessions, as far as store/account/ledger.h counts */
    apr_int64_t overdraft; /* of them, beyond what can be paid for */
} idv_billing_account_t;

/* What an entry changes. */
typedef struct {
    idv_ledger_kind_t kind;
    int verifications;   /* 1 counted, -1 undone, 0 neither */
    idv_usage_t usage;   /* the same as a change of the month's counters */
    apr_int64_t amount;  /* of credits */
    apr_int64_t balance; /* of credits, after the entry */
} idv_billing_entry_t;

/* Numbers that tell whether an account is still one that a decision is right
 * for: each of them is compared with one number of the account. */
typedef struct {
    apr_int64_t balance_from;   /* credit_balance is not below it */
    apr_int64_t allotment_from; /* nor is free_allotment below this */
    apr_int64_t free_before;    /* the month's FREE are fewer than these */
    apr_int64_t sandbox_before; /* and its SANDBOX fewer than these */
} idv_billing_bounds_t;

/* The value that the ledger shows. */
const char *idv_ledger_kind_value(idv_ledger_kind_t kind);

/* All verifications of a month. */
apr_int64_t idv_usage_total(const idv_usage_t *usage);

/* Non-zero when the organization, a live one or a sandbox, may begin a
 * verification. Then every account within BOUNDS may, without another look. */
int idv_billing_is_admitted(const idv_billing_account_t *account, int livemode,
                            idv_billing_bounds_t *bounds);

/* Live sessions that may be under way at once: if all of them are counted, the
 * balance is not below minus the overdraft. */
apr_int64_t idv_billing_under_way_max(const idv_billing_account_t *account);

/* Non-zero if MORE sessions of the organization may be under way than are
 * already. A sandbox always has room. */
int idv_billing_has_room(const idv_billing_account_t *account, int livemode,
                         apr_int64_t more);

/* Refuses, as billing_suspended, MORE live sessions for which there is no
 * room. */
idv_error_t *idv_billing_bound(const idv_billing_account_t *account,
                               int livemode, apr_int64_t more,
                               apr_pool_t *pool) IDV_CHECKED;

/* Refuses a verification that nobody pays for: billing_suspended of a live
 * organization that an operator has SUSPENDED, that is not admitted or that has
 * no room for one more session, test_quota_exceeded of a sandbox that is not
 * admitted. */
idv_error_t *idv_billing_admit(const idv_billing_account_t *account,
                               int livemode, int suspended,
                               apr_pool_t *pool) IDV_CHECKED;

/* The entry that counts a verification, in the month in which its session
 * became verified. A session that was BORN verified has to be paid for; errors
 * are those of idv_billing_admit(). One that a person has worked through is
 * counted all the same, as its creation was allowed. */
idv_error_t *idv_billing_count(const idv_billing_account_t *account,
                               int livemode, int born,
                               idv_billing_entry_t *entry,
                               apr_pool_t *pool) IDV_CHECKED;

/* The entry that undoes a verification that was counted in the account's month,
 * that in which its session became verified; zero, when that month has none
 * left that it could be. */
int idv_billing_undo(const idv_billing_account_t *account, int livemode,
                     idv_billing_entry_t *entry);

/* The entry that says that a verification was rejected and costs nothing. */
void idv_billing_note(const idv_billing_account_t *account, int livemode,
                      idv_billing_entry_t *entry);

/* The entry by which an operator adds AMOUNT credits, or takes some away; it
 * needs no month. */
void idv_billing_add_credits(const idv_billing_account_t *account,
                             apr_int64_t amount, idv_billing_entry_t *entry);

/* year * 100 + month of NOW in UTC: the billing month. */
int idv_billing_month(idv_time_t now);

#endif
