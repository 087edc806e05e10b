/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_ACCOUNT_LEDGER_H
#define IDV_STORE_ACCOUNT_LEDGER_H

/*
 * The ledger of each organization: credits that an operator adds or takes
 * away, and every verification that is counted, free and sandbox ones too, and
 * every one that is undone. What a review rejected after evidence had passed has
 * an entry that counts nothing. domain/account/billing.h decides; this writes.
 *
 * Always true, and each in one transaction with what it says:
 *
 * - the amounts of all entries add up to the organization's balance, and each
 *   entry's balance is that of the entry before it and its amount;
 * - the `verifications` of all entries of a month and a kind add up to the
 *   counter of monthly_usage;
 * - a session has at most one entry that counts it and one that undoes it,
 *   which an index sees to.
 *
 * Whoever writes locks the organization's row until the end of the
 * transaction, so entries have positions without gaps, in the order in which
 * they were committed.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "domain/account/billing.h"
#include "domain/session/session.h"
#include "store/db/lookup.h"

/* Counts the verification of SESSION, which became verified or was cancelled at
 * NOW; inside of a transaction. BORN: at its creation. Errors:
 * idv_billing_count()'s. */
idv_error_t *idv_ledger_count(idv_db_t *db, const idv_session_t *session,
                              int born, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

/* Sets account->under_way to the number of live sessions of the organization ID
 * that are open and not counted. At most one more is counted than may be under
 * way, so the count costs no more than that; the rest of ACCOUNT has to be
 * filled. */
idv_error_t *idv_ledger_count_under_way(idv_db_t *db, const char *id,
                                        idv_billing_account_t *account,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Refuses SESSION, which this transaction has written at NOW, if more sessions
 * are under way with it than OVERDRAFT allows: billing_suspended, which rolls
 * the transaction back. Of creations that do this at the same time, each sees
 * those before it. */
idv_error_t *idv_ledger_bound(idv_db_t *db, const idv_session_t *session,
                              apr_int64_t overdraft, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

/* Undoes what was counted for SESSION when it was completed; inside of a
 * transaction. */
idv_error_t *idv_ledger_undo(idv_db_t *db, const idv_session_t *session,
                             idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* Notes that a review failed SESSION at NOW after evidence had passed; inside of
 * a transaction. */
idv_error_t *idv_ledger_note_rejection(idv_db_t *db,
                                       const idv_session_t *session,
                                       idv_time_t now,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Adds AMOUNT credits (negative ones take them away) to the organization ID;
 * *BALANCE is what it has after it. resource_missing for an unknown one. */
idv_error_t *idv_ledger_add_credits(idv_db_t *db, const char *id,
                                    apr_int64_t amount, const char *note,
                                    apr_int64_t *balance,
                                    apr_pool_t *pool) IDV_CHECKED;

/* What the organization ID has used in MONTH, as idv_billing_month() numbers
 * it; all zero where there was nothing. */
idv_error_t *idv_ledger_usage(idv_db_t *db, const char *id, int month,
                              idv_usage_t *usage, apr_pool_t *pool) IDV_CHECKED;

/* What the organization has used in one of its months. */
typedef struct {
    int month; /* as idv_billing_month() numbers it */
    idv_usage_t usage;
} idv_ledger_month_t;

/* Up to LIMIT of its months with verifications, newest first, as an array of
 * idv_ledger_month_t. */
idv_error_t *idv_ledger_months(idv_db_t *db, const char *id, int limit,
                               apr_array_header_t **months,
                               apr_pool_t *pool) IDV_CHECKED;

/* An entry as it is shown. */
typedef struct {
    const char *id;
    const char *kind;          /* a value of idv_ledger_kind_t */
    apr_int64_t verifications; /* how many the entry counts */
    int month;                 /* in which they count; 0: none */
    apr_int64_t amount;        /* credits */
    apr_int64_t balance;       /* credits after the entry */
    const char *note;
    const char *session_id; /* NULL: not for one verification */
    idv_time_t created;
} idv_ledger_entry_t;

/* A page of entries, newest first, as an array of idv_ledger_entry_t. A cursor
 * that is no entry is `parameter_invalid`: their order is not that of ids. */
idv_error_t *idv_ledger_list(idv_db_t *db, const char *id,
                             const idv_cursor_t *cursor,
                             apr_array_header_t **entries, int *has_more,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
