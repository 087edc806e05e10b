/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook_delivery.h"

#include "core/id.h"
#include "domain/event.h"

const char *const idv_webhook_delivery_statuses[] = {"pending", "delivered",
                                                     "failed", NULL};

/* How many records of an organization are looked at for each of a page. */
#define NEAR_FACTOR 20

static idv_webhook_delivery_t *read_delivery(const idv_db_result_t *rows,
                                             int row, apr_pool_t *pool)
{
    idv_webhook_delivery_t *delivery = apr_pcalloc(pool, sizeof(*delivery));

    delivery->id = idv_db_get_text(rows, row, 0);
    delivery->endpoint_id = idv_db_get_text(rows, row, 1);
    delivery->event_id = idv_db_get_text(rows, row, 2);
    delivery->event_type = idv_db_get_text(rows, row, 3);
    delivery->status = idv_db_get_text(rows, row, 4);
    delivery->attempt = (int)idv_db_get_int(rows, row, 5);
    delivery->next_attempt_at = idv_db_get_int(rows, row, 6);
    delivery->request_url = idv_db_get_text(rows, row, 7);
    delivery->request_headers = idv_db_get_text(rows, row, 8);
    delivery->body = idv_db_get_text(rows, row, 9);
    delivery->response = idv_db_get_text(rows, row, 10);
    delivery->last_error = idv_db_get_text(rows, row, 11);
    delivery->delivered_at = idv_db_get_int(rows, row, 12);
    delivery->created = idv_db_get_int(rows, row, 13);
    delivery->updated = idv_db_get_int(rows, row, 14);
    return delivery;
}

idv_error_t *idv_webhook_delivery_find(idv_db_t *db,
                                       const idv_webhook_delivery_key_t *key,
                                       idv_webhook_delivery_t **delivery,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WEBHOOK_DELIVERY, key->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_DELIVERY_FIND,
                         IDV_DB_PARAMS(idv_db_text(key->organization_id),
                                       idv_db_text(key->endpoint_id),
                                       idv_db_text(key->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *delivery = read_delivery(rows, 0, pool);
    return NULL;
}

/* The value asked for, or all of them; ALL ends with NULL. */
static idv_db_param_t one_or_all(const char *value, const char *const *all,
                                 apr_pool_t *pool)
{
    return value ? idv_db_texts(&value, 1, pool) : idv_db_text_list(all, pool);
}

static apr_array_header_t *read_page(const idv_cursor_page_t *page,
                                     apr_pool_t *pool)
{
    apr_array_header_t *deliveries =
        apr_array_make(pool, page->count, sizeof(idv_webhook_delivery_t *));

    for (int i = 0; i < page->count; i++)
        APR_ARRAY_PUSH(deliveries, idv_webhook_delivery_t *) =
            read_delivery(page->rows, idv_cursor_row(page, i), pool);
    return deliveries;
}

idv_error_t *idv_webhook_delivery_list(
    idv_db_t *db, const idv_webhook_delivery_filter_t *filter,
    apr_array_header_t **deliveries, int *has_more, apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_DELIVERY_LIST,
                             IDV_SQL_DELIVERY_LIST_NEWER),
        IDV_DB_PARAMS(
            idv_db_text(filter->organization_id),
            idv_db_text(filter->endpoint_id),
            one_or_all(filter->event_type, idv_event_type_values, pool),
            one_or_all(filter->status, idv_webhook_delivery_statuses, pool),
            idv_cursor_param(cursor), idv_cursor_limit(cursor)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *deliveries = read_page(&page, pool);
    return NULL;
}

idv_error_t *
idv_webhook_delivery_list_near(idv_db_t *db, const idv_scope_t *scope,
                               const idv_webhook_delivery_filter_t *filter,
                               apr_array_header_t **deliveries,
                               apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    *deliveries = NULL;
    if (filter->status || filter->event_type || cursor->ending_before
        || !idv_id_is(IDV_ID_WEBHOOK_ENDPOINT, filter->endpoint_id))
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_DELIVERY_LIST_NEAR,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(filter->endpoint_id),
                      idv_cursor_param(cursor), idv_cursor_limit(cursor),
                      idv_db_int(NEAR_FACTOR * (cursor->limit + 1)),
                      idv_db_text(scope->application_id)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    if (page.has_more)
        *deliveries = read_page(&page, pool);
    return NULL;
}

idv_error_t *idv_webhook_delivery_requeue(idv_db_t *db,
                                          const idv_webhook_delivery_key_t *key,
                                          idv_time_t now, apr_pool_t *pool)
{
    apr_int64_t changed;

    if (!idv_id_is(IDV_ID_WEBHOOK_DELIVERY, key->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(
        idv_db_execute(db, IDV_SQL_DELIVERY_REQUEUE,
                       IDV_DB_PARAMS(idv_db_text(key->organization_id),
                                     idv_db_text(key->endpoint_id),
                                     idv_db_text(key->id), idv_db_time(now)),
                       &changed, pool));
    return changed ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}
