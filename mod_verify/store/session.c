/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session.h"

#include <stdlib.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "domain/session_view.h"
#include "store/api_key.h"
#include "store/session_row.h"
#include "store/session_search.h"

#define SECRET_MARK "_secret_"
#define SECRET_BYTES 32
#define SECRET_MAX_LENGTH 256
#define ANSWER_PARAMS 4 /* of the statements of answers, before the key's */

/* --- client secrets --- */

idv_session_record_t
idv_session_record_standing(const idv_session_record_t *record)
{
    static const idv_bytes_t nothing = {NULL, 0};
    idv_session_record_t standing = *record;

    if (!idv_session_email_stands(record->session))
        standing.email_digest = nothing;
    if (!idv_session_phone_stands(record->session))
        standing.phone_digest = nothing;
    return standing;
}

const char *idv_client_secret_new(const char *session_id,
                                  const char *organization_id, apr_pool_t *pool)
{
    const char *organization =
        organization_id + strlen(idv_id_prefix(IDV_ID_ORGANIZATION));
    char *secret = apr_pstrcat(pool, session_id, SECRET_MARK, organization,
                               idv_random_token(SECRET_BYTES, pool), NULL);

    idv_wipe_with_pool(secret, strlen(secret), pool);
    return secret;
}

idv_error_t *idv_client_secret_parse(const char *secret,
                                     const char **session_id,
                                     const char **organization_id,
                                     apr_pool_t *pool)
{
    const char *mark = strstr(secret, SECRET_MARK), *random;

    if (!mark || strlen(secret) > SECRET_MAX_LENGTH)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    random = mark + strlen(SECRET_MARK);
    if (strlen(random) <= IDV_ID_BODY_LENGTH)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    *session_id = apr_pstrmemdup(pool, secret, (apr_size_t)(mark - secret));
    *organization_id =
        apr_pstrcat(pool, idv_id_prefix(IDV_ID_ORGANIZATION),
                    apr_pstrmemdup(pool, random, IDV_ID_BODY_LENGTH), NULL);
    if (!idv_id_is(IDV_ID_SESSION, *session_id)
        || !idv_id_is(IDV_ID_ORGANIZATION, *organization_id))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    return NULL;
}

int idv_client_secret_matches(const idv_session_record_t *record,
                              const char *secret, idv_time_t now)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_sha256(secret, strlen(secret), digest);
    return record->client_secret_digest.length == IDV_DIGEST_SIZE
        && idv_equal_constant_time(record->client_secret_digest.data, digest,
                                   IDV_DIGEST_SIZE)
        && idv_session_secret_usable(record->session, now);
}

/* --- finding and listing --- */

static idv_error_t *find_by(idv_db_t *db, idv_sql_t statement,
                            const idv_scope_t *scope, const char *id,
                            idv_session_record_t **record, apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {statement, IDV_ID_SESSION,
                                       IDV_E_SESSION_NOT_FOUND};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, scope, id, &row, pool));
    return idv_session_row_read(row, 0, record, pool);
}

idv_error_t *idv_session_find(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool)
{
    return find_by(db, IDV_SQL_SESSION_FIND, scope, id, record, pool);
}

/* What the statements of answers have besides $2. */
static void answer_params(const idv_scope_t *scope, const idv_db_guard_t *guard,
                          idv_db_param_t *params)
{
    params[0] = idv_db_text(scope->organization_id);
    params[2] = idv_db_int(IDV_SESSION_TEXT_VERSION);
    params[3] = idv_db_text(scope->application_id);
    idv_api_key_guard_params(guard, params + ANSWER_PARAMS);
}

idv_error_t *idv_session_find_answer(idv_db_t *db, const idv_scope_t *scope,
                                     const idv_db_guard_t *guard,
                                     const char *id, const char **answer,
                                     apr_pool_t *pool)
{
    idv_db_param_t params[ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS];
    idv_session_record_t *record;
    idv_db_result_t *row;

    if (guard && idv_id_is(IDV_ID_SESSION, id)) {
        answer_params(scope, guard, params);
        params[1] = idv_db_text(id);
        IDV_TRY(idv_db_query_guarding(db, IDV_SQL_SESSION_FIND_ANSWER, params,
                                      ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS,
                                      &row, pool));
        *answer = idv_db_rows(row) ? idv_db_get_text(row, 0, 0) : NULL;
        if (*answer)
            return NULL;
    }
    IDV_TRY(idv_session_find(db, scope, id, &record, pool));
    *answer = idv_session_text(record->session, NULL, pool);
    return NULL;
}

idv_error_t *idv_session_authorize(idv_db_t *db, const char *secret,
                                   const char *id, idv_time_t now,
                                   idv_session_record_t **record,
                                   apr_pool_t *pool)
{
    const char *session_id;
    idv_scope_t scope = {0};
    idv_error_t *error;

    IDV_TRY(idv_client_secret_parse(secret, &session_id, &scope.organization_id,
                                    pool));
    if (strcmp(session_id, id) != 0)
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    error = idv_session_find(db, &scope, id, record, pool);
    if (error && error->code != IDV_E_SESSION_NOT_FOUND)
        return error;
    if (error || !idv_client_secret_matches(*record, secret, now))
        return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
    return NULL;
}

idv_error_t *idv_session_lock(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool)
{
    return find_by(db, IDV_SQL_SESSION_LOCK, scope, id, record, pool);
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

/* Whether a list leaves out nothing of the organization's. */
static int is_of_all(const idv_scope_t *scope,
                     const idv_session_filter_t *filter)
{
    return !scope->application_id && !filter->status
        && !filter->client_reference_id && !filter->risk_tier
        && !filter->search;
}

/* By the index of what is asked for. */
static idv_error_t *query_filtered(idv_db_t *db, const idv_scope_t *scope,
                                   const idv_session_filter_t *filter,
                                   idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;

    return idv_db_query_bound(
        db,
        idv_cursor_statement(cursor, IDV_SQL_SESSION_LIST_FILTERED,
                             IDV_SQL_SESSION_LIST_FILTERED_NEWER),
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(scope->application_id),
                      idv_cursor_param(cursor), idv_cursor_limit(cursor),
                      idv_db_text(filter->status),
                      idv_db_text(filter->client_reference_id),
                      idv_db_text(filter->risk_tier)),
        rows, pool);
}

static idv_error_t *query_page(idv_db_t *db, const idv_scope_t *scope,
                               const idv_session_filter_t *filter,
                               idv_db_result_t **rows, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;

    if (filter->search)
        return idv_session_search(db, scope, filter, rows, pool);
    if (!is_of_all(scope, filter))
        return query_filtered(db, scope, filter, rows, pool);
    return idv_db_query(db,
                        idv_cursor_statement(cursor, IDV_SQL_SESSION_LIST,
                                             IDV_SQL_SESSION_LIST_NEWER),
                        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                      idv_cursor_param(cursor),
                                      idv_cursor_limit(cursor)),
                        rows, pool);
}

/* The page by the answers that its rows keep; NULL in *ANSWERS when one of them
 * keeps none that counts, or there are none. */
static idv_error_t *list_kept(idv_db_t *db, const idv_scope_t *scope,
                              const idv_session_answer_filter_t *wanted,
                              apr_array_header_t **answers, int *has_more,
                              apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &wanted->filter->cursor;
    idv_db_param_t params[ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS];
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    answer_params(scope, wanted->guard, params);
    params[1] = idv_cursor_param(cursor);
    IDV_TRY(idv_db_query_guarding(db, IDV_SQL_SESSION_LIST_ANSWERS, params,
                                  ANSWER_PARAMS + IDV_API_KEY_GUARD_PARAMS,
                                  &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *answers = NULL;
    if (page.count == 0)
        return NULL;
    *answers = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++) {
        const char *answer =
            idv_db_get_text(rows, idv_cursor_row(&page, i), 0);

        if (!answer) {
            *answers = NULL;
            return NULL;
        }
        APR_ARRAY_PUSH(*answers, const char *) = answer;
    }
    return NULL;
}

idv_error_t *idv_session_list(idv_db_t *db, const idv_scope_t *scope,
                              const idv_session_filter_t *filter,
                              apr_array_header_t **records, int *has_more,
                              apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(query_page(db, scope, filter, &rows, pool));
    page = idv_cursor_page(rows, &filter->cursor);
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

idv_error_t *
idv_session_list_answers(idv_db_t *db, const idv_scope_t *scope,
                         const idv_session_answer_filter_t *wanted,
                         apr_array_header_t **answers, int *has_more,
                         apr_pool_t *pool)
{
    const idv_session_filter_t *filter = wanted->filter;
    apr_array_header_t *records;

    if (wanted->guard && is_of_all(scope, filter)
        && idv_cursor_is_default(&filter->cursor)) {
        IDV_TRY(list_kept(db, scope, wanted, answers, has_more, pool));
        if (*answers)
            return NULL;
    }
    IDV_TRY(idv_session_list(db, scope, filter, &records, has_more, pool));
    *answers = apr_array_make(pool, records->nelts, sizeof(const char *));
    for (int i = 0; i < records->nelts; i++)
        APR_ARRAY_PUSH(*answers, const char *) = idv_session_text(
            APR_ARRAY_IDX(records, i, idv_session_record_t *)->session, NULL,
            pool);
    return NULL;
}
