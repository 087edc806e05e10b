/* SPDX-License-Identifier: Apache-2.0 */
#include "store/risk.h"

#include "core/id.h"
#include "store/session_lookup.h"

/* The hours, since 1970, of the times after SINCE until NOW. */
static idv_db_param_t hours_between(idv_time_t since, idv_time_t now,
                                    apr_pool_t *pool)
{
    idv_time_t first = since / IDV_HOUR;
    int count = (int)(now / IDV_HOUR - first) + 1;
    apr_int64_t *hours = apr_palloc(pool, (apr_size_t)count * sizeof(*hours));

    for (int i = 0; i < count; i++)
        hours[i] = first + i;
    return idv_db_ints(hours, count, pool);
}

idv_error_t *idv_risk_count(idv_db_t *db, const idv_scope_t *scope,
                            const idv_risk_identifiers_t *identifiers,
                            const idv_risk_policy_t *policy, idv_time_t now,
                            idv_risk_facts_t *facts, apr_pool_t *pool)
{
    const idv_bytes_t *digests = identifiers->digests;
    const int *limit = policy->velocity_limit;
    idv_time_t since = now - policy->velocity_seconds * IDV_SECOND;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_RISK_COUNT,
        IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                      idv_db_bytes(digests[IDV_RISK_KIND_IP]),
                      idv_db_bytes(digests[IDV_RISK_KIND_EMAIL]),
                      idv_db_bytes(digests[IDV_RISK_KIND_PHONE]),
                      idv_db_bytes(digests[IDV_RISK_KIND_DEVICE]),
                      idv_db_int(since), hours_between(since, now, pool),
                      idv_db_int(now - policy->device_days * IDV_DAY),
                      idv_db_bytes(identifiers->person),
                      idv_db_int(limit[IDV_RISK_KIND_IP]),
                      idv_db_int(limit[IDV_RISK_KIND_EMAIL]),
                      idv_db_int(limit[IDV_RISK_KIND_PHONE]),
                      idv_db_int(limit[IDV_RISK_KIND_DEVICE])),
        &rows, pool));
    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++)
        if (digests[i].data)
            facts->seen[i] = idv_db_get_int(rows, 0, i) + 1;
    if (digests[IDV_RISK_KIND_DEVICE].data)
        facts->device_persons = idv_db_get_int(rows, 0, IDV_RISK_KIND_COUNT)
                              + (identifiers->person.data != NULL);
    return NULL;
}

static idv_error_t *raise_tier(idv_db_t *db, const idv_scope_t *scope,
                               const idv_risk_record_t *record,
                               apr_pool_t *pool)
{
    idv_session_record_t *session;

    if (!record->session_id)
        return NULL;
    IDV_TRY(idv_session_find(db, scope, record->session_id, &session, pool));
    return idv_db_execute(db, IDV_SQL_SESSION_RAISE_RISK_TIER,
                          IDV_DB_PARAMS(idv_db_text(scope->organization_id),
                                        idv_db_text(record->session_id),
                                        idv_db_text(record->tier)),
                          NULL, pool);
}

idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool)
{
    const idv_bytes_t *digests = identifiers->digests;

    IDV_TRY(raise_tier(db, scope, record, pool));
    return idv_db_execute(
        db, IDV_SQL_RISK_INSERT,
        IDV_DB_PARAMS(
            idv_db_text(scope->organization_id), idv_db_text(record->id),
            idv_db_text(scope->application_id), idv_db_text(record->session_id),
            idv_db_text(record->body), idv_db_time(record->created),
            idv_db_bytes(digests[IDV_RISK_KIND_IP]),
            idv_db_bytes(digests[IDV_RISK_KIND_EMAIL]),
            idv_db_bytes(digests[IDV_RISK_KIND_PHONE]),
            idv_db_bytes(digests[IDV_RISK_KIND_DEVICE]),
            idv_db_bytes(identifiers->person),
            idv_db_bool(!idv_db_in_transaction(db))),
        NULL, pool);
}

idv_error_t *idv_risk_find(idv_db_t *db, const idv_scope_t *scope,
                           const char *id, const char **body, apr_pool_t *pool)
{
    static const idv_scope_lookup_t lookup = {
        IDV_SQL_RISK_FIND, IDV_ID_RISK_ASSESSMENT, IDV_E_RESOURCE_MISSING};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, scope, id, &row, pool));
    *body = idv_db_get_text(row, 0, 0);
    return NULL;
}
