/* SPDX-License-Identifier: Apache-2.0 */
#include "api/session_change.h"

#include "api/response.h"
#include "api/write.h"
#include "domain/session_view.h"
#include "store/session_transition.h"
#include "worker/watchdog.h"

typedef struct {
    idv_session_transition_t transition;
    idv_session_transition_result_t result;
} change_t;

static idv_error_t *write_session(void *baton,
                                  const idv_session_record_t *record,
                                  const char **body, apr_pool_t *pool)
{
    (void)baton;
    *body = idv_session_text(record->session, NULL, pool);
    return NULL;
}

static idv_error_t *change(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    change_t *work = baton;
    idv_session_transition_result_t *result = &work->result;

    if (work->transition.idempotency) {
        IDV_TRY(idv_idempotency_find(db, work->transition.idempotency,
                                     &result->replay, pool));
        if (result->replay)
            return NULL;
    }
    return idv_session_transition(db, &work->transition, result, pool);
}

idv_error_t *idv_session_api_change(idv_request_t *request,
                                    const idv_session_input_t *input)
{
    change_t work = {
        .transition = {.scope = idv_request_scope(request),
                       .session_id = idv_request_path(request, "id"),
                       .input = input,
                       .now = request->now,
                       .keyring = request->services->keyring,
                       .status = HTTP_OK,
                       .answer = write_session},
    };
    idv_idempotency_t *idempotency;

    IDV_TRY(idv_idempotency_of_request(request, &idempotency));
    work.transition.idempotency = idempotency;
    IDV_TRY(idv_request_with_database(request, change, &work));
    if (work.result.replay)
        return idv_idempotency_replay(request, work.result.replay);
    if (work.result.queued.deliveries)
        request->services->wake(request->services, IDV_WORK_DELIVERIES);
    return idv_respond_text(request, HTTP_OK, work.result.body);
}
