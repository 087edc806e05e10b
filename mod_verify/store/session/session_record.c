/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/session_record.h"

#include <string.h>

#include "domain/session/session_columns.h"
#include "domain/session/session_view.h"
#include "store/session/session_answer.h"

idv_session_record_t
idv_session_record_standing(const idv_session_record_t *record)
{
    static const idv_bytes_t nothing = {NULL, 0};
    idv_session_record_t standing = *record;

    if (!idv_session_email_stands(record->session))
        standing.email_digest = nothing;
    if (!idv_session_phone_stands(record->session))
        standing.phone_digest = nothing;
    return standing;
}

/* --- client secrets --- */

int idv_client_secret_matches(const idv_session_record_t *record,
                              const char *secret, idv_time_t now)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_issued_secret_digest(secret, digest);
    return record->client_secret_digest.length == IDV_DIGEST_SIZE
        && idv_equal_constant_time(record->client_secret_digest.data, digest,
                                   IDV_DIGEST_SIZE)
        && idv_session_secret_usable(record->session, now);
}

/* --- writing rows --- */

static void identity_params(const idv_session_t *session,
                            idv_db_param_t *params, apr_pool_t *pool)
{
#define SET(column, value) params[IDV_COLUMN_##column] = (value)
    SET(organization_id, idv_db_text(session->organization_id));
    SET(id, idv_db_text(session->id));
    SET(application_id, idv_db_text(session->application_id));
    SET(workflow_id, idv_db_text(session->workflow_id));
    SET(workflow_version_id, idv_db_text(session->workflow_version_id));
    SET(livemode, idv_db_bool(session->livemode));
    SET(revision, idv_db_int(session->revision));
    SET(status, idv_db_text(idv_session_status_value(session->status)));
    SET(type, idv_db_text(idv_session_type_value(session->type)));
    SET(methods, idv_db_methods(&session->methods, pool));
    SET(current_method, idv_db_text(idv_method_value(session->current_method)));
    SET(client_reference_id, idv_db_text(session->client_reference_id));
    SET(return_url, idv_db_text(session->return_url));
    SET(cancel_url, idv_db_text(session->cancel_url));
    SET(metadata,
        idv_db_text(session->metadata ? session->metadata : "{}"));
    SET(user_message, idv_db_text(session->user_message));
}

static void time_params(const idv_session_t *session, idv_db_param_t *params)
{
    SET(created_at, idv_db_time(session->created));
    SET(updated_at, idv_db_time(session->updated));
    SET(expires_at, idv_db_time(session->expires_at));
    SET(completed_at, idv_db_time(session->completed_at));
    SET(cancelled_at, idv_db_time(session->cancelled_at));
    SET(device_locked_at, idv_db_time(session->device_locked_at));
    SET(review_opened_at, idv_db_time(session->review_opened_at));
    SET(review_deadline_at, idv_db_time(session->review_deadline));
}

static void demand_params(const idv_session_t *session, idv_db_param_t *params,
                          apr_pool_t *pool)
{
    const idv_jurisdiction_audit_t *audit = &session->jurisdiction;

    SET(age_tier, idv_db_text(idv_tier_value(session->age_tier)));
    SET(jurisdiction, idv_db_text(audit->resolved));
    SET(jurisdiction_audit_declared, idv_db_text(audit->declared));
    SET(jurisdiction_audit_ip_derived, idv_db_text(audit->ip_derived));
    SET(jurisdiction_audit_source,
        idv_db_text(idv_jurisdiction_source_value(audit->source)));
    SET(jurisdiction_audit_mismatch,
        audit->mismatch < 0 ? idv_db_null() : idv_db_bool(audit->mismatch));
    SET(compliance,
        idv_db_text(idv_session_compliance_text(&session->compliance, pool)));
}

void idv_session_row_params(const idv_session_record_t *record,
                            idv_db_param_t *params, apr_pool_t *pool)
{
    const idv_session_t *session = record->session;

    identity_params(session, params, pool);
    time_params(session, params);
    demand_params(session, params, pool);
    SET(verification_path, idv_db_text(idv_verification_path_value(
                               session->verification_path)));
    SET(active_device, idv_db_text(session->active_device));
    SET(verification_result, idv_db_text(session->verification_result));
    SET(results, idv_db_text(session->results));
    SET(last_error,
        idv_db_text(idv_session_error_text(&session->last_error, pool)));
    SET(runner, idv_db_text(idv_session_runner_text(session, pool)));
    SET(client_secret_digest, idv_db_bytes(record->client_secret_digest));
    SET(email_digest, idv_db_bytes(record->email_digest));
    SET(phone_digest, idv_db_bytes(record->phone_digest));
    SET(verified_person_id, idv_db_text(record->verified_person_id));
    SET(risk_tier, idv_db_text(record->risk_tier));
#undef SET
    params[IDV_SESSION_COLUMN_COUNT] =
        idv_db_text(idv_session_answer_pack(
            idv_session_text(session, NULL, pool), pool));
    params[IDV_SESSION_COLUMN_COUNT + 1] =
        idv_db_int(IDV_SESSION_TEXT_VERSION);
}

/* --- reading rows --- */

#define TEXT(column) idv_db_get_text(rows, row, IDV_COLUMN_##column)
#define INT(column) idv_db_get_int(rows, row, IDV_COLUMN_##column)
#define BOOL(column) idv_db_get_bool(rows, row, IDV_COLUMN_##column)
#define BYTES(column) idv_db_get_bytes(rows, row, IDV_COLUMN_##column, pool)

static void read_identity(const idv_db_result_t *rows, int row,
                          idv_session_t *session)
{
    session->organization_id = TEXT(organization_id);
    session->id = TEXT(id);
    session->application_id = TEXT(application_id);
    session->workflow_id = TEXT(workflow_id);
    session->workflow_version_id = TEXT(workflow_version_id);
    session->livemode = BOOL(livemode);
    session->revision = INT(revision);
    session->status = idv_session_status_parse(TEXT(status));
    session->type = idv_session_type_parse(TEXT(type));
    session->current_method = TEXT(current_method)
        ? idv_method_parse(TEXT(current_method)) : IDV_METHOD_NONE;
    session->client_reference_id = TEXT(client_reference_id);
    session->return_url = TEXT(return_url);
    session->cancel_url = TEXT(cancel_url);
    session->metadata = TEXT(metadata);
    session->user_message = TEXT(user_message);
}

static void read_times(const idv_db_result_t *rows, int row,
                       idv_session_t *session)
{
    session->created = INT(created_at);
    session->updated = INT(updated_at);
    session->expires_at = INT(expires_at);
    session->completed_at = INT(completed_at);
    session->cancelled_at = INT(cancelled_at);
    session->device_locked_at = INT(device_locked_at);
    session->review_opened_at = INT(review_opened_at);
    session->review_deadline = INT(review_deadline_at);
}

static idv_jurisdiction_source_t parse_source(const char *value)
{
    for (int source = 1; value && source < IDV_JURISDICTION_SOURCE_COUNT;
         source++)
        if (strcmp(idv_jurisdiction_source_value(source), value) == 0)
            return (idv_jurisdiction_source_t)source;
    return IDV_JURISDICTION_UNRESOLVED;
}

static void read_demands(const idv_db_result_t *rows, int row,
                         idv_session_t *session)
{
    idv_jurisdiction_audit_t *audit = &session->jurisdiction;

    session->age_tier = idv_tier_parse(TEXT(age_tier));
    audit->resolved = TEXT(jurisdiction);
    audit->declared = TEXT(jurisdiction_audit_declared);
    audit->ip_derived = TEXT(jurisdiction_audit_ip_derived);
    audit->source = parse_source(TEXT(jurisdiction_audit_source));
    audit->mismatch =
        TEXT(jurisdiction_audit_mismatch) ? BOOL(jurisdiction_audit_mismatch)
                                          : -1;
}

idv_error_t *idv_session_row_read(const idv_db_result_t *rows, int row,
                                  idv_session_record_t **out, apr_pool_t *pool)
{
    idv_session_record_t *record = apr_pcalloc(pool, sizeof(*record));
    idv_session_t *session = apr_pcalloc(pool, sizeof(*session));

    read_identity(rows, row, session);
    IDV_TRY(idv_db_get_methods(rows, row, IDV_COLUMN_methods, &session->methods,
                               pool));
    read_times(rows, row, session);
    read_demands(rows, row, session);
    session->verification_path = TEXT(verification_path)
        ? idv_verification_path_parse(TEXT(verification_path)) : IDV_PATH_FRESH;
    session->active_device = TEXT(active_device);
    session->verification_result = TEXT(verification_result);
    session->results = TEXT(results);
    IDV_TRY(idv_session_compliance_load(TEXT(compliance), &session->compliance,
                                        pool));
    IDV_TRY(idv_session_error_load(TEXT(last_error), &session->last_error,
                                   pool));
    IDV_TRY(idv_session_runner_load(TEXT(runner), session, pool));
    record->session = session;
    record->client_secret_digest = BYTES(client_secret_digest);
    record->email_digest = BYTES(email_digest);
    record->phone_digest = BYTES(phone_digest);
    record->verified_person_id = TEXT(verified_person_id);
    record->risk_tier = TEXT(risk_tier);
    *out = record;
    return NULL;
}
