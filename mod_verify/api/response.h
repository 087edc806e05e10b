/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_RESPONSE_H
#define IDV_API_RESPONSE_H

/*
 * How a handler answers. The answer is kept in the request and written once
 * the handler has returned without an error, so a handler that fails after it
 * has answered still gets its error sent and nothing else.
 *
 * Every answer carries X-Request-Id and, unless the handler sets another,
 * `Cache-Control: no-store`.
 */
#include "api/request.h"

/* STATUS (200, 201, …) with the compact text of VALUE. Takes over the caller's
 * reference to VALUE, which may be NULL for lack of memory. */
idv_error_t *idv_respond_json(idv_request_t *request, int status,
                              json_t *value) IDV_CHECKED;

/* STATUS with BODY, the text of a JSON value, or "" for none, which has to live
 * as long as the request. */
idv_error_t *idv_respond_text(idv_request_t *request, int status,
                              const char *body) IDV_CHECKED;

/* STATUS with BODY of MEDIA_TYPE; both have to live as long as the request. */
void idv_respond_bytes(idv_request_t *request, int status,
                       const char *media_type, idv_bytes_t body);

/* A header of the answer, errors included; replaces one of the same name. */
void idv_respond_header(idv_request_t *request, const char *name,
                        const char *value);

/* Writes the answer; what the dispatcher calls. The result is for httpd. */
int idv_response_send(idv_request_t *request);

#endif
