/* SPDX-License-Identifier: Apache-2.0 */
#include "store/expiry.h"

#include <string.h>

static idv_expiry_state_t state_of(const idv_db_result_t *rows, int row,
                                   idv_expiring_kind_t kind, idv_time_t now)
{
    idv_time_t ends = idv_db_get_int(rows, row, 5);

    return kind == IDV_EXPIRING_LIST
             ? idv_expiry_of_list(idv_db_get_int(rows, row, 4), ends, now)
             : idv_expiry_of_reader(ends, now);
}

idv_error_t *idv_expiring_list(idv_db_t *db, idv_time_t now, int limit,
                               apr_array_header_t **expiring, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_EXPIRY_LIST,
                         IDV_DB_PARAMS(idv_db_time(now + IDV_EXPIRY_LIST_NOTICE),
                                       idv_db_time(now
                                                   + IDV_EXPIRY_READER_NOTICE),
                                       idv_db_int(limit)),
                         &rows, pool));
    *expiring = apr_array_make(pool, 8, sizeof(idv_expiring_t));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_expiring_kind_t kind =
            strcmp(idv_db_get_text(rows, row, 0), "trust_list") == 0
                ? IDV_EXPIRING_LIST
                : IDV_EXPIRING_READER;
        idv_expiry_state_t state = state_of(rows, row, kind, now);

        /* A list that is published often is due later than the query asks. */
        if (state != IDV_EXPIRY_CURRENT)
            APR_ARRAY_PUSH(*expiring, idv_expiring_t) = (idv_expiring_t){
                .kind = kind,
                .organization_id = idv_db_get_text(rows, row, 1),
                .id = idv_db_get_text(rows, row, 2),
                .name = idv_db_get_text(rows, row, 3),
                .ends = idv_db_get_int(rows, row, 5),
                .state = state,
            };
    }
    return NULL;
}
