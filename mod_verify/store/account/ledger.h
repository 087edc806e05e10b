/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_LEDGER_H
#define IDV_STORE_ACCOUNT_LEDGER_H

/*
 * The ledger of each organization: credits added or removed by an operator,
 * every counted verification (including free and sandbox ones), and every
 * undone one. A rejection by a review after evidence passed has an entry that
 * counts nothing. domain/account/billing.h decides; this writes.
 *
 * Invariants, each maintained in the transaction of the change:
 *
 * - the amounts of all entries add up to the organization's balance, and each
 *   entry's balance is that of the previous entry plus its amount;
 * - the `verifications` of all entries of a month and kind add up to the
 *   counter in monthly_usage;
 * - a session has at most one entry that counts it and one that undoes it,
 *   enforced by an index.
 *
 * A writer locks the organization's row until the end of the transaction, so
 * entries have positions without gaps, in the order of their commits.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "domain/account/billing.h"
#include "domain/session/session.h"
#include "store/db/lookup.h"

/* Counts the verification of SESSION, which became verified or was cancelled at
 * NOW. Requires a transaction. BORN: at its creation. Errors: those of
 * idv_billing_count(). */
idv_error_t *idv_ledger_count(idv_db_t *db, const idv_session_t *session,
                              int born, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

/* Sets account->under_way to the number of the organization's live sessions
 * that are open and not counted, capped at one above the permitted number to
 * bound the cost. The other members of ACCOUNT must be set. */
idv_error_t *idv_ledger_count_under_way(idv_db_t *db, const char *id,
                                        idv_billing_account_t *account,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Refuses SESSION, written by this transaction at NOW, with billing_suspended
 * if it raises the sessions under way above OVERDRAFT's limit; this rolls the
 * transaction back. Of concurrent creations, each sees those before it. */
idv_error_t *idv_ledger_bound(idv_db_t *db, const idv_session_t *session,
                              apr_int64_t overdraft, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

/* Undoes what was counted for SESSION at its completion. Requires a
 * transaction. */
idv_error_t *idv_ledger_undo(idv_db_t *db, const idv_session_t *session,
                             idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* Records that a review failed SESSION at NOW after evidence had passed.
 * Requires a transaction. */
idv_error_t *idv_ledger_note_rejection(idv_db_t *db,
                                       const idv_session_t *session,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Credits for an organization. */
typedef struct {
    const char *organization_id;
    apr_int64_t amount;
    const char *note;
} idv_ledger_credit_t;

/* Adds AMOUNT credits (negative: removes) to the organization; *BALANCE is
 * the new balance. resource_missing for an unknown organization. */
idv_error_t *idv_ledger_add_credits(idv_db_t *db,
                                    const idv_ledger_credit_t *credit,
                                    apr_int64_t *balance,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The usage of the organization ID in MONTH (see idv_billing_month()); all zero
 * if none. */
idv_error_t *idv_ledger_usage(idv_db_t *db, const char *id, int month,
                              idv_usage_t *usage, apr_pool_t *pool) IDV_CHECKED;

/* The organization's usage in one month. */
typedef struct {
    int month; /* see idv_billing_month() */
    idv_usage_t usage;
} idv_ledger_month_t;

/* Up to LIMIT months with verifications, newest first, an array of
 * idv_ledger_month_t. */
idv_error_t *idv_ledger_months(idv_db_t *db, const char *id, int limit,
                               apr_array_header_t **months,
                               apr_pool_t *pool) IDV_CHECKED;

/* An entry for display. */
typedef struct {
    const char *id;
    const char *kind;          /* a value of idv_ledger_kind_t */
    apr_int64_t verifications; /* number counted by the entry */
    int month;                 /* in which they count; 0: none */
    apr_int64_t amount;        /* credits */
    apr_int64_t balance;       /* credits after the entry */
    const char *note;
    const char *session_id; /* NULL: not about a verification */
    idv_time_t created;
} idv_ledger_entry_t;

/* A page of entries, newest first, an array of idv_ledger_entry_t. A cursor
 * that is not an entry is `parameter_invalid`, because entries are not ordered
 * by id. */
idv_error_t *idv_ledger_list(idv_db_t *db, const idv_page_query_t *query,
                             apr_array_header_t **entries, int *has_more,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
