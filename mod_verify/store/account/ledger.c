/* SPDX-License-Identifier: Apache-2.0 */
#include "store/account/ledger.h"

#include "core/id.h"

/* An entry that is to be written behind the last one. */
typedef struct {
    const char *organization_id;
    apr_int64_t amount; /* of credits that an operator adds */
    idv_billing_entry_t change;
    int month;              /* 0: of CREDITS */
    const char *session_id; /* NULL: of CREDITS */
    const char *note;
    idv_time_t now;
} entry_t;

/* The usage of a month, for callers that have locked the organization or only
 * read. */
idv_error_t *idv_ledger_usage(idv_db_t *db, const char *id, int month,
                              idv_usage_t *usage, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *usage = (idv_usage_t){0};
    IDV_TRY(idv_db_query(db, IDV_SQL_LEDGER_USAGE,
                         IDV_DB_PARAMS(idv_db_text(id), idv_db_int(month)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return NULL;
    usage->counts[IDV_LEDGER_FREE] = idv_db_get_int(rows, 0, 0);
    usage->counts[IDV_LEDGER_CHARGED] = idv_db_get_int(rows, 0, 1);
    usage->counts[IDV_LEDGER_SANDBOX] = idv_db_get_int(rows, 0, 2);
    return NULL;
}

/* Locks the organization first and reads its month afterwards, with a separate
 * statement, because a statement that waits for a row still sees other rows as
 * they were before the wait. */
static idv_error_t *lock_account(idv_db_t *db, const char *id, int month,
                                 idv_billing_account_t *account,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *account = (idv_billing_account_t){0};
    IDV_TRY(idv_db_query(db, IDV_SQL_LEDGER_LOCK_ACCOUNT,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    account->free_allotment = idv_db_get_int(rows, 0, 0);
    account->credit_balance = idv_db_get_int(rows, 0, 1);
    return month ? idv_ledger_usage(db, id, month, &account->usage, pool)
                 : NULL;
}

static idv_error_t *append(idv_db_t *db, const entry_t *entry, apr_pool_t *pool)
{
    const idv_billing_entry_t *change = &entry->change;

    return idv_db_execute(
        db, IDV_SQL_LEDGER_APPEND,
        IDV_DB_PARAMS(
            idv_db_text(entry->organization_id),
            idv_db_text(idv_id_new(IDV_ID_LEDGER_ENTRY, entry->now, pool)),
            idv_db_text(idv_ledger_kind_value(change->kind)),
            idv_db_int(change->verifications),
            idv_db_int(change->usage.counts[IDV_LEDGER_FREE]),
            idv_db_int(change->usage.counts[IDV_LEDGER_CHARGED]),
            idv_db_int(change->usage.counts[IDV_LEDGER_SANDBOX]),
            idv_db_int(change->amount), idv_db_int(change->balance),
            entry->month ? idv_db_int(entry->month) : idv_db_null(),
            idv_db_text(entry->note), idv_db_text(entry->session_id),
            idv_db_time(entry->now)),
        NULL, pool);
}

/* --- verifications --- */

static idv_error_t *lock_account_of(idv_db_t *db, const idv_session_t *session,
                                    int month, idv_billing_account_t *account,
                                    apr_pool_t *pool)
{
    idv_error_t *error =
        lock_account(db, session->organization_id, month, account, pool);

    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_internal(pool, "a session without organization");
    return error;
}

/* An entry about SESSION, of the month in which it was verified or, if it never
 * was, ended. */
static entry_t entry_about(const idv_session_t *session, const char *note,
                           idv_time_t now)
{
    return (entry_t){
        .organization_id = session->organization_id,
        .month = idv_billing_month(session->completed_at
                                       ? session->completed_at
                                       : session->ended_at),
        .session_id = session->id,
        .note = note,
        .now = now,
    };
}

idv_error_t *idv_ledger_count(idv_db_t *db, const idv_session_t *session,
                              int born, idv_time_t now, apr_pool_t *pool)
{
    entry_t entry = entry_about(session,
                                session->status == IDV_STATUS_CANCELLED
                                    ? "cancelled after evidence had passed"
                                    : "verification",
                                now);
    idv_billing_account_t account;

    IDV_TRY(lock_account_of(db, session, entry.month, &account, pool));
    IDV_TRY(idv_billing_count(&account, session->livemode, born, &entry.change,
                              pool));
    return append(db, &entry, pool);
}

idv_error_t *idv_ledger_count_under_way(idv_db_t *db, const char *id,
                                        idv_billing_account_t *account,
                                        apr_pool_t *pool)
{
    apr_int64_t most = idv_billing_under_way_max(account);
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_LEDGER_UNDER_WAY,
                         IDV_DB_PARAMS(idv_db_text(id), idv_db_int(most + 1)),
                         &rows, pool));
    account->under_way = idv_db_get_int(rows, 0, 0);
    return NULL;
}

/* The organization is locked after all that a creation writes, as in every
 * other transaction, so no two of them wait for each other. */
idv_error_t *idv_ledger_bound(idv_db_t *db, const idv_session_t *session,
                              apr_int64_t overdraft, idv_time_t now,
                              apr_pool_t *pool)
{
    idv_billing_account_t account;

    IDV_TRY(lock_account_of(db, session, idv_billing_month(now), &account,
                            pool));
    account.overdraft = overdraft;
    IDV_TRY(idv_ledger_count_under_way(db, session->organization_id, &account,
                                       pool));
    return idv_billing_bound(&account, session->livemode, 0, pool);
}

idv_error_t *idv_ledger_undo(idv_db_t *db, const idv_session_t *session,
                             idv_time_t now, apr_pool_t *pool)
{
    entry_t entry = entry_about(session, "verification undone", now);
    idv_billing_account_t account;

    IDV_TRY(lock_account_of(db, session, entry.month, &account, pool));
    if (!idv_billing_undo(&account, session->livemode, &entry.change))
        return NULL;
    return append(db, &entry, pool);
}

idv_error_t *idv_ledger_note_rejection(idv_db_t *db,
                                       const idv_session_t *session,
                                       idv_time_t now, apr_pool_t *pool)
{
    entry_t entry =
        entry_about(session, "rejected after evidence had passed", now);
    idv_billing_account_t account;

    IDV_TRY(lock_account_of(db, session, entry.month, &account, pool));
    idv_billing_note(&account, session->livemode, &entry.change);
    return append(db, &entry, pool);
}

/* --- the operator's --- */

static idv_error_t *add_credits(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    entry_t *entry = baton;
    idv_billing_account_t account;

    IDV_TRY(lock_account(db, entry->organization_id, 0, &account, pool));
    idv_billing_add_credits(&account, entry->amount, &entry->change);
    return append(db, entry, pool);
}

idv_error_t *idv_ledger_add_credits(idv_db_t *db,
                                    const idv_ledger_credit_t *credit,
                                    apr_int64_t *balance, apr_pool_t *pool)
{
    entry_t entry = {
        .organization_id = credit->organization_id,
        .amount = credit->amount,
        .note = credit->note,
        .now = idv_time_now(),
    };

    IDV_TRY(idv_db_transaction(db, add_credits, &entry, pool));
    *balance = entry.change.balance;
    return NULL;
}

/* --- listing --- */

typedef struct {
    const char *organization_id;
    const char *id;     /* of an entry; NULL: none */
    const char *cursor; /* the name of its parameter */
} position_t;

static idv_error_t *find_position(idv_db_t *db, const position_t *named,
                                  idv_db_param_t *position, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *position = idv_db_null();
    if (!named->id)
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_LEDGER_FIND_POSITION,
                         IDV_DB_PARAMS(idv_db_text(named->organization_id),
                                       idv_db_text(named->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_param(pool, named->cursor,
                               "must be the id of a ledger entry.");
    *position = idv_db_int(idv_db_get_int(rows, 0, 0));
    return NULL;
}

static idv_ledger_entry_t entry_in(const idv_db_result_t *rows, int row)
{
    return (idv_ledger_entry_t){
        .id = idv_db_get_text(rows, row, 0),
        .kind = idv_db_get_text(rows, row, 1),
        .verifications = idv_db_get_int(rows, row, 2),
        .month = (int)idv_db_get_int(rows, row, 3),
        .amount = idv_db_get_int(rows, row, 4),
        .balance = idv_db_get_int(rows, row, 5),
        .note = idv_db_get_text(rows, row, 6),
        .session_id = idv_db_get_text(rows, row, 7),
        .created = idv_db_get_int(rows, row, 8),
    };
}

idv_error_t *idv_ledger_list(idv_db_t *db, const idv_page_query_t *query,
                             apr_array_header_t **entries, int *has_more,
                             apr_pool_t *pool)
{
    idv_db_param_t before, after;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(find_position(
        db,
        &(const position_t){.organization_id = query->scope.organization_id,
                            .id = query->cursor.starting_after,
                            .cursor = "starting_after"},
        &before, pool));
    IDV_TRY(find_position(
        db,
        &(const position_t){.organization_id = query->scope.organization_id,
                            .id = query->cursor.ending_before,
                            .cursor = "ending_before"},
        &after, pool));
    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_LEDGER_LIST,
                             IDV_SQL_LEDGER_LIST_NEWER),
        IDV_DB_PARAMS(idv_db_text(query->scope.organization_id), before, after,
                      idv_cursor_limit(&query->cursor)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *entries = apr_array_make(pool, page.count, sizeof(idv_ledger_entry_t));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*entries, idv_ledger_entry_t) =
            entry_in(rows, idv_cursor_row(&page, i));
    return NULL;
}

idv_error_t *idv_ledger_months(idv_db_t *db, const char *id, int limit,
                               apr_array_header_t **months, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_LEDGER_USAGE_OF_MONTHS,
        IDV_DB_PARAMS(idv_db_text(id), idv_db_int(limit)), &rows, pool));
    *months = apr_array_make(pool, limit, sizeof(idv_ledger_month_t));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_ledger_month_t *month = apr_array_push(*months);

        month->month = (int)idv_db_get_int(rows, row, 0);
        month->usage.counts[IDV_LEDGER_FREE] = idv_db_get_int(rows, row, 1);
        month->usage.counts[IDV_LEDGER_CHARGED] = idv_db_get_int(rows, row, 2);
        month->usage.counts[IDV_LEDGER_SANDBOX] = idv_db_get_int(rows, row, 3);
    }
    return NULL;
}
