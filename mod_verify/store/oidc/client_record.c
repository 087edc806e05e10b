/* SPDX-License-Identifier: Apache-2.0 */
#include "store/oidc/client_record.h"

#include <string.h>

#include "store/oidc/signing_key.h"

/* Columns of fragments/oidc_client_columns.sql. */
enum {
    ID,
    ORGANIZATION_ID,
    WORKFLOW_ID,
    NAME,
    REDIRECT_URIS,
    AUTHENTICATION,
    SECRET_DIGEST,
    JWKS,
    ALGORITHM,
    CREATED_AT,
    UPDATED_AT,
    SCOPE,
    FORMER_SECRET_DIGEST,
    FORMER_SECRET_ENDS_AT
};

static idv_oidc_authentication_t read_authentication(const char *value)
{
    int i = 0;

    while (idv_oidc_authentications[i]
           && strcmp(idv_oidc_authentications[i], value) != 0)
        i++;
    return i;
}

static void read_client(const idv_db_result_t *rows, int row,
                        idv_oidc_client_t *client, apr_pool_t *pool)
{
    const char *keys = idv_db_get_text(rows, row, JWKS);

    client->id = idv_db_get_text(rows, row, ID);
    client->organization_id = idv_db_get_text(rows, row, ORGANIZATION_ID);
    client->workflow_id = idv_db_get_text(rows, row, WORKFLOW_ID);
    client->name = idv_db_get_text(rows, row, NAME);
    client->redirect_uris = idv_db_get_texts(rows, row, REDIRECT_URIS, pool);
    client->authentication =
        read_authentication(idv_db_get_text(rows, row, AUTHENTICATION));
    client->secret_digest = idv_db_get_bytes(rows, row, SECRET_DIGEST, pool);
    client->keys = keys ? idv_json_load(keys, pool) : NULL;
    client->algorithm =
        idv_web_algorithm_parse(idv_db_get_text(rows, row, ALGORITHM));
    client->created = idv_db_get_int(rows, row, CREATED_AT);
    client->updated = idv_db_get_int(rows, row, UPDATED_AT);
    client->scopes = idv_oidc_scopes_parse(idv_db_get_text(rows, row, SCOPE));
    client->former_secret_digest =
        idv_db_get_bytes(rows, row, FORMER_SECRET_DIGEST, pool);
    client->former_secret_ends =
        idv_db_get_int(rows, row, FORMER_SECRET_ENDS_AT);
}

static idv_error_t *no_workflow(apr_pool_t *pool)
{
    return idv_error_param(pool, "workflow_id",
                           "The organization has no such workflow, or it is "
                           "retired.");
}

typedef struct {
    const idv_keyring_t *keyring;
    idv_oidc_client_t *client;
} creation_t;

static idv_error_t *create(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const creation_t *creation = baton;
    idv_oidc_client_t *client = creation->client;
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_CLIENT_CREATE,
        IDV_DB_PARAMS(
            idv_db_text(client->organization_id),
            idv_db_text(idv_id_new(IDV_ID_OIDC_CLIENT, now, pool)),
            idv_db_text(client->workflow_id), idv_db_text(client->name),
            idv_db_text_list(client->redirect_uris, pool),
            idv_db_text(idv_oidc_authentications[client->authentication]),
            idv_db_bytes(client->secret_digest),
            idv_db_json(client->keys, pool),
            idv_db_text(idv_web_algorithm_value(client->algorithm)),
            idv_db_text(idv_oidc_scopes_text(client->scopes, pool)),
            idv_db_time(now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return no_workflow(pool);
    read_client(rows, 0, client, pool);
    return idv_oidc_keys_ensure(db, creation->keyring, now, pool);
}

idv_error_t *idv_oidc_client_create(idv_db_t *db, const idv_keyring_t *keyring,
                                    idv_oidc_client_t *client, apr_pool_t *pool)
{
    creation_t creation = {keyring, client};

    return idv_db_transaction(db, create, &creation, pool);
}

/* The first of ROWS; NULL: there is none. */
static idv_oidc_client_t *read_first(const idv_db_result_t *rows,
                                     apr_pool_t *pool)
{
    idv_oidc_client_t *client;

    if (idv_db_rows(rows) == 0)
        return NULL;
    client = apr_pcalloc(pool, sizeof(*client));
    read_client(rows, 0, client, pool);
    return client;
}

idv_error_t *idv_oidc_client_find(idv_db_t *db, const char *id,
                                  idv_oidc_client_t **client, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *client = NULL;
    if (!idv_id_is(IDV_ID_OIDC_CLIENT, id))
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_OIDC_CLIENT_FIND,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    *client = read_first(rows, pool);
    return NULL;
}

idv_error_t *idv_oidc_client_get(idv_db_t *db, const char *organization_id,
                                 const char *id, idv_oidc_client_t **client,
                                 apr_pool_t *pool)
{
    IDV_TRY(idv_oidc_client_find(db, id, client, pool));
    return *client && strcmp((*client)->organization_id, organization_id) == 0
             ? NULL
             : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

idv_error_t *idv_oidc_client_lock(idv_db_t *db, const char *organization_id,
                                  const char *id, idv_oidc_client_t **client,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_OIDC_CLIENT, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_CLIENT_LOCK,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(id)), &rows,
        pool));
    *client = read_first(rows, pool);
    return *client ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

idv_error_t *idv_oidc_client_page(idv_db_t *db, const idv_page_query_t *query,
                                  apr_array_header_t **clients, int *has_more,
                                  apr_pool_t *pool)
{
    idv_cursor_page_t page;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_OIDC_CLIENT_LIST,
                             IDV_SQL_OIDC_CLIENT_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->scope.organization_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_OIDC_CLIENT, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *clients =
        apr_array_make(pool, page.count + 1, sizeof(idv_oidc_client_t *));
    for (int i = 0; i < page.count; i++) {
        idv_oidc_client_t *client = apr_pcalloc(pool, sizeof(*client));

        read_client(rows, idv_cursor_row(&page, i), client, pool);
        APR_ARRAY_PUSH(*clients, idv_oidc_client_t *) = client;
    }
    *has_more = page.has_more;
    return NULL;
}

idv_error_t *idv_oidc_client_save(idv_db_t *db, idv_oidc_client_t *client,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_CLIENT_SAVE,
        IDV_DB_PARAMS(idv_db_text(client->organization_id),
                      idv_db_text(client->id), idv_db_text(client->workflow_id),
                      idv_db_text(client->name),
                      idv_db_text_list(client->redirect_uris, pool),
                      idv_db_bytes(client->secret_digest),
                      idv_db_bytes(client->former_secret_digest),
                      idv_db_time(client->former_secret_ends),
                      idv_db_json(client->keys, pool),
                      idv_db_text(idv_web_algorithm_value(client->algorithm)),
                      idv_db_text(idv_oidc_scopes_text(client->scopes, pool)),
                      idv_db_time(idv_time_now())),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return no_workflow(pool);
    read_client(rows, 0, client, pool);
    return NULL;
}

idv_error_t *idv_oidc_client_delete(idv_db_t *db, const char *organization_id,
                                    const char *id, apr_pool_t *pool)
{
    apr_int64_t removed;

    IDV_TRY(idv_db_execute(
        db, IDV_SQL_OIDC_CLIENT_REMOVE,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(id)), &removed,
        pool));
    return removed ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}
