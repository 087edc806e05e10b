/* SPDX-License-Identifier: Apache-2.0 */
#include "store/due_session.h"

idv_error_t *idv_due_session_list(idv_db_t *db, idv_due_kind_t kind,
                                  idv_time_t now,
                                  const idv_due_session_t *after, int limit,
                                  apr_array_header_t **sessions,
                                  apr_pool_t *pool)
{
    static const idv_sql_t statements[] = {
        [IDV_DUE_EXPIRY] = IDV_SQL_SESSION_DUE_EXPIRIES,
        [IDV_DUE_REVIEW] = IDV_SQL_SESSION_DUE_REVIEWS,
        [IDV_DUE_CHECKS] = IDV_SQL_SESSION_DUE_CHECKS,
    };
    idv_db_result_t *rows;

    *sessions = apr_array_make(pool, limit, sizeof(idv_due_session_t));
    IDV_TRY(idv_db_query(
        db, statements[kind],
        IDV_DB_PARAMS(idv_db_int(now), idv_db_int(after->due_at),
                      idv_db_text(after->id ? after->id : ""),
                      idv_db_int(limit)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_due_session_t *session = apr_array_push(*sessions);

        session->organization_id = idv_db_get_text(rows, row, 0);
        session->id = idv_db_get_text(rows, row, 1);
        session->due_at = idv_db_get_int(rows, row, 2);
    }
    return NULL;
}
