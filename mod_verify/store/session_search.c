/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session_search.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/id.h"
#include "core/utf8.h"

/* Of fewer characters no trigram tells where else than at the beginning they
 * stand; sql/fragments/session_candidates.sql goes by the same number. */
#define SEARCH_ANYWHERE 3

/* Behind all ids that begin with what stands before it. */
#define ID_LAST "~"

/* What is looked for. */
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
    search->id_end = apr_pstrcat(pool, search->id_lower, ID_LAST, NULL);
}

static idv_error_t *too_broad(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_SEARCH_TOO_BROAD, pool);

    error->param = "search";
    return error;
}

/* The ids of the page, as an array literal. */
static idv_error_t *find_ids(idv_db_t *db, const idv_scope_t *scope,
                             const idv_session_filter_t *filter,
                             const char **ids, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    search_t search = {0};
    idv_db_result_t *row;

    search.reference = make_pattern(
        idv_utf8_length(filter->search) < SEARCH_ANYWHERE ? "" : "%",
        filter->search, pool);
    search_ids(filter->search, &search, pool);

    const idv_db_param_t params[] = {
        idv_db_text(scope->organization_id),
        idv_db_text(scope->application_id),
        idv_cursor_param(cursor),
        idv_cursor_limit(cursor),
        idv_db_text(filter->status),
        idv_db_text(filter->client_reference_id),
        idv_db_text(filter->risk_tier),
        idv_db_text(search.reference),
        idv_db_text(search.id_lower),
        idv_db_text(search.id_end),
        idv_db_text(filter->search),
    };

    IDV_TRY(idv_db_query_brief(
        db,
        idv_cursor_statement(cursor, IDV_SQL_SESSION_SEARCH,
                             IDV_SQL_SESSION_SEARCH_NEWER),
        params, sizeof(params) / sizeof(params[0]), &row, pool));
    if (!idv_db_get_bool(row, 0, 0))
        return too_broad(pool);
    *ids = idv_db_get_text(row, 0, 1);
    return NULL;
}

idv_error_t *idv_session_search(idv_db_t *db, const idv_scope_t *scope,
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
