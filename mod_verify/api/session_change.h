/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_SESSION_CHANGE_H
#define IDV_API_SESSION_CHANGE_H

/*
 * What every route has in common by which a server changes a session: the
 * session named `:id` in the path, in the scope of the key, changed by one
 * input; the Idempotency-Key; the session as the answer.
 */
#include "api/request.h"
#include "domain/session_step.h"

/* Applies INPUT to the session in the path and answers with the session.
 * Errors: session_not_found, those of idv_session_step(), and of idempotency
 * keys; after one nothing has changed. */
idv_error_t *idv_session_api_change(idv_request_t *request,
                                    const idv_session_input_t *input)
    IDV_CHECKED;

#endif
