/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/mdl_request_record.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "core/word_list.h"
#include "domain/value/issued_secret.h"
#include "store/db/work_queue.h"
#include "store/method/evidence.h"

static const char *const protocols[] = {
#define X(name, value) value,
    IDV_MDL_PROTOCOLS(X)
#undef X
};

static const char *const verdicts[] = {
    [IDV_MDL_VERDICT_NONE] = "",
    [IDV_MDL_VERDICT_ACCEPTED] = "accepted",
    [IDV_MDL_VERDICT_REFUSED] = "refused",
    [IDV_MDL_VERDICT_DECLINED] = "declined",
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

const char *idv_mdl_protocol_value(idv_mdl_protocol_t protocol)
{
    return protocols[protocol];
}

int idv_mdl_protocol_is_link(idv_mdl_protocol_t protocol)
{
    return protocol == IDV_MDL_PROTOCOL_REDIRECT
        || protocol == IDV_MDL_PROTOCOL_AGE_APP;
}

idv_mdl_protocol_t idv_mdl_protocol_parse(const char *value)
{
    int found = idv_word_find(protocols, COUNT(protocols), value);

    return found < 0 ? IDV_MDL_PROTOCOL_NONE : found;
}

static idv_error_t *missing(apr_pool_t *pool)
{
    return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* --- handles --- */

const char *idv_mdl_handle(const char *organization_id, const char *id,
                           apr_pool_t *pool)
{
    return apr_pstrcat(
        pool, id, "_",
        organization_id + strlen(idv_id_prefix(IDV_ID_ORGANIZATION)), NULL);
}

idv_error_t *idv_mdl_handle_parse(const char *handle,
                                  const char **organization_id, const char **id,
                                  apr_pool_t *pool)
{
    const char *separator = strrchr(handle, '_');

    if (!separator)
        return missing(pool);
    *id = apr_pstrmemdup(pool, handle, (apr_size_t)(separator - handle));
    *organization_id = apr_pstrcat(pool, idv_id_prefix(IDV_ID_ORGANIZATION),
                                   separator + 1, NULL);
    return idv_id_is(IDV_ID_MDL_REQUEST, *id)
                && idv_id_is(IDV_ID_ORGANIZATION, *organization_id)
             ? NULL
             : missing(pool);
}

/* --- asking --- */

/* A sealed request is bound to its form, so that it does not open as
 * another. */
static const char *sealed_name(const idv_mdl_request_record_t *record,
                               apr_pool_t *pool)
{
    return apr_pstrcat(pool, record->id, ":", protocols[record->protocol],
                       NULL);
}

idv_error_t *idv_mdl_request_keep(idv_db_t *db,
                                  const idv_mdl_request_place_t *place,
                                  const idv_mdl_request_record_t *record,
                                  const idv_mdl_request_t *request,
                                  apr_pool_t *pool)
{
    const char *text;
    apr_size_t length;
    idv_bytes_t sealed;

    IDV_TRY(idv_mdl_request_write(request, &text, &length, pool));
    IDV_TRY(idv_evidence_seal(
        db,
        &(const idv_evidence_place_t){.keyring = place->keyring,
                                      .session = place->session,
                                      .name = sealed_name(record, pool)},
        (idv_bytes_t){(const unsigned char *)text, length}, &sealed, pool));
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_MDL_REQUEST_FORGET_OLD,
        IDV_DB_PARAMS(SESSION_PARAMS(place->session), idv_db_text(record->id),
                      idv_db_int(IDV_MDL_REQUESTS_OPEN_MAX - 1)),
        NULL, pool));
    return idv_db_execute(
        db, IDV_SQL_MDL_REQUEST_INSERT,
        IDV_DB_PARAMS(
            idv_db_text(place->session->organization_id),
            idv_db_text(record->id), idv_db_text(protocols[record->protocol]),
            idv_db_text(place->session->id), idv_db_bytes(sealed),
            idv_db_time(record->created), idv_db_time(record->expires_at)),
        NULL, pool);
}

static idv_mdl_verdict_t parse_verdict(const char *value)
{
    int found = idv_word_find(verdicts, COUNT(verdicts), value);

    return found < 0 ? IDV_MDL_VERDICT_NONE : found;
}

/* By fragments/mdl_request_columns.sql. */
static idv_mdl_request_record_t *read_row(const idv_db_result_t *rows, int row,
                                          const char *organization_id,
                                          apr_pool_t *pool)
{
    idv_mdl_request_record_t *record = apr_pcalloc(pool, sizeof(*record));

    record->organization_id = organization_id;
    record->id = idv_db_get_text(rows, row, 0);
    record->protocol = idv_mdl_protocol_parse(idv_db_get_text(rows, row, 1));
    record->session_id = idv_db_get_text(rows, row, 2);
    record->sealed = idv_db_get_bytes(rows, row, 3, pool);
    record->created = idv_db_get_int(rows, row, 4);
    record->expires_at = idv_db_get_int(rows, row, 5);
    record->answered_at = idv_db_get_int(rows, row, 6);
    record->return_digest = idv_db_get_bytes(rows, row, 7, pool);
    record->returned_at = idv_db_get_int(rows, row, 8);
    record->verdict = parse_verdict(idv_db_get_text(rows, row, 9));
    record->reason = idv_db_get_text(rows, row, 10);
    record->refused = (int)idv_db_get_int(rows, row, 11);
    record->opening = idv_db_get_text(rows, row, 12);
    record->is_opening = idv_db_get_bool(rows, row, 13);
    return record;
}

idv_error_t *idv_mdl_request_find(idv_db_t *db,
                                  const idv_mdl_request_query_t *query,
                                  idv_mdl_request_record_t **record,
                                  apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_MDL_REQUEST_FIND,
                         IDV_DB_PARAMS(idv_db_text(query->organization_id),
                                       idv_db_text(query->id)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        *record = read_row(rows, row, query->organization_id, pool);
        if (query->protocol == IDV_MDL_PROTOCOL_NONE
            || (*record)->protocol == query->protocol)
            return NULL;
    }
    return missing(pool);
}

/* The one row of ROWS. */
static idv_error_t *read_only_row(const idv_db_result_t *rows,
                                  const idv_session_t *session,
                                  idv_mdl_request_record_t **record,
                                  apr_pool_t *pool)
{
    if (idv_db_rows(rows) == 0)
        return missing(pool);
    *record = read_row(rows, 0, session->organization_id, pool);
    return NULL;
}

idv_error_t *idv_mdl_request_of_submission(idv_db_t *db,
                                           const idv_session_t *session,
                                           int submission,
                                           idv_mdl_request_record_t **record,
                                           apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_MDL_REQUEST_FIND_OF_SUBMISSION,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_int(submission)), &rows,
        pool));
    return read_only_row(rows, session, record, pool);
}

idv_error_t *idv_mdl_request_of_job(idv_db_t *db, const idv_session_t *session,
                                    const char *job,
                                    idv_mdl_request_record_t **record,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_MDL_REQUEST_FIND_OPENING,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(job)), &rows, pool));
    IDV_TRY(read_only_row(rows, session, record, pool));
    (*record)->offered = idv_db_get_bytes(rows, 0, 14, pool);
    return NULL;
}

idv_error_t *idv_mdl_request_unseal(idv_db_t *db,
                                    const idv_mdl_request_place_t *place,
                                    const idv_mdl_request_record_t *record,
                                    idv_mdl_request_t **request,
                                    apr_pool_t *pool)
{
    idv_bytes_t plain;

    IDV_TRY(idv_evidence_unseal(
        db,
        &(const idv_evidence_place_t){.keyring = place->keyring,
                                      .session = place->session,
                                      .name = sealed_name(record, pool)},
        record->sealed, &plain, pool));
    return idv_mdl_request_read((const char *)plain.data, plain.length,
                                place->now, request, pool);
}

/* --- answering --- */

/* SHA-256 of CODE. */
static idv_bytes_t digest_of(const char *code, apr_pool_t *pool)
{
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_issued_secret_digest(code, digest);
    return (idv_bytes_t){digest, IDV_DIGEST_SIZE};
}

int idv_mdl_request_is_of(const idv_mdl_request_record_t *record,
                          const char *code, apr_pool_t *pool)
{
    idv_bytes_t digest = digest_of(code, pool);

    return record->return_digest.length == digest.length
        && idv_equal_constant_time(record->return_digest.data, digest.data,
                                   digest.length);
}

/* As what the offers of RECORD are sealed. */
static const char *offer_name(const idv_mdl_request_record_t *record,
                              apr_pool_t *pool)
{
    return apr_pstrcat(pool, sealed_name(record, pool), ":offered", NULL);
}

/* A question: opening says nothing of the session. */
static idv_error_t *queue_opening(idv_db_t *db, const idv_session_t *session,
                                  const char *job, idv_time_t now,
                                  apr_pool_t *pool)
{
    static const char *const no_parts[] = {NULL};

    return idv_db_execute(
        db, IDV_SQL_ANALYSIS_JOB_INSERT,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(job),
                      idv_db_text(idv_method_value(IDV_METHOD_MDL)),
                      idv_db_int(IDV_NO_SUBMISSION),
                      idv_db_text_list(no_parts, pool), idv_db_time(now),
                      idv_db_trace_param(idv_db_trace(db))),
        NULL, pool);
}

idv_error_t *idv_mdl_request_offer(idv_db_t *db, const idv_keyring_t *keyring,
                                   const idv_session_t *session,
                                   const idv_mdl_answer_t *answer,
                                   apr_pool_t *pool)
{
    const idv_mdl_request_record_t *record = answer->record;
    const char *job = idv_id_new(IDV_ID_ANALYSIS_JOB, answer->now, pool);
    idv_bytes_t sealed;
    apr_int64_t offered;

    IDV_TRY(idv_evidence_seal(
        db,
        &(const idv_evidence_place_t){.keyring = keyring,
                                      .session = session,
                                      .name = offer_name(record, pool)},
        answer->bytes, &sealed, pool));
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_MDL_REQUEST_OFFER,
        IDV_DB_PARAMS(
            idv_db_text(record->organization_id), idv_db_text(record->id),
            idv_db_text(protocols[record->protocol]), idv_db_text(session->id),
            idv_db_text(job), idv_db_bytes(sealed),
            idv_db_bytes(digest_of(answer->return_code, pool)),
            idv_db_int(IDV_MDL_REFUSED_MAX), idv_db_time(answer->now)),
        &offered, pool));
    return offered ? queue_opening(db, session, job, answer->now, pool)
                   : missing(pool);
}

idv_error_t *idv_mdl_request_offered(idv_db_t *db,
                                     const idv_mdl_request_place_t *place,
                                     const idv_mdl_request_record_t *record,
                                     idv_bytes_t *bytes, apr_pool_t *pool)
{
    return idv_evidence_unseal(
        db,
        &(const idv_evidence_place_t){.keyring = place->keyring,
                                      .session = place->session,
                                      .name = offer_name(record, pool)},
        record->offered, bytes, pool);
}

idv_error_t *idv_mdl_request_decline(idv_db_t *db, const idv_session_t *session,
                                     const char *job, int counts,
                                     apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_MDL_REQUEST_DECLINE,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_text(job), idv_db_bool(counts)),
                          NULL, pool);
}

idv_error_t *idv_mdl_request_note_declined(idv_db_t *db,
                                           const idv_session_t *session,
                                           const char *job, const char *reason,
                                           apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_MDL_REQUEST_NOTE_DECLINED,
                          IDV_DB_PARAMS(SESSION_PARAMS(session),
                                        idv_db_text(job), idv_db_text(reason)),
                          NULL, pool);
}

idv_error_t *idv_mdl_request_answer(idv_db_t *db, const idv_keyring_t *keyring,
                                    const idv_session_t *session,
                                    const idv_mdl_answer_t *answer,
                                    apr_pool_t *pool)
{
    const idv_mdl_request_record_t *record = answer->record;
    const idv_evidence_t evidence = {
        .part = IDV_MDL_PART_RESPONSE,
        .media_type = "application/octet-stream",
        .bytes = answer->bytes,
    };
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_MDL_REQUEST_ANSWER,
        IDV_DB_PARAMS(
            idv_db_text(record->organization_id), idv_db_text(record->id),
            idv_db_text(protocols[record->protocol]), idv_db_text(session->id),
            idv_db_int(session->runner.submission),
            idv_db_text(record->opening), idv_db_time(answer->now)),
        &rows, pool));
    if (idv_db_get_int(rows, 0, 0) == 0)
        return missing(pool);
    return idv_evidence_put(db, keyring, session, &evidence, pool);
}

idv_error_t *idv_mdl_request_settle(idv_db_t *db, const idv_session_t *session,
                                    const idv_mdl_settlement_t *settlement,
                                    apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_MDL_REQUEST_SETTLE,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_int(settlement->submission),
                      idv_db_text(verdicts[settlement->verdict]),
                      idv_db_text(settlement->reason)),
        NULL, pool);
}

idv_error_t *idv_mdl_request_return(idv_db_t *db, const idv_session_t *session,
                                    const idv_mdl_return_t *returned,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_MDL_REQUEST_RETURN,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_text(returned->id),
                      idv_db_bytes(digest_of(returned->code, pool)),
                      idv_db_time(returned->now)),
        &rows, pool));
    return idv_db_get_int(rows, 0, 0) ? NULL : missing(pool);
}

idv_error_t *idv_mdl_request_leave(idv_db_t *db, const idv_session_t *session,
                                   idv_time_t now, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_MDL_REQUEST_LEAVE,
        IDV_DB_PARAMS(SESSION_PARAMS(session), idv_db_time(now)), NULL, pool);
}
