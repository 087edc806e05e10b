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

/* ERROR is what is wrong with the parameters. When they come with a key whose
 * answer to another body is stored, that comes first: the result is
 * `idempotency_key_reuse` then, else ERROR; so it is when the body could not
 * be read. */
idv_error_t *idv_idempotency_refusal(idv_request_t *request,
                                     idv_error_t *error) IDV_CHECKED;

/* Answers with a stored answer, byte for byte, and says so in a header. */
idv_error_t *
idv_idempotency_replay(idv_request_t *request,
                       const idv_stored_answer_t *answer) IDV_CHECKED;

#endif
