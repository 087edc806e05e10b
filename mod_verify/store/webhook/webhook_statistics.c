/* SPDX-License-Identifier: Apache-2.0 */
#include "store/webhook/webhook_statistics.h"

/* The columns of statistics.sql behind id, address and name. */
static const char *const numbers[] = {"deliveries", "delivered", "failed",
                                      "pending",    "median_ms", "p95_ms"};

idv_error_t *idv_webhook_statistics(idv_db_t *db, const char *organization_id,
                                    json_t **endpoints, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query_brief(
        db, IDV_SQL_WEBHOOK_ENDPOINT_STATISTICS,
        IDV_DB_PARAMS(idv_db_text(organization_id),
                      idv_db_int(IDV_WEBHOOK_STATISTICS_MAX)),
        &rows, pool));
    *endpoints = json_array();
    for (int row = 0; row < idv_db_rows(rows); row++) {
        json_t *endpoint = json_pack("{s:s, s:s, s:s?}", "id",
                                     idv_db_get_text(rows, row, 0), "url",
                                     idv_db_get_text(rows, row, 1), "name",
                                     idv_db_get_text(rows, row, 2));

        for (int i = 0; i < (int)(sizeof(numbers) / sizeof(*numbers)); i++)
            json_object_set_new(
                endpoint, numbers[i],
                idv_db_is_null(rows, row, 3 + i)
                    ? json_null()
                    : json_integer(
                        (json_int_t)idv_db_get_int(rows, row, 3 + i)));
        json_array_append_new(*endpoints, endpoint);
    }
    return NULL;
}
