/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_ERROR_RESPONSE_H
#define IDV_API_ERROR_RESPONSE_H

/*
 * The error envelope, written in this one place:
 *
 *     {"error":{"type","code","message","param","request_id"}}
 *
 * `param` is absent when the error has none. With it go the headers that
 * belong to an error: Retry-After, and WWW-Authenticate (RFC 6750) on 401.
 */
#include "api/request.h"

/* Answers REQUEST with ERROR, whatever was answered before. The detail is not
 * shown; logging it is the caller's. */
void idv_respond_error(idv_request_t *request, const idv_error_t *error);

/* The text of the envelope in POOL, for errors that httpd answers. */
const char *idv_error_envelope(const idv_error_t *error,
                               const char *request_id, apr_pool_t *pool);

/* Puts the headers of ERROR into HEADERS, one of R's. */
void idv_error_headers(request_rec *r, const idv_error_t *error,
                       apr_table_t *headers);

/* The error for an HTTP status that httpd itself chose. */
idv_error_t *idv_error_of_status(int status, apr_pool_t *pool);

#endif
