/* SPDX-License-Identifier: Apache-2.0 */
#include "api/upload_gate.h"

#include <pthread.h>
#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "store/verified_person.h"

#define RETRY_AFTER 2 /* seconds until a place may be free */

/* The sessions that upload; an empty text is a free place. */
static struct {
    pthread_mutex_t mutex;
    char places[IDV_UPLOAD_PLACES][IDV_ID_SIZE];
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static apr_status_t leave(void *place)
{
    pthread_mutex_lock(&gate.mutex);
    *(char *)place = '\0';
    pthread_mutex_unlock(&gate.mutex);
    return APR_SUCCESS;
}

/* A place for SESSION_ID; NULL: none is free, or *OWN says that it has its
 * share. */
static char *enter(const char *session_id, int *own)
{
    char *place = NULL;

    *own = 0;
    pthread_mutex_lock(&gate.mutex);
    for (int i = 0; i < IDV_UPLOAD_PLACES; i++) {
        if (!gate.places[i][0])
            place = gate.places[i];
        *own += strcmp(gate.places[i], session_id) == 0;
    }
    if (*own >= IDV_UPLOAD_SESSION_PLACES)
        place = NULL;
    if (place)
        apr_cpystrn(place, session_id, sizeof(gate.places[0]));
    pthread_mutex_unlock(&gate.mutex);
    return place;
}

static idv_error_t *too_many(apr_pool_t *pool, int retry_after)
{
    idv_error_t *error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);

    error->message = "Too many images were sent in this session.";
    error->retry_after = retry_after;
    return error;
}

static idv_error_t *take_place(const char *session_id, apr_pool_t *pool)
{
    idv_error_t *error;
    int own;
    char *place = enter(session_id, &own);

    if (place) {
        apr_pool_cleanup_register(pool, place, leave, apr_pool_cleanup_null);
        return NULL;
    }
    if (own >= IDV_UPLOAD_SESSION_PLACES)
        return too_many(pool, RETRY_AFTER);
    error = idv_error_new(IDV_E_SERVICE_UNAVAILABLE, pool);
    error->retry_after = RETRY_AFTER;
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
    const idv_reuse_attempt_t attempt = {
        .organization_id = session->organization_id,
        .digest = idv_identifier_digest(request->services->keyring, "upload",
                                        session->id, pool),
        .window = IDV_UPLOADS_WINDOW,
        .limit = IDV_UPLOADS_MAX,
    };
    int attempts, retry_after;

    IDV_TRY(idv_reuse_attempt_count(db, &attempt, request->now, &attempts,
                                    &retry_after, pool));
    return attempts <= IDV_UPLOADS_MAX ? NULL : too_many(pool, retry_after);
}

/* Its place first: who finds none has not had an upload. */
static idv_error_t *admit(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    idv_session_record_t *record;

    IDV_TRY(idv_session_authorize(db, request->client_secret,
                                  idv_request_path(request, "id"), request->now,
                                  &record, pool));
    IDV_TRY(idv_upload_check(record->session, pool));
    IDV_TRY(take_place(record->session->id, request->pool));
    return count_upload(db, request, record->session, pool);
}

idv_error_t *idv_upload_admit(idv_request_t *request)
{
    return idv_request_with_database(request, admit, request);
}
