/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook/webhook_recovery.h"

#include <string.h>

#include "core/id.h"
#include "store/webhook/webhook_endpoint.h"

/* Maximum untried deliveries of an endpoint before recovery queues no more:
 * some seconds of work for a receiver that answers. Current events are newer,
 * so they follow these and the last batch; advance.sql queues nothing before
 * they are gone. */
#define WAITING_MAX 1000

/* Between two looks at a job that is held, each of which counts so many rows:
 * meanwhile the other jobs step. */
#define LOOK_INTERVAL IDV_SECOND

static idv_webhook_recovery_t *read_recovery(const idv_db_result_t *rows,
                                             int row, apr_pool_t *pool)
{
    idv_webhook_recovery_t *recovery = apr_pcalloc(pool, sizeof(*recovery));

    recovery->id = idv_db_get_text(rows, row, 0);
    recovery->organization_id = idv_db_get_text(rows, row, 1);
    recovery->endpoint_id = idv_db_get_text(rows, row, 2);
    recovery->since = idv_db_get_int(rows, row, 3);
    recovery->until = idv_db_get_int(rows, row, 4);
    recovery->status = idv_db_get_text(rows, row, 5);
    recovery->position = idv_db_get_text(rows, row, 6);
    recovery->events_examined = idv_db_get_int(rows, row, 7);
    recovery->deliveries_requeued = idv_db_get_int(rows, row, 8);
    recovery->deliveries_created = idv_db_get_int(rows, row, 9);
    recovery->created = idv_db_get_int(rows, row, 10);
    recovery->updated = idv_db_get_int(rows, row, 11);
    if (recovery->updated > idv_time_now()) /* held: it is the next look */
        recovery->updated = idv_time_now();
    recovery->finished_at = idv_db_get_int(rows, row, 12);
    recovery->examined_until = idv_db_get_int(rows, row, 13);
    return recovery;
}

/* --- creation --- */

idv_error_t *idv_webhook_recovery_window(apr_int64_t since, apr_int64_t until,
                                         idv_time_t now, idv_time_t window[2],
                                         apr_pool_t *pool)
{
    window[0] = since * IDV_SECOND;
    window[1] = until * IDV_SECOND < now ? until * IDV_SECOND : now;
    if (window[0] >= window[1])
        return idv_error_param(pool, "since",
                               "must be in the past and earlier than `until`.");
    if (window[1] - window[0] > IDV_RECOVERY_DAYS_MAX * IDV_DAY)
        return idv_error_param(pool, "since",
                               "must be at most %d days earlier than `until`.",
                               IDV_RECOVERY_DAYS_MAX);
    return NULL;
}

idv_error_t *
idv_webhook_recovery_create(idv_db_t *db,
                            const idv_webhook_recovery_order_t *order,
                            idv_webhook_recovery_t **recovery, apr_pool_t *pool)
{
    const idv_time_t *window = order->window;
    idv_webhook_endpoint_t *endpoint;
    idv_db_result_t *rows;

    IDV_TRY(idv_webhook_endpoint_lock(db, &order->scope, order->endpoint_id,
                                      &endpoint, pool));
    if (strcmp(endpoint->status, "enabled") != 0)
        return idv_error_new(IDV_E_WEBHOOK_ENDPOINT_DISABLED, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WEBHOOK_RECOVERY_CREATE,
        IDV_DB_PARAMS(idv_db_text(order->scope.organization_id),
                      idv_db_text(endpoint->id),
                      idv_db_text(idv_id_new(IDV_ID_WEBHOOK_RECOVERY,
                                             order->now, pool)),
                      idv_db_int(window[0]), idv_db_int(window[1]),
                      idv_db_text(idv_id_bound(IDV_ID_EVENT, window[0], pool)),
                      idv_db_text(idv_id_bound(IDV_ID_EVENT, window[1], pool)),
                      idv_db_time(order->now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_WEBHOOK_RECOVERY_RUNNING, pool);
    *recovery = read_recovery(rows, 0, pool);
    return NULL;
}

/* --- retrieval and lists --- */

static idv_error_t *read_one(const idv_db_result_t *rows,
                             idv_webhook_recovery_t **recovery,
                             apr_pool_t *pool)
{
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *recovery = read_recovery(rows, 0, pool);
    return NULL;
}

idv_error_t *
idv_webhook_recovery_find(idv_db_t *db,
                          const idv_webhook_recovery_owner_t *owner,
                          const char *id, idv_webhook_recovery_t **recovery,
                          apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WEBHOOK_RECOVERY, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_FIND,
                         IDV_DB_PARAMS(idv_db_text(owner->organization_id),
                                       idv_db_text(owner->endpoint_id),
                                       idv_db_text(id)),
                         &rows, pool));
    return read_one(rows, recovery, pool);
}

idv_error_t *idv_webhook_recovery_find_any(idv_db_t *db, const char *id,
                                           idv_webhook_recovery_t **recovery,
                                           apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_FIND_ANY,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    return read_one(rows, recovery, pool);
}

idv_error_t *
idv_webhook_recovery_list(idv_db_t *db,
                          const idv_webhook_recovery_filter_t *filter,
                          apr_array_header_t **recoveries, int *has_more,
                          apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    IDV_TRY(idv_db_query(
        db,
        idv_cursor_statement(cursor, IDV_SQL_WEBHOOK_RECOVERY_LIST,
                             IDV_SQL_WEBHOOK_RECOVERY_LIST_NEWER),
        IDV_DB_PARAMS(idv_db_text(filter->of.organization_id),
                      idv_db_text(filter->of.endpoint_id),
                      IDV_CURSOR_PARAMS(cursor, IDV_ID_WEBHOOK_RECOVERY, pool)),
        &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *recoveries =
        apr_array_make(pool, page.count, sizeof(idv_webhook_recovery_t *));
    for (int i = 0; i < page.count; i++)
        APR_ARRAY_PUSH(*recoveries, idv_webhook_recovery_t *) =
            read_recovery(page.rows, idv_cursor_row(&page, i), pool);
    return NULL;
}

/* --- progress --- */

idv_error_t *idv_webhook_recovery_advance(idv_db_t *db, int batch, int *worked,
                                          apr_int64_t *queued, apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_ADVANCE,
                         IDV_DB_PARAMS(idv_db_time(now), idv_db_int(batch),
                                       idv_db_int(WAITING_MAX),
                                       idv_db_int(IDV_RECOVERY_DELIVERIES_MAX),
                                       idv_db_time(now + LOOK_INTERVAL)),
                         &rows, pool));
    *worked = idv_db_rows(rows) > 0;
    *queued = *worked ? idv_db_get_int(rows, 0, 0) : 0;
    return NULL;
}
