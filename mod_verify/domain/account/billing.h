/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_BILLING_H
#define IDV_DOMAIN_ACCOUNT_BILLING_H

/*
 * The price of a verification, admission to one, and refunds; no other file
 * decides these. The store writes each decision as one ledger entry, together
 * with the counter of the month and the balance, in the transaction of the
 * session concerned (store/account/ledger.h). A statement that must check at
 * the moment of writing compares with the bounds below.
 *
 * - A live organization pays for a verification with a credit, or with a place
 *   in its free allotment while it has no debt. A sandbox has a monthly quota
 *   and is never billed.
 * - An admitted session can always finish, whatever the account becomes, so a
 *   balance can fall below zero. The debt is bounded: a live session is under
 *   way while it is open and not counted, and a new one is refused if more
 *   would be under way than the balance, the free places and the overdraft
 *   (VerifyCreditOverdraft) cover. Sandboxes have no such bound.
 * - A verification is counted once, in the month in which the session first
 *   became `verified`: in a sandbox without a price, otherwise in the free
 *   allotment of that month, and beyond it for one credit. If the customer's
 *   server or operator cancels a session after evidence of a method passed, the
 *   session is counted in the same way, in the month of the cancellation.
 * - A counted verification stays counted whatever becomes of the session,
 *   unless a reviewer rejects it; then it is undone once, in the month in which
 *   it was counted. (A rejection by the customer's server with a sandbox test
 *   value undoes nothing, or the sandbox would have no quota.) After an undo
 *   the account is as if the verification had never happened: if others of that
 *   month took credits, one of them moves into the free place and a credit is
 *   returned.
 * - Failed verifications are never charged. A session that a review fails after
 *   evidence passed gets an entry that counts nothing.
 * - Whether a session belongs to a sandbox is fixed at its creation
 *   (`livemode`), whatever its organization becomes later.
 *
 * Memory: errors live in the given pool. Threads: pure.
 */
#include "core/clock.h"

/* Verifications per month in a sandbox. */
#define IDV_SANDBOX_QUOTA 500

/* Free allotment of a new organization, and its maximum. */
#define IDV_FREE_ALLOTMENT_DEFAULT 100
#define IDV_FREE_ALLOTMENT_MAX 1000000000

/* Maximum credits that one entry adds or removes. */
#define IDV_CREDITS_MAX APR_INT64_C(1000000000000)

/* Purpose of a ledger entry. CREDITS: added or removed by an operator. The
 * others are verifications and name the monthly counter that they change. */
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

/* Verifications of a month by kind, none negative; the count of CREDITS stays
 * 0. */
typedef struct {
    apr_int64_t counts[IDV_LEDGER_KIND_COUNT];
} idv_usage_t;

/* An organization and the month being read or written. */
typedef struct {
    apr_int64_t free_allotment; /* verifications a month */
    apr_int64_t credit_balance; /* can be below 0, see above */
    idv_usage_t usage;
    apr_int64_t under_way; /* live sessions, as far as store/account/ledger.h counts */
    apr_int64_t overdraft; /* sessions under way beyond what can be paid for */
} idv_billing_account_t;

/* The changes made by an entry. */
typedef struct {
    idv_ledger_kind_t kind;
    int verifications;   /* 1 counted, -1 undone, 0 neither */
    idv_usage_t usage;   /* the change of the monthly counters */
    apr_int64_t amount;  /* in credits */
    apr_int64_t balance; /* in credits, after the entry */
} idv_billing_entry_t;

/* Conditions under which a decision still holds for an account; each is
 * compared with one number of the account. */
typedef struct {
    apr_int64_t balance_from;   /* credit_balance >= this */
    apr_int64_t allotment_from; /* free_allotment >= this */
    apr_int64_t free_before;    /* FREE of the month < this */
    apr_int64_t sandbox_before; /* SANDBOX of the month < this */
} idv_billing_bounds_t;

/* The value shown in the ledger. */
const char *idv_ledger_kind_value(idv_ledger_kind_t kind);

/* All verifications of a month, of every kind. */
apr_int64_t idv_usage_total(const idv_usage_t *usage);

/* Non-zero if the organization, live or sandbox, may start a verification. Then
 * every account within BOUNDS may, without a further check. */
int idv_billing_is_admitted(const idv_billing_account_t *account, int livemode,
                            idv_billing_bounds_t *bounds);

/* How many live sessions may be under way at once: if all are counted, the
 * balance is not below minus the overdraft. */
apr_int64_t idv_billing_under_way_max(const idv_billing_account_t *account);

/* Non-zero if the organization has room for MORE sessions under way. A sandbox
 * always has room. */
int idv_billing_has_room(const idv_billing_account_t *account, int livemode,
                         apr_int64_t more);

/* Refuses MORE live sessions with billing_suspended if there is no room. */
idv_error_t *idv_billing_bound(const idv_billing_account_t *account,
                               int livemode, apr_int64_t more,
                               apr_pool_t *pool) IDV_CHECKED;

/* Refuses an unpaid verification: billing_suspended for a live organization
 * that an operator has SUSPENDED, that is not admitted or that has no room for
 * another session; test_quota_exceeded for a sandbox that is not admitted. */
idv_error_t *idv_billing_admit(const idv_billing_account_t *account,
                               int livemode, int suspended,
                               apr_pool_t *pool) IDV_CHECKED;

/* The entry that counts a verification, in the month in which its session
 * became verified. A session BORN verified must be paid for; errors as in
 * idv_billing_admit(). A session that a person completed is always counted,
 * because its creation was allowed. */
idv_error_t *idv_billing_count(const idv_billing_account_t *account,
                               int livemode, int born,
                               idv_billing_entry_t *entry,
                               apr_pool_t *pool) IDV_CHECKED;

/* The entry that undoes a verification counted in the account's month (the
 * month in which its session became verified). Zero if that month has no
 * verification left to undo. */
int idv_billing_undo(const idv_billing_account_t *account, int livemode,
                     idv_billing_entry_t *entry);

/* The entry for a rejected verification that costs nothing. */
void idv_billing_note(const idv_billing_account_t *account, int livemode,
                      idv_billing_entry_t *entry);

/* The entry with which an operator adds AMOUNT credits (negative: removes). It
 * needs no month. */
void idv_billing_add_credits(const idv_billing_account_t *account,
                             apr_int64_t amount, idv_billing_entry_t *entry);

/* year * 100 + month of NOW in UTC: the billing month. */
int idv_billing_month(idv_time_t now);

#endif
