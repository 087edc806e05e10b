/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_IDEMPOTENCY_H
#define IDV_API_IDEMPOTENCY_H

/*
 * The Idempotency-Key header of POST requests; store/idempotency.h says how
 * keys work.
 */
#include "api/request.h"
#include "store/idempotency.h"

#define IDV_IDEMPOTENCY_KEY_LENGTH 255

/* The request's key, with the digest of its path and body; NULL when it has
 * none. 1 to 255 printable ASCII characters, else `parameter_invalid`. */
idv_error_t *idv_idempotency_of_request(const idv_request_t *request,
                                        idv_idempotency_t **key) IDV_CHECKED;

/* Answers with a stored answer, byte for byte, and says so in a header. */
idv_error_t *idv_idempotency_replay(idv_request_t *request,
                                    const idv_stored_answer_t *answer)
    IDV_CHECKED;

#endif
