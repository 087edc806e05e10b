/* SPDX-License-Identifier: Apache-2.0 */
#include "api/write.h"

#include <string.h>

#include "api/idempotency.h"
#include "api/response.h"

typedef struct {
    const idv_write_t *write;
    idv_idempotency_t *idempotency; /* NULL: no key */
    idv_stored_answer_t *replay;
    const char *body;
    int overtaken; /* another request with the key has stored its answer */
} attempt_t;

static idv_error_t *store_answer(attempt_t *attempt, idv_db_t *db,
                                 apr_pool_t *pool)
{
    idv_stored_answer_t answer = {attempt->write->status, attempt->body, NULL};
    int stored;

    IDV_TRY(idv_idempotency_store(db, attempt->idempotency, &answer, &stored,
                                  pool));
    attempt->overtaken = !stored;
    return stored ? NULL : idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
}

static idv_error_t *work(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    attempt_t *attempt = baton;
    idv_error_t *error;

    attempt->overtaken = 0;
    if (attempt->idempotency) {
        IDV_TRY(idv_idempotency_find(db, attempt->idempotency, &attempt->replay,
                                     pool));
        if (attempt->replay)
            return NULL;
    }
    error =
        attempt->write->work(db, attempt->write->baton, &attempt->body, pool);
    /* The lock it waited for may be its twin's. */
    if (attempt->idempotency)
        error = idv_idempotency_error(error, db, pool);
    IDV_TRY(error);
    return attempt->idempotency ? store_answer(attempt, db, pool) : NULL;
}

idv_error_t *idv_write(idv_request_t *request, const idv_write_t *write)
{
    attempt_t attempt = {.write = write};
    idv_error_t *error;

    if (strcmp(request->route->method, "POST") == 0)
        IDV_TRY(idv_idempotency_of_request(request, &attempt.idempotency));
    error = write->changes_once && !attempt.idempotency
              ? idv_request_with_database(request, work, &attempt)
              : idv_request_transaction(request, work, &attempt);
    if (attempt.overtaken) /* the answer is there now */
        error = idv_request_transaction(request, work, &attempt);
    IDV_TRY(error);
    if (attempt.replay)
        return idv_idempotency_replay(request, attempt.replay);
    if (write->wake)
        request->services->wake(request->services, write->wake);
    return idv_respond_text(request, write->status, attempt.body);
}
