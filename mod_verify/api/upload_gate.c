/* SPDX-License-Identifier: Apache-2.0 */
#include "api/upload_gate.h"

#include "api/admission.h"
#include "store/attempt_limit.h"

/* Seconds for which an image keeps its place, once it has arrived, while it is
 * sealed and stored; then it is taken for one whose process was killed. */
#define STORE_TIME 60

static idv_error_t *too_many(apr_pool_t *pool, int retry_after)
{
    idv_error_t *error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);

    error->message = "Too many images were sent in this session.";
    error->retry_after = retry_after;
    return error;
}

idv_error_t *idv_upload_check(const idv_session_t *session, apr_pool_t *pool)
{
    if (!idv_session_status_open(session->status))
        return idv_error_new(IDV_E_SESSION_TERMINAL, pool);
    if (session->status != IDV_STATUS_PENDING
        && session->status != IDV_STATUS_REQUIRES_INPUT)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    if (session->consent_required && !session->consented_at)
        return idv_error_new(IDV_E_SESSION_STATE_CONFLICT, pool);
    return NULL;
}

static idv_error_t *count_upload(idv_db_t *db, const idv_request_t *request,
                                 const idv_session_t *session, apr_pool_t *pool)
{
    const idv_attempt_limit_t attempt = {
        .organization_id = session->organization_id,
        .digest = idv_identifier_digest(request->services->keyring, "upload",
                                        session->id, pool),
        .window = IDV_UPLOADS_WINDOW,
        .limit = IDV_UPLOADS_MAX,
    };
    int attempts, retry_after;

    IDV_TRY(idv_attempt_count(db, &attempt, request->now, &attempts,
                                    &retry_after, pool));
    return attempts <= IDV_UPLOADS_MAX ? NULL : too_many(pool, retry_after);
}

/* Its place first: who finds none has not had an upload. */
static idv_error_t *admit(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_request_t *request = baton;
    const idv_settings_t *settings = request->services->settings;
    idv_session_record_t *record;

    IDV_TRY(idv_session_authorize(db, request->client_secret,
                                  idv_request_path(request, "id"), request->now,
                                  &record, pool));
    request->caller_id = record->session->id;
    request->caller_organization_id = record->session->organization_id;
    IDV_TRY(idv_upload_check(record->session, pool));
    IDV_TRY(idv_admission_take(request, IDV_PLACE_UPLOAD,
                               settings->body_time + STORE_TIME));
    return count_upload(db, request, record->session, pool);
}

idv_error_t *idv_upload_admit(idv_request_t *request)
{
    return idv_request_with_database(request, admit, request);
}
