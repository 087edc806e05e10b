/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_lookup.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "core/utf8.h"
#include "domain/session/session_view.h"
#include "store/account/api_key.h"
#include "store/session/handoff.h"
#include "store/session/session_answer.h"

/* Parameters of the statements of answers, before those of the key. */
#define ANSWER_PARAMS 5

/* The fewest characters of a search that may stand anywhere in a text: fewer
 * make no trigram, and are only looked for at the beginning.
 * sql/fragments/session_candidates.sql uses the same number. */
#define SEARCH_ANYWHERE 3

/* --- finding --- */

typedef struct {
    idv_sql_t statement;
    idv_scope_t scope;
    const char *id;
} finding_t;

static idv_error_t *find_by(idv_db_t *db, const finding_t *finding,
                            idv_session_record_t **record, apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = finding->statement,
                                       .type = IDV_ID_SESSION,
                                       .missing = IDV_E_SESSION_NOT_FOUND,
                                       .scope = finding->scope,
                                       .id = finding->id};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, &row, pool));
    return idv_session_row_read(row, 0, record, pool);
}

idv_error_t *idv_session_find(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool)
{
    return find_by(db,
                   &(const finding_t){.statement = IDV_SQL_SESSION_FIND,
                                      .scope = *scope,
                                      .id = id},
                   record, pool);
}

typedef struct {
    idv_sql_t statement;
    idv_scope_t scope;
    idv_db_param_t id;
} answer_query_t;

/* Runs a statement of answers, which has the condition of READER's guard in
 * itself. NULL in *ROWS: it could not be run together with others. */
static idv_error_t *query_answers(const idv_session_answer_reader_t *reader,
                                  const answer_query_t *query,
                                  idv_db_result_t **rows, apr_pool_t *pool)
{
    idv_db_param_t params[ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS] = {
        idv_db_text(query->scope.organization_id),
        query->id,
        idv_db_int(IDV_SESSION_TEXT_VERSION_LEAST),
        idv_db_int(IDV_SESSION_TEXT_VERSION),
        idv_db_text(query->scope.application_id),
    };
    const idv_statement_call_t call = {
        .statement = query->statement,
        .params = {params, ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS},
        .organization_id = query->scope.organization_id,
        .trace = reader->trace,
    };

    idv_api_key_guard_params(reader->guard, params + ANSWER_PARAMS);
    IDV_TRY(idv_statement_group_run(reader->group, &call, rows, pool));
    if (*rows && idv_db_rows(*rows) > 0)
        reader->guard->passed = 1;
    return NULL;
}

idv_error_t *idv_session_find_answer(const idv_session_answer_reader_t *reader,
                                     const idv_scope_t *scope, const char *id,
                                     const char **answer, apr_pool_t *pool)
{
    const answer_query_t query = {.statement = IDV_SQL_SESSION_FIND_ANSWER,
                                  .scope = *scope,
                                  .id = idv_db_text(id)};
    idv_db_result_t *row;

    *answer = NULL;
    if (!idv_id_is(IDV_ID_SESSION, id))
        return NULL;
    IDV_TRY(query_answers(reader, &query, &row, pool));
    if (row && idv_db_rows(row) > 0)
        *answer =
            idv_session_answer_unpack(idv_db_get_text(row, 0, 0), pool);
    return NULL;
}

static idv_error_t *wrong_secret(apr_pool_t *pool)
{
    return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
}

/* Whether SECRET is that of the phone that took the session of RECORD. */
static idv_error_t *authorize_phone(idv_db_t *db, const char *secret,
                                    idv_time_t now,
                                    idv_session_record_t *record,
                                    apr_pool_t *pool)
{
    const idv_session_t *session = record->session;
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_handoff_phone_t phone;

    if (!session->runner.handoff.phones
        || !idv_session_secret_usable(session, now))
        return wrong_secret(pool);
    IDV_TRY(idv_handoff_phone_find(db, session->organization_id, session->id,
                                   &phone, pool));
    idv_issued_secret_digest(secret, digest);
    if (phone.secret_digest.length != IDV_DIGEST_SIZE
        || !idv_equal_constant_time(phone.secret_digest.data, digest,
                                    IDV_DIGEST_SIZE))
        return wrong_secret(pool);
    record->device.kind = IDV_DEVICE_PHONE;
    record->device.phone = phone.number;
    if (idv_session_has_left_device(session, &record->device))
        return idv_error_new(IDV_E_SESSION_LOCKED_TO_OTHER_DEVICE, pool);
    return idv_handoff_hear(db, session, &phone, now, pool);
}

/* All that can be wrong with a secret is one error, so that nobody learns by it
 * which sessions there are. */
idv_error_t *idv_session_authorize(idv_db_t *db,
                                   const idv_session_claim_t *claim,
                                   idv_session_record_t **record,
                                   apr_pool_t *pool)
{
    const char *session_id;
    idv_scope_t scope = {0};
    idv_error_t *error;

    IDV_TRY(idv_client_secret_parse(claim->secret, &session_id,
                                    &scope.organization_id, pool));
    if (strcmp(session_id, claim->id) != 0)
        return wrong_secret(pool);
    error =
        find_by(db,
                &(const finding_t){.statement = IDV_SQL_SESSION_FIND_OF_PERSON,
                                   .scope = scope,
                                   .id = claim->id},
                record, pool);
    if (error)
        return error->code == IDV_E_SESSION_NOT_FOUND ? wrong_secret(pool)
                                                      : error;
    (*record)->device.kind = IDV_DEVICE_FIRST;
    return idv_client_secret_matches(*record, claim->secret, claim->now)
             ? NULL
             : authorize_phone(db, claim->secret, claim->now, *record, pool);
}

idv_error_t *idv_session_lock(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool)
{
    return find_by(db,
                   &(const finding_t){.statement = IDV_SQL_SESSION_LOCK,
                                      .scope = *scope,
                                      .id = id},
                   record, pool);
}

idv_error_t *idv_session_revision(idv_db_t *db, const idv_scope_t *scope,
                                  const char *id, apr_int64_t *revision,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_SESSION_REVISION,
                         IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                       idv_db_text(id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_SESSION_NOT_FOUND, pool);
    *revision = idv_db_get_int(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_session_find_any(idv_db_t *db, const char *id,
                                  idv_session_record_t **record,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_SESSION_FIND_BY_ID,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_SESSION_NOT_FOUND, pool);
    return idv_session_row_read(rows, 0, record, pool);
}

/* --- searching --- */

/* The text to search for. */
typedef struct {
    const char *reference;         /* pattern */
    const char *id_lower, *id_end; /* the ids between; NULL: none */
} search_t;

/* A pattern that finds TEXT, whatever characters it has, behind BEFORE. */
static const char *make_pattern(const char *before, const char *text,
                                apr_pool_t *pool)
{
    apr_size_t size = strlen(before) + 2 * strlen(text) + 2;
    char *pattern = apr_palloc(pool, size);
    char *end = apr_cpystrn(pattern, before, size);

    for (; *text; text++) {
        if (strchr("%_\\", *text))
            *end++ = '\\';
        *end++ = *text;
    }
    *end++ = '%';
    *end = '\0';
    return pattern;
}

static int begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Non-zero for what a session id may consist of. */
static int may_be_of_id(const char *text)
{
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

static void search_ids(const char *text, search_t *search, apr_pool_t *pool)
{
    const char *prefix = idv_id_prefix(IDV_ID_SESSION);
    char *lower = apr_pstrdup(pool, text);

    for (char *c = lower; *c; c++)
        *c = (char)apr_tolower(*c);
    if (!may_be_of_id(lower))
        return;
    search->id_lower = begins_with(lower, prefix) || begins_with(prefix, lower)
                         ? lower
                         : apr_pstrcat(pool, prefix, lower, NULL);
    search->id_end = apr_pstrcat(pool, search->id_lower, IDV_ID_LAST, NULL);
}

static idv_error_t *too_broad(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_SEARCH_TOO_BROAD, pool);

    error->param = "search";
    return error;
}

static idv_cursor_range_t range_of(const idv_session_filter_t *filter,
                                   apr_pool_t *pool)
{
    return idv_cursor_range(&filter->cursor, IDV_ID_SESSION,
                            filter->created_from, filter->created_before, pool);
}

/* The ids of the page, as an array literal. */
static idv_error_t *find_ids(idv_db_t *db, const idv_scope_t *scope,
                             const idv_session_filter_t *filter,
                             const char **ids, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    const idv_cursor_range_t range = range_of(filter, pool);
    search_t search = {0};
    idv_db_result_t *row;

    search.reference = make_pattern(
        idv_utf8_length(filter->search) < SEARCH_ANYWHERE ? "" : "%",
        filter->search, pool);
    search_ids(filter->search, &search, pool);

    const idv_db_param_t params[] = {
        idv_db_text(scope->organization_id),
        idv_db_text(scope->application_id),
        idv_db_text(range.lower),
        idv_db_text(range.upper),
        idv_cursor_limit(cursor),
        idv_db_text(filter->status),
        idv_db_text(filter->client_reference_id),
        idv_db_text(filter->risk_tier),
        idv_db_text(filter->workflow_id),
        idv_db_text(search.reference),
        idv_db_text(search.id_lower),
        idv_db_text(search.id_end),
        idv_db_text(filter->search),
    };

    IDV_TRY(idv_db_query_brief(
        db,
        idv_cursor_statement(cursor, IDV_SQL_SESSION_SEARCH,
                             IDV_SQL_SESSION_SEARCH_NEWER),
        (idv_db_params_t){params, sizeof(params) / sizeof(params[0])}, &row,
        pool));
    if (!idv_db_get_bool(row, 0, 0))
        return too_broad(pool);
    *ids = idv_db_get_text(row, 0, 1);
    return NULL;
}

/* The rows of a page of a search, one more than the page has when there are
 * more. */
static idv_error_t *query_search(idv_db_t *db, const idv_scope_t *scope,
                                 const idv_session_filter_t *filter,
                                 idv_db_result_t **rows, apr_pool_t *pool)
{
    const char *ids;

    IDV_TRY(find_ids(db, scope, filter, &ids, pool));
    return idv_db_query(
        db, IDV_SQL_SESSION_LIST_FOUND,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id), idv_db_text(ids)),
        rows, pool);
}

/* --- listing --- */

/* Whether a list leaves out nothing of the organization's, except by time. */
static int is_of_all(const idv_scope_t *scope,
                     const idv_session_filter_t *filter)
{
    return !scope->application_id && !filter->status
        && !filter->client_reference_id && !filter->risk_tier
        && !filter->workflow_id && !filter->search;
}

static int is_of_all_time(const idv_session_filter_t *filter)
{
    return !filter->created_from
        && filter->created_before == IDV_LATEST_SECOND * IDV_SECOND;
}

/* A page of the sessions that all given filters let pass, of which there is at
 * least one: by the index of the narrowest, whatever the statistics say. */
static idv_error_t *query_filtered(idv_db_t *db, const idv_scope_t *scope,
                                   const idv_session_filter_t *filter,
                                   idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    const idv_cursor_range_t range = range_of(filter, pool);

    return idv_db_query_bound(
        db,
        idv_cursor_statement(cursor, IDV_SQL_SESSION_LIST_FILTERED,
                             IDV_SQL_SESSION_LIST_FILTERED_NEWER),
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(scope->application_id),
                      idv_db_text(range.lower), idv_db_text(range.upper),
                      idv_cursor_limit(cursor), idv_db_text(filter->status),
                      idv_db_text(filter->client_reference_id),
                      idv_db_text(filter->risk_tier),
                      idv_db_text(filter->workflow_id)),
        rows, pool);
}

static idv_error_t *query_page(idv_db_t *db, const idv_scope_t *scope,
                               const idv_session_filter_t *filter,
                               idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    const idv_cursor_range_t range = range_of(filter, pool);

    if (filter->search)
        return query_search(db, scope, filter, rows, pool);
    if (!is_of_all(scope, filter))
        return query_filtered(db, scope, filter, rows, pool);
    return idv_db_query(db,
                        idv_cursor_statement(cursor, IDV_SQL_SESSION_LIST,
                                             IDV_SQL_SESSION_LIST_NEWER),
                        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                      idv_db_text(range.lower),
                                      idv_db_text(range.upper),
                                      idv_cursor_limit(cursor)),
                        rows, pool);
}

idv_error_t *idv_session_list(idv_db_t *db, const idv_session_query_t *query,
                              apr_array_header_t **records, int *has_more,
                              apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(query_page(db, &query->scope, &query->filter, &rows, pool));
    page = idv_cursor_page(rows, &query->filter.cursor);
    *has_more = page.has_more;
    *records = apr_array_make(pool, page.count, sizeof(idv_session_record_t *));
    for (int i = 0; i < page.count; i++) {
        idv_session_record_t *record;

        IDV_TRY(idv_session_row_read(rows, idv_cursor_row(&page, i), &record,
                                     pool));
        APR_ARRAY_PUSH(*records, idv_session_record_t *) = record;
    }
    return NULL;
}

/* The texts of PAGE; NULL if there are none, or one of them is outdated. */
static apr_array_header_t *unpack_page(const idv_cursor_page_t *page,
                                       apr_pool_t *pool)
{
    apr_array_header_t *answers =
        page->count ? apr_array_make(pool, page->count, sizeof(const char *))
                    : NULL;

    for (int i = 0; i < page->count; i++) {
        const char *answer = idv_session_answer_unpack(
            idv_db_get_text(page->rows, idv_cursor_row(page, i), 0), pool);

        if (!answer)
            return NULL;
        APR_ARRAY_PUSH(answers, const char *) = answer;
    }
    return answers;
}

idv_error_t *idv_session_list_answers(const idv_session_answer_reader_t *reader,
                                      const idv_session_query_t *query,
                                      apr_array_header_t **answers,
                                      int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &query->filter.cursor;
    const answer_query_t statement = {.statement = IDV_SQL_SESSION_LIST_ANSWERS,
                                      .scope = query->scope,
                                      .id = idv_cursor_param(cursor)};
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    *answers = NULL;
    if (!is_of_all(&query->scope, &query->filter)
        || !is_of_all_time(&query->filter) || !idv_cursor_is_default(cursor))
        return NULL;
    IDV_TRY(query_answers(reader, &statement, &rows, pool));
    if (!rows)
        return NULL;
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *answers = unpack_page(&page, pool);
    return NULL;
}

/* --- what is due --- */

idv_error_t *idv_due_session_list(idv_db_t *db,
                                  const idv_due_session_query_t *query,
                                  apr_array_header_t **sessions,
                                  apr_pool_t *pool)
{
    static const idv_sql_t statements[] = {
        [IDV_DUE_EXPIRY] = IDV_SQL_SESSION_DUE_EXPIRIES,
        [IDV_DUE_REVIEW] = IDV_SQL_SESSION_DUE_REVIEWS,
        [IDV_DUE_CHECKS] = IDV_SQL_SESSION_DUE_CHECKS,
        [IDV_DUE_HANDOFF] = IDV_SQL_SESSION_DUE_HANDOFFS,
    };
    idv_db_result_t *rows;

    *sessions = apr_array_make(pool, query->limit, sizeof(idv_due_session_t));
    IDV_TRY(idv_db_query(
        db, statements[query->kind],
        IDV_DB_PARAMS(idv_db_int(query->now), idv_db_int(query->after->due_at),
                      idv_db_text(query->after->id ? query->after->id : ""),
                      idv_db_int(query->limit)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_due_session_t *session = apr_array_push(*sessions);

        session->organization_id = idv_db_get_text(rows, row, 0);
        session->id = idv_db_get_text(rows, row, 1);
        session->due_at = idv_db_get_int(rows, row, 2);
    }
    return NULL;
}
