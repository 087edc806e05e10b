/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_BODY_H
#define IDV_API_BODY_H

/*
 * Reads what a client sends: the body within the limit of its route, and the
 * parameters out of it or out of the query.
 *
 * A body over the limit is `body_too_large` however it is framed (a chunked one
 * has no length to believe), another media type `unsupported_media_type`, one
 * that does not arrive in time (VerifyBodyTime as a whole; what httpd is told
 * of pauses besides) `request_timeout`. No database connection may be held
 * while this runs, and it holds a thread.
 */
#include "api/request.h"

/* For who refuses a request before its body was read: has the connection
 * closed, so that the rest is not taken for a request. Of a stream of HTTP/2,
 * which ends by itself, a bounded part is read away. */
void idv_body_abandon(request_rec *r);

/* Fills `body`, `body_type` and `parameters` of REQUEST by its route. When
 * httpd has answered the client itself already (a limit of its own), *ANSWERED
 * is set to what the handler hook has to return, and otherwise to OK. */
idv_error_t *idv_body_read(idv_request_t *request, int *answered) IDV_CHECKED;

#endif
