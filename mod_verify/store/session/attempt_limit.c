/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/attempt_limit.h"

#include "domain/session/reuse_decision.h"

#define DAY_HOURS (IDV_DAY / IDV_HOUR)

/* --- attempts --- */

/* Counts an attempt, exactly under concurrency. An attempt over the limit is
 * not kept. */
static idv_error_t *count_attempt(idv_db_t *db,
                                  const idv_attempt_limit_t *limit,
                                  idv_time_t now, idv_attempt_count_t *count,
                                  apr_pool_t *pool)
{
    const idv_db_param_t params[] = {
        idv_db_text(limit->organization_id),
        idv_db_bytes(limit->digest),
        idv_db_int(now - limit->window),
        idv_db_int(now),
        idv_db_int(limit->limit),
    };
    idv_db_result_t *rows;
    idv_time_t oldest;

    count->retry_after = 0;
    IDV_TRY(idv_db_query(db, IDV_SQL_ATTEMPT_COUNT,
                         (idv_db_params_t){params, 5}, &rows, pool));
    if (idv_db_rows(rows) == 1) {
        count->attempts = (int)idv_db_get_int(rows, 0, 0);
        return NULL;
    }
    count->attempts = limit->limit + 1;
    IDV_TRY(idv_db_query(db, IDV_SQL_ATTEMPT_OLDEST,
                         (idv_db_params_t){params, 3}, &rows, pool));
    oldest = idv_db_rows(rows) ? idv_db_get_int(rows, 0, 0) : now;
    count->retry_after =
        (int)((oldest + limit->window - now + IDV_SECOND - 1) / IDV_SECOND);
    if (count->retry_after < 1)
        count->retry_after = 1;
    return NULL;
}

idv_error_t *idv_attempt_admit(idv_db_t *db, const idv_attempt_limit_t *limit,
                               idv_time_t now, apr_pool_t *pool)
{
    idv_attempt_count_t count;
    idv_error_t *error;

    IDV_TRY(count_attempt(db, limit, now, &count, pool));
    if (count.attempts <= limit->limit)
        return NULL;
    error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);
    error->message = limit->refusal;
    error->retry_after = count.retry_after;
    return error;
}

idv_error_t *idv_accept_existing_count(idv_db_t *db,
                                       const idv_person_query_t *query,
                                       idv_time_t now,
                                       idv_attempt_count_t *count,
                                       apr_pool_t *pool)
{
    const idv_attempt_limit_t limit = {
        .organization_id = query->organization_id,
        .digest = idv_person_query_digest(query),
        .window = IDV_ACCEPT_EXISTING_WINDOW,
        .limit = IDV_ACCEPT_EXISTING_ATTEMPTS_MAX,
    };

    return count_attempt(db, &limit, now, count, pool);
}

/* --- the asking for persons across organizations --- */

/* Whole seconds, one at least, from NOW to the next multiple of UNIT. */
static int seconds_to_next(idv_time_t now, idv_time_t unit)
{
    return (int)((unit - now % unit + IDV_SECOND - 1) / IDV_SECOND);
}

idv_error_t *idv_trust_reuse_ask(idv_db_t *db,
                                 const idv_trust_reuse_lookup_t *lookup,
                                 int *retry_after, apr_pool_t *pool)
{
    idv_time_t hour = lookup->now / IDV_HOUR;
    idv_db_result_t *rows;

    *retry_after = 0;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_REUSE_TALLY_ASK,
        IDV_DB_PARAMS(idv_db_text(lookup->scope.organization_id),
                      idv_db_text(lookup->scope.application_id),
                      idv_db_int(hour), idv_db_int(hour - hour % DAY_HOURS),
                      idv_db_int(lookup->limits->hourly),
                      idv_db_int(lookup->limits->daily)),
        &rows, pool));
    if (idv_db_get_bool(rows, 0, 0))
        *retry_after = seconds_to_next(
            lookup->now, idv_db_get_bool(rows, 0, 1) ? IDV_DAY : IDV_HOUR);
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

idv_error_t *idv_trust_reuse_askers(idv_db_t *db,
                                    const idv_trust_reuse_askers_query_t *query,
                                    apr_array_header_t **askers,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_REUSE_TALLY_LIST,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_int(query->since / IDV_HOUR),
                                       idv_db_int(query->limit)),
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
