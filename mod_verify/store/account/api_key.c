/* SPDX-License-Identifier: Apache-2.0 */
#include "store/account/api_key.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "core/id.h"

/* The one row of api_key/find; its texts are the result's. */
static void read_found(const idv_db_result_t *rows, idv_api_key_t *key,
                       apr_pool_t *pool)
{
    key->id = idv_db_get_text(rows, 0, 0);
    key->organization_id = idv_db_get_text(rows, 0, 1);
    key->application_id = idv_db_get_text(rows, 0, 2);
    key->type = idv_key_type_of_name(idv_db_get_text(rows, 0, 3));
    key->expires = idv_db_get_int(rows, 0, 4);
    key->revoked = idv_db_get_int(rows, 0, 5);
    key->sandbox = idv_db_get_bool(rows, 0, 6);
    key->billing_suspended =
        strcmp(idv_db_get_text(rows, 0, 7), "suspended") == 0;
    key->publishable_create_blocked =
        strcmp(idv_db_get_text(rows, 0, 8), "blocked") == 0;
    key->rate_limit = idv_db_get_int(rows, 0, 9);
    key->scopes = idv_key_scopes_parse(idv_db_get_text(rows, 0, 10), " ", NULL,
                                       pool);
}

static int equal_texts(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

int idv_api_key_equal(const idv_api_key_t *one, const idv_api_key_t *other)
{
    return equal_texts(one->id, other->id)
        && equal_texts(one->organization_id, other->organization_id)
        && equal_texts(one->application_id, other->application_id)
        && one->type == other->type && one->expires == other->expires
        && one->revoked == other->revoked && one->sandbox == other->sandbox
        && one->billing_suspended == other->billing_suspended
        && one->publishable_create_blocked
               == other->publishable_create_blocked
        && one->rate_limit == other->rate_limit
        && one->scopes == other->scopes;
}

static idv_error_t *check_unchanged(void *baton, const idv_db_result_t *rows,
                                    apr_pool_t *pool)
{
    const idv_api_key_t *expected = baton;
    idv_api_key_t key = {0};

    if (idv_db_rows(rows) == 1) {
        read_found(rows, &key, pool);
        if (idv_api_key_equal(&key, expected))
            return NULL;
    }
    return idv_error_new(IDV_E_API_KEY_INVALID, pool);
}

idv_db_guard_t *idv_api_key_guard(const idv_api_key_t *key,
                                  const unsigned char *digest,
                                  apr_pool_t *pool)
{
    idv_db_guard_t *guard = apr_pcalloc(pool, sizeof(*guard));
    const idv_db_param_t param =
        idv_db_bytes((idv_bytes_t){digest, IDV_DIGEST_SIZE});

    guard->statement = IDV_SQL_API_KEY_FIND;
    guard->params =
        (idv_db_params_t){apr_pmemdup(pool, &param, sizeof(param)), 1};
    guard->check = check_unchanged;
    guard->baton = (void *)key;
    return guard;
}

void idv_api_key_guard_params(const idv_db_guard_t *guard,
                              idv_db_param_t *params)
{
    const idv_api_key_t *key = guard->baton;

    *params++ = guard->params.values[0]; /* the digest */
    *params++ = idv_db_text(key->id);
    *params++ = idv_db_text(idv_key_type_name(key->type));
    *params++ = idv_db_time(key->expires);
    *params++ = idv_db_bool(key->sandbox);
    *params++ = idv_db_bool(key->billing_suspended);
    *params++ = idv_db_bool(key->publishable_create_blocked);
    *params++ = key->rate_limit ? idv_db_int(key->rate_limit) : idv_db_null();
}

idv_error_t *idv_api_key_authenticate(idv_db_t *db, const char *text,
                                      idv_time_t now, idv_api_key_t **out,
                                      apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_api_key_t *key = apr_pcalloc(pool, sizeof(*key));
    idv_db_result_t *rows;
    idv_key_type_t type;

    if (!idv_api_key_is_well_formed(text, &type))
        return idv_error_new(IDV_E_API_KEY_INVALID, pool);
    idv_issued_secret_digest(text, digest);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_API_KEY_FIND,
        IDV_DB_PARAMS(idv_db_bytes((idv_bytes_t){digest, sizeof(digest)})),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_API_KEY_INVALID, pool);
    read_found(rows, key, pool);
    if (key->type != type || key->revoked
        || (key->expires && key->expires <= now))
        return idv_error_new(IDV_E_API_KEY_INVALID, pool);
    *out = key;
    return NULL;
}

idv_error_t *idv_api_key_note_use(idv_db_t *db, const idv_api_key_t *key,
                                  idv_time_t now, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_API_KEY_NOTE_USE,
        IDV_DB_PARAMS(idv_db_text(key->organization_id), idv_db_text(key->id),
                      idv_db_time(now),
                      idv_db_time(now - IDV_API_KEY_USE_STEP)),
        NULL, pool);
}

idv_error_t *idv_api_key_create(idv_db_t *db,
                                const idv_api_key_request_t *request,
                                idv_api_key_t **out, const char **text,
                                apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_api_key_t *key = apr_pcalloc(pool, sizeof(*key));
    const char *secret = idv_api_key_new(request->type, pool);
    idv_db_result_t *rows;

    key->created = idv_time_now();
    if (request->expires && request->expires <= key->created)
        return idv_error_param(pool, "expires_at", "must be in the future.");
    idv_issued_secret_digest(secret, digest);
    key->id = idv_id_new(IDV_ID_API_KEY, key->created, pool);
    key->organization_id = request->organization_id;
    key->application_id = request->application_id;
    key->type = request->type;
    key->expires = request->expires;
    key->label = request->label;
    key->scopes = request->type == IDV_KEY_SECRET ? request->scopes
                                                  : IDV_KEY_SCOPES_ALL;
    key->last_characters =
        apr_pstrdup(pool, secret + strlen(secret) - 4);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_API_KEY_CREATE,
        IDV_DB_PARAMS(idv_db_text(key->organization_id), idv_db_text(key->id),
                      idv_db_text(key->application_id),
                      idv_db_text(idv_key_type_name(key->type)),
                      idv_db_bytes((idv_bytes_t){digest, sizeof(digest)}),
                      idv_db_text(key->last_characters),
                      idv_db_time(key->expires), idv_db_time(key->created),
                      idv_db_text(key->label),
                      idv_db_text(idv_key_scopes_text(key->scopes, pool)),
                      idv_db_bool(request->by_admin)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *out = key;
    *text = secret;
    return NULL;
}

static idv_api_key_t *read_key(const idv_db_result_t *rows, int row,
                               apr_pool_t *pool)
{
    idv_api_key_t *key = apr_pcalloc(pool, sizeof(*key));

    key->id = idv_db_get_text(rows, row, 0);
    key->organization_id = idv_db_get_text(rows, row, 1);
    key->application_id = idv_db_get_text(rows, row, 2);
    key->type = idv_key_type_of_name(idv_db_get_text(rows, row, 3));
    key->last_characters = idv_db_get_text(rows, row, 4);
    key->expires = idv_db_get_int(rows, row, 5);
    key->revoked = idv_db_get_int(rows, row, 6);
    key->created = idv_db_get_int(rows, row, 7);
    key->label = idv_db_get_text(rows, row, 8);
    key->last_used = idv_db_get_int(rows, row, 9);
    key->scopes = idv_key_scopes_parse(idv_db_get_text(rows, row, 10), " ",
                                       NULL, pool);
    return key;
}

idv_error_t *idv_api_key_list(idv_db_t *db, const char *organization_id,
                              apr_array_header_t **keys, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_API_KEY_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    *keys = apr_array_make(pool, idv_db_rows(rows), sizeof(idv_api_key_t *));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*keys, idv_api_key_t *) = read_key(rows, row, pool);
    return NULL;
}

idv_error_t *idv_api_key_page(idv_db_t *db, const idv_page_query_t *query,
                              apr_array_header_t **keys, int *has_more,
                              apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_API_KEY_LIST_PAGE,
                             IDV_SQL_API_KEY_LIST_PAGE_NEWER),
        IDV_DB_PARAMS(idv_db_text(query->scope.organization_id),
                      IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_API_KEY, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *keys = apr_array_make(pool, page.count, sizeof(idv_api_key_t *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*keys, idv_api_key_t *) =
            read_key(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

idv_error_t *idv_api_key_revoke(idv_db_t *db, const char *organization_id,
                                const char *id, idv_api_key_t **key,
                                apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_API_KEY_REVOKE,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_text(id),
                                       idv_db_time(idv_time_now())),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *key = read_key(rows, 0, pool);
    return NULL;
}
