/* SPDX-License-Identifier: Apache-2.0 */
#include "store/backlog.h"

idv_error_t *idv_backlog_count(idv_db_t *db, int most, idv_backlog_t *backlog,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_STATISTICS_BACKLOG,
                         IDV_DB_PARAMS(idv_db_int(most)), &rows, pool));
    backlog->deliveries_new = idv_db_get_int(rows, 0, 0);
    backlog->deliveries_repeated = idv_db_get_int(rows, 0, 1);
    backlog->analyses = idv_db_get_int(rows, 0, 2);
    backlog->mails = idv_db_get_int(rows, 0, 3);
    return NULL;
}
