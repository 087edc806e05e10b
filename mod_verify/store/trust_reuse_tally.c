/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust_reuse_tally.h"

#define DAY_HOURS (IDV_DAY / IDV_HOUR)

/* Whole seconds, one at least, from NOW to the next multiple of UNIT. */
static int seconds_to_next(idv_time_t now, idv_time_t unit)
{
    return (int)((unit - now % unit + IDV_SECOND - 1) / IDV_SECOND);
}

idv_error_t *idv_trust_reuse_ask(idv_db_t *db, const idv_scope_t *scope,
                                 const idv_trust_reuse_limits_t *limits,
                                 idv_time_t now, int *retry_after,
                                 apr_pool_t *pool)
{
    idv_time_t hour = now / IDV_HOUR;
    idv_db_result_t *rows;

    *retry_after = 0;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_REUSE_TALLY_ASK,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_text(scope->application_id), idv_db_int(hour),
                      idv_db_int(hour - hour % DAY_HOURS),
                      idv_db_int(limits->hourly), idv_db_int(limits->daily)),
        &rows, pool));
    if (idv_db_get_bool(rows, 0, 0))
        *retry_after = seconds_to_next(
            now, idv_db_get_bool(rows, 0, 1) ? IDV_DAY : IDV_HOUR);
    return NULL;
}

idv_error_t *idv_trust_reuse_meet(idv_db_t *db, const idv_scope_t *scope,
                                  idv_time_t now, apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_TRUST_REUSE_TALLY_MEET,
                          IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                        idv_db_text(scope->application_id),
                                        idv_db_int(now / IDV_HOUR)),
                          NULL, pool);
}

idv_error_t *idv_trust_reuse_askers(idv_db_t *db, const char *organization_id,
                                    idv_time_t since, int limit,
                                    apr_array_header_t **askers,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_REUSE_TALLY_LIST,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       idv_db_int(since / IDV_HOUR),
                                       idv_db_int(limit)),
                         &rows, pool));
    *askers = apr_array_make(pool, idv_db_rows(rows),
                             sizeof(idv_trust_reuse_asker_t));
    for (int i = 0; i < idv_db_rows(rows); i++) {
        idv_trust_reuse_asker_t *asker = apr_array_push(*askers);

        asker->organization_id = idv_db_get_text(rows, i, 0);
        asker->application_id = idv_db_get_text(rows, i, 1);
        asker->name = idv_db_get_text(rows, i, 2);
        asker->asked = idv_db_get_int(rows, i, 3);
        asker->met = idv_db_get_int(rows, i, 4);
        asker->most_in_an_hour = idv_db_get_int(rows, i, 5);
        asker->last_asked = idv_db_get_int(rows, i, 6) * IDV_HOUR;
    }
    return NULL;
}

idv_error_t *idv_trust_reuse_sums(idv_db_t *db, idv_time_t since,
                                  idv_trust_reuse_sums_t *sums,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_STATISTICS_TRUST_REUSE,
                         IDV_DB_PARAMS(idv_db_int(since / IDV_HOUR)), &rows,
                         pool));
    sums->asked = idv_db_get_int(rows, 0, 0);
    sums->met = idv_db_get_int(rows, 0, 1);
    sums->unmet_most = idv_db_get_int(rows, 0, 2);
    return NULL;
}
