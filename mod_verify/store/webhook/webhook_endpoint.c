/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook/webhook_endpoint.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "domain/webhook/event.h"
#include "store/db/master_key.h"

/* Pending deliveries that a removal ends itself, so that it stays short. */
#define END_BATCH 10000
#define ENDPOINT_DELETED                                                       \
    "{\"code\":\"endpoint_deleted\",\"message\":\"The endpoint was deleted.\"}"

idv_error_t *idv_webhook_secret_seal(const idv_keyring_t *keyring,
                                     const char *endpoint_id,
                                     const char *secret, idv_bytes_t *sealed,
                                     apr_pool_t *pool)
{
    idv_bytes_t plain = {(const unsigned char *)secret, strlen(secret)};

    return idv_keyring_seal(
        keyring, idv_sealed_place(IDV_SEALED_WEBHOOK_SECRET, endpoint_id, pool),
        plain, sealed, pool);
}

idv_error_t *idv_webhook_endpoint_insert(idv_db_t *db,
                                         const char *organization_id,
                                         const idv_webhook_endpoint_t *endpoint,
                                         idv_bytes_t sealed_secret,
                                         apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_execute(db, IDV_SQL_WEBHOOK_ENDPOINT_TAKE_TURNS,
                           IDV_DB_PARAMS(idv_db_text(organization_id)), NULL,
                           pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WEBHOOK_ENDPOINT_CREATE,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(endpoint->id),
                      idv_db_text(endpoint->application_id),
                      idv_db_text(endpoint->name), idv_db_text(endpoint->url),
                      idv_db_text_list(endpoint->enabled_events, pool),
                      idv_db_text(endpoint->description),
                      idv_db_json(endpoint->metadata, pool),
                      idv_db_bytes(sealed_secret),
                      idv_db_time(endpoint->created)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_param(pool, NULL,
                               "An organization has at most %d webhook "
                               "endpoints. Delete one first.",
                               IDV_WEBHOOK_ENDPOINTS_MAX);
    return NULL;
}

static idv_webhook_endpoint_t *read_endpoint(const idv_db_result_t *rows,
                                             int row, apr_pool_t *pool)
{
    idv_webhook_endpoint_t *endpoint = apr_pcalloc(pool, sizeof(*endpoint));

    endpoint->id = idv_db_get_text(rows, row, 0);
    endpoint->application_id = idv_db_get_text(rows, row, 1);
    endpoint->name = idv_db_get_text(rows, row, 2);
    endpoint->url = idv_db_get_text(rows, row, 3);
    endpoint->enabled_events = idv_db_get_texts(rows, row, 4, pool);
    endpoint->status = idv_db_get_text(rows, row, 5);
    endpoint->description = idv_db_get_text(rows, row, 6);
    endpoint->metadata = idv_db_get_json(rows, row, 7, pool);
    endpoint->created = idv_db_get_int(rows, row, 8);
    endpoint->updated = idv_db_get_int(rows, row, 9);
    endpoint->consecutive_failures = (int)idv_db_get_int(rows, row, 10);
    endpoint->failing_since = idv_db_get_int(rows, row, 11);
    endpoint->next_attempt_at = idv_db_get_int(rows, row, 12);
    return endpoint;
}

typedef struct {
    idv_sql_t statement;
    idv_scope_t scope;
    const char *id;
} finding_t;

static idv_error_t *find_by(idv_db_t *db, const finding_t *finding,
                            idv_webhook_endpoint_t **endpoint, apr_pool_t *pool)
{
    const idv_scope_lookup_t lookup = {.statement = finding->statement,
                                       .type = IDV_ID_WEBHOOK_ENDPOINT,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = finding->scope,
                                       .id = finding->id};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, &row, pool));
    *endpoint = read_endpoint(row, 0, pool);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_find(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       idv_webhook_endpoint_t **endpoint,
                                       apr_pool_t *pool)
{
    return find_by(
        db,
        &(const finding_t){.statement = IDV_SQL_WEBHOOK_ENDPOINT_FIND,
                           .scope = *scope,
                           .id = id},
        endpoint, pool);
}

idv_error_t *
idv_webhook_endpoint_find_organization(idv_db_t *db, const char *id,
                                       const char **organization_id,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_ENDPOINT_FIND_ORGANIZATION,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *organization_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_lock(idv_db_t *db, const idv_scope_t *scope,
                                       const char *id,
                                       idv_webhook_endpoint_t **endpoint,
                                       apr_pool_t *pool)
{
    return find_by(
        db,
        &(const finding_t){.statement = IDV_SQL_WEBHOOK_ENDPOINT_LOCK,
                           .scope = *scope,
                           .id = id},
        endpoint, pool);
}

void idv_webhook_endpoint_set_url(idv_webhook_endpoint_t *endpoint,
                                  const char *url)
{
    if (strcmp(url, endpoint->url) == 0)
        return;
    endpoint->url = url;
    endpoint->consecutive_failures = 0;
    endpoint->failing_since = 0;
}

idv_error_t *idv_webhook_endpoint_save(idv_db_t *db,
                                       const char *organization_id,
                                       const idv_webhook_endpoint_t *endpoint,
                                       apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_WEBHOOK_ENDPOINT_SAVE,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(endpoint->id),
                      idv_db_text(endpoint->name), idv_db_text(endpoint->url),
                      idv_db_text_list(endpoint->enabled_events, pool),
                      idv_db_text(endpoint->status),
                      idv_db_text(endpoint->description),
                      idv_db_json(endpoint->metadata, pool),
                      idv_db_int(endpoint->consecutive_failures),
                      idv_db_time(endpoint->failing_since),
                      idv_db_time(endpoint->updated)),
        NULL, pool);
}

idv_error_t *idv_webhook_secret_find(idv_db_t *db,
                                     const idv_webhook_secret_query_t *query,
                                     idv_bytes_t *secret, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_bytes_t sealed;

    IDV_TRY(
        idv_db_query(db, IDV_SQL_WEBHOOK_ENDPOINT_FIND_SECRET,
                     IDV_DB_PARAMS(idv_db_text(query->scope.organization_id),
                                   idv_db_text(query->id)),
                     &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    sealed = idv_db_get_bytes(rows, 0, 0, pool);
    IDV_TRY(idv_keyring_open(
        query->keyring,
        idv_sealed_place(IDV_SEALED_WEBHOOK_SECRET, query->id, pool), sealed,
        secret, pool));
    idv_wipe_with_pool((void *)secret->data, secret->length, pool);
    return NULL;
}

/* Keeps the replaced secret, so that deliveries are also signed with it. */
static idv_error_t *keep_former(idv_db_t *db, const idv_scope_t *scope,
                                const idv_webhook_secret_rotation_t *rotation,
                                idv_bytes_t sealed_former, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_WEBHOOK_ENDPOINT_KEEP_FORMER_SECRET,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(rotation->id), idv_db_bytes(sealed_former),
                      idv_db_time(rotation->now + rotation->overlap)),
        NULL, pool);
}

/* The PRESENT secret of an endpoint, sealed for the row of a former one. */
static idv_error_t *seal_former(const idv_keyring_t *keyring, const char *id,
                                idv_bytes_t present, idv_bytes_t *sealed,
                                apr_pool_t *pool)
{
    return idv_keyring_seal(
        keyring, idv_sealed_place(IDV_SEALED_FORMER_SECRET, id, pool), present,
        sealed, pool);
}

idv_error_t *idv_webhook_secret_rotate(idv_db_t *db,
                                       const idv_keyring_t *keyring,
                                       const idv_scope_t *scope,
                                       idv_webhook_secret_rotation_t *rotation,
                                       apr_pool_t *pool)
{
    idv_bytes_t sealed, present, former = {NULL, 0};

    IDV_TRY(idv_webhook_endpoint_lock(db, scope, rotation->id,
                                      &rotation->endpoint, pool));
    if (rotation->overlap) {
        IDV_TRY(idv_webhook_secret_find(
            db,
            &(const idv_webhook_secret_query_t){
                .keyring = keyring, .scope = *scope, .id = rotation->id},
            &present, pool));
        IDV_TRY(seal_former(keyring, rotation->id, present, &former, pool));
    }
    IDV_TRY(idv_webhook_secret_seal(keyring, rotation->id, rotation->secret,
                                    &sealed, pool));
    rotation->endpoint->updated = rotation->now;
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_WEBHOOK_ENDPOINT_SET_SECRET,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(rotation->id), idv_db_bytes(sealed),
                      idv_db_time(rotation->now)),
        NULL, pool));
    return rotation->overlap ? keep_former(db, scope, rotation, former, pool)
                             : NULL;
}

/* Changes deliveries before their endpoint, because the watchdog locks them in
 * this order when it settles. */
idv_error_t *idv_webhook_endpoint_remove(idv_db_t *db, const idv_scope_t *scope,
                                         const char *id, idv_time_t now,
                                         apr_pool_t *pool)
{
    idv_webhook_endpoint_t *endpoint;
    apr_int64_t removed;

    IDV_TRY(idv_webhook_endpoint_find(db, scope, id, &endpoint, pool));
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_DELIVERY_END_PENDING,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id), idv_db_text(id),
                      idv_db_texts(idv_event_type_values, IDV_EVENT_TYPE_COUNT,
                                   pool),
                      idv_db_int(END_BATCH), idv_db_text(ENDPOINT_DELETED),
                      idv_db_time(now)),
        NULL, pool));
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_WEBHOOK_ENDPOINT_REMOVE,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id), idv_db_text(id),
                      idv_db_text(scope->application_id), idv_db_time(now)),
        &removed, pool));
    return removed ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

idv_error_t *idv_webhook_endpoint_list(idv_db_t *db,
                                       const idv_page_query_t *query,
                                       apr_array_header_t **endpoints,
                                       int *has_more, apr_pool_t *pool)
{
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(&query->cursor, IDV_SQL_WEBHOOK_ENDPOINT_LIST,
                             IDV_SQL_WEBHOOK_ENDPOINT_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(query->scope.organization_id),
            idv_db_text(query->scope.application_id),
            IDV_CURSOR_PARAMS(&query->cursor, IDV_ID_WEBHOOK_ENDPOINT, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, &query->cursor);
    *has_more = page.has_more;
    *endpoints =
        apr_array_make(pool, page.count, sizeof(idv_webhook_endpoint_t *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*endpoints, idv_webhook_endpoint_t *) =
            read_endpoint(rows, idv_cursor_row(&page, i), pool);
    return NULL;
}
