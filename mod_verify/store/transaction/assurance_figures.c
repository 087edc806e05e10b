/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/assurance_figures.h"

#include "core/id.h"

static void add_rows(const idv_db_result_t *rows, apr_array_header_t *figures)
{
    for (int row = 0; row < idv_db_rows(rows); row++)
        APR_ARRAY_PUSH(figures, idv_assurance_figure_t) =
            (idv_assurance_figure_t){
                .section = idv_db_get_text(rows, row, 0),
                .figure = idv_db_get_text(rows, row, 1),
                .count = idv_db_get_int(rows, row, 2),
                .total = idv_db_is_null(rows, row, 3)
                           ? -1
                           : idv_db_get_int(rows, row, 3),
            };
}

/* Sessions are counted by their ids, which begin with the time of creation. */
static idv_error_t *count_sessions(idv_db_t *db,
                                   const idv_assurance_query_t *query,
                                   apr_array_header_t *figures,
                                   apr_pool_t *pool)
{
    static const idv_sql_t statements[] = {IDV_SQL_ASSURANCE_SESSIONS,
                                           IDV_SQL_ASSURANCE_DECISIONS,
                                           IDV_SQL_ASSURANCE_REVIEWS};
    const char *lower = idv_id_bound(IDV_ID_SESSION, query->from, pool);
    const char *upper = idv_id_bound(IDV_ID_SESSION, query->before, pool);

    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
        idv_db_result_t *rows;

        IDV_TRY(idv_db_query_planned(
            db, statements[i],
            IDV_DB_PARAMS(idv_db_text(query->organization_id),
                          idv_db_text(lower), idv_db_text(upper)),
            &rows, pool));
        add_rows(rows, figures);
    }
    return NULL;
}

static idv_error_t *count_kept(idv_db_t *db, const idv_assurance_query_t *query,
                               apr_array_header_t *figures, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_ASSURANCE_KEPT,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_time(query->now)),
                         &rows, pool));
    add_rows(rows, figures);
    return NULL;
}

static idv_error_t *count_events(idv_db_t *db,
                                 const idv_assurance_query_t *query,
                                 apr_array_header_t *figures, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query_planned(
        db, IDV_SQL_ASSURANCE_EVENTS,
        IDV_DB_PARAMS(
            idv_db_text(query->organization_id), idv_db_time(query->from),
            idv_db_time(query->before),
            idv_db_text(idv_id_bound(IDV_ID_WEBHOOK_DELIVERY, query->from,
                                     pool)),
            idv_db_text(idv_id_bound(IDV_ID_WEBHOOK_DELIVERY, query->before,
                                     pool))),
        &rows, pool));
    add_rows(rows, figures);
    return NULL;
}

idv_error_t *idv_assurance_figures(idv_db_t *db,
                                   const idv_assurance_query_t *query,
                                   apr_array_header_t **figures,
                                   apr_pool_t *pool)
{
    *figures = apr_array_make(pool, 64, sizeof(idv_assurance_figure_t));
    IDV_TRY(count_sessions(db, query, *figures, pool));
    IDV_TRY(count_kept(db, query, *figures, pool));
    return count_events(db, query, *figures, pool);
}
