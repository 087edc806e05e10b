/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook_recovery.h"

#include "core/id.h"

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
    recovery->finished_at = idv_db_get_int(rows, row, 12);
    return recovery;
}

idv_error_t *idv_webhook_recovery_create(idv_db_t *db, const char *endpoint_id,
                                         const idv_time_t window[2],
                                         idv_webhook_recovery_t **recovery,
                                         apr_pool_t *pool)
{
    idv_time_t now = idv_time_now();
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_WEBHOOK_RECOVERY_CREATE,
        IDV_DB_PARAMS(idv_db_text(endpoint_id),
                      idv_db_text(idv_id_new(IDV_ID_WEBHOOK_RECOVERY, now,
                                             pool)),
                      idv_db_int(window[0]), idv_db_int(window[1]),
                      idv_db_text(idv_id_bound(IDV_ID_EVENT, window[0], pool)),
                      idv_db_text(idv_id_bound(IDV_ID_EVENT, window[1], pool)),
                      idv_db_time(now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *recovery = read_recovery(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_webhook_recovery_find(idv_db_t *db, const char *id,
                                       idv_webhook_recovery_t **recovery,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_FIND,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *recovery = read_recovery(rows, 0, pool);
    return NULL;
}

idv_error_t *idv_webhook_recovery_list(idv_db_t *db, const char *endpoint_id,
                                       int limit,
                                       apr_array_header_t **recoveries,
                                       apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_LIST,
                         IDV_DB_PARAMS(idv_db_text(endpoint_id),
                                       idv_db_int(limit)),
                         &rows, pool));
    *recoveries =
        apr_array_make(pool, limit, sizeof(idv_webhook_recovery_t *));
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(*recoveries, idv_webhook_recovery_t *) =
            read_recovery(rows, row, pool);
    return NULL;
}

idv_error_t *idv_webhook_recovery_advance(idv_db_t *db, int batch, int *worked,
                                          apr_int64_t *queued, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_WEBHOOK_RECOVERY_ADVANCE,
                         IDV_DB_PARAMS(idv_db_int(idv_time_now()),
                                       idv_db_int(batch)),
                         &rows, pool));
    *worked = idv_db_rows(rows) > 0;
    *queued = *worked ? idv_db_get_int(rows, 0, 0) : 0;
    return NULL;
}
