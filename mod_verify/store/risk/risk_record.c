/* SPDX-License-Identifier: Apache-2.0 */
#include "store/risk/risk_record.h"

#include <string.h>

/* The hours since 1970 that contain times after SINCE and until NOW, as an
 * array: observations are indexed by hour, so that the index is searched only
 * for equal values. */
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

/* The columns of risk/count.sql: the persons with each identifier, and then: */
enum {
    DEVICE_PERSONS = IDV_RISK_KIND_COUNT,
    IP_FAILED_AGE,
    DEVICE_FAILED_AGE,
    LISTED /* what the lists say of each identifier */
};

static idv_risk_listing_t listing_of(const char *value)
{
    if (!value)
        return IDV_RISK_UNLISTED;
    return strcmp(value, "block") == 0 ? IDV_RISK_BLOCKED : IDV_RISK_ALLOWED;
}

static void read_counts(const idv_db_result_t *rows, const idv_bytes_t *digests,
                        idv_risk_facts_t *facts)
{
    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++) {
        if (digests[i].data)
            facts->seen[i] = idv_db_get_int(rows, 0, i);
        facts->listed[i] = listing_of(idv_db_get_text(rows, 0, LISTED + i));
    }
    if (digests[IDV_RISK_KIND_IP].data)
        facts->ip_failed_age = idv_db_get_bool(rows, 0, IP_FAILED_AGE);
    if (!digests[IDV_RISK_KIND_DEVICE].data)
        return;
    facts->device_persons = idv_db_get_int(rows, 0, DEVICE_PERSONS);
    facts->device_failed_age = idv_db_get_bool(rows, 0, DEVICE_FAILED_AGE);
}

idv_error_t *idv_risk_count(idv_db_t *db, const idv_risk_question_t *question,
                            idv_risk_facts_t *facts, apr_pool_t *pool)
{
    const idv_bytes_t *digests = question->identifiers->digests;
    const idv_bytes_t *listed = question->identifiers->listed;
    const int *limit = question->policy->velocity_limit;
    idv_time_t since =
        question->now - question->policy->velocity_seconds * IDV_SECOND;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_RISK_COUNT,
        IDV_DB_PARAMS(
            idv_db_text(question->scope.organization_id),
            idv_db_bytes(digests[IDV_RISK_KIND_IP]),
            idv_db_bytes(digests[IDV_RISK_KIND_EMAIL]),
            idv_db_bytes(digests[IDV_RISK_KIND_PHONE]),
            idv_db_bytes(digests[IDV_RISK_KIND_DEVICE]), idv_db_int(since),
            hours_between(since, question->now, pool),
            idv_db_int(question->now - question->policy->device_days * IDV_DAY),
            idv_db_bytes(question->identifiers->person),
            idv_db_int(limit[IDV_RISK_KIND_IP]),
            idv_db_int(limit[IDV_RISK_KIND_EMAIL]),
            idv_db_int(limit[IDV_RISK_KIND_PHONE]),
            idv_db_int(limit[IDV_RISK_KIND_DEVICE]),
            idv_db_int(question->now
                       - question->policy->failed_age_ip_days * IDV_DAY),
            idv_db_int(question->now
                       - question->policy->failed_age_device_days * IDV_DAY),
            idv_db_bytes(listed[IDV_RISK_KIND_IP]),
            idv_db_bytes(listed[IDV_RISK_KIND_EMAIL]),
            idv_db_bytes(listed[IDV_RISK_KIND_PHONE]),
            idv_db_bytes(listed[IDV_RISK_KIND_DEVICE]),
            idv_db_bytes(question->identifiers->email_domain),
            idv_db_time(question->now)),
        &rows, pool));
    read_counts(rows, digests, facts);
    return NULL;
}

idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool)
{
    const idv_bytes_t *digests = identifiers->digests;

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
    const idv_scope_lookup_t lookup = {.statement = IDV_SQL_RISK_FIND,
                                       .type = IDV_ID_RISK_ASSESSMENT,
                                       .missing = IDV_E_RESOURCE_MISSING,
                                       .scope = *scope,
                                       .id = id};
    idv_db_result_t *row;

    IDV_TRY(idv_scope_find(db, &lookup, &row, pool));
    *body = idv_db_get_text(row, 0, 0);
    return NULL;
}
