/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_BILLING_H
#define IDV_DOMAIN_BILLING_H

/*
 * What a verification costs, and what is given back: the only place that
 * decides either. The store writes each decision as one entry of the ledger,
 * with the counter of the month and the balance, in the transaction of the
 * session that it is about (store/ledger.h).
 *
 * A verification is counted once, in the month in which the session became
 * `verified` first: in a sandbox without a price, else in the free allotment
 * of that month, and beyond it for one credit. It stays counted whatever
 * becomes of the session, unless a reviewer rejects it: then it is undone once,
 * in the month in which it was counted. An undone verification is as if it had
 * never been: while others of that month took credits, one of these moves into
 * the free place, and a credit comes back.
 *
 * Whether a session is a sandbox's was settled at its creation (`livemode`),
 * whatever its organization has become since.
 *
 * Memory: errors live in the given pool. Threads: pure.
 */
#include "core/clock.h"

/* Verifications that a sandbox has in a month. */
#define IDV_SANDBOX_QUOTA_DEFAULT 500

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
} idv_billing_account_t;

/* What an entry changes. */
typedef struct {
    idv_ledger_kind_t kind;
    int verifications;  /* 1 counted, -1 undone, 0 of CREDITS */
    apr_int64_t amount; /* of credits */
} idv_billing_entry_t;

/* The value that the ledger shows. */
const char *idv_ledger_kind_value(idv_ledger_kind_t kind);

/* All verifications of a month. */
apr_int64_t idv_usage_total(const idv_usage_t *usage);

/* Non-zero while a live organization may begin a verification: it has a credit,
 * or a place of the free allotment and no debt. */
int idv_billing_can_pay(const idv_billing_account_t *account);

/* Non-zero while a sandbox may begin a verification. */
int idv_billing_has_quota(const idv_billing_account_t *account);

/* The entry that counts a verification. A session that was BORN verified has
 * to be paid for: billing_suspended without a credit, test_quota_exceeded
 * beyond a sandbox's quota. One that a person has worked through is counted all
 * the same, as its creation was allowed. */
idv_error_t *idv_billing_count(const idv_billing_account_t *account,
                               int livemode, int born,
                               idv_billing_entry_t *entry,
                               apr_pool_t *pool) IDV_CHECKED;

/* The entry that undoes a verification that was counted in the account's
 * month; zero, when that month has none left that it could be. */
int idv_billing_undo(const idv_billing_account_t *account, int livemode,
                     idv_billing_entry_t *entry);

/* year * 100 + month of NOW in UTC: the billing month. */
int idv_billing_month(idv_time_t now);

#endif
