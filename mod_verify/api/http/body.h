/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_BODY_H
#define IDV_API_HTTP_BODY_H

/*
 * Reads what a client sends: the body within the limit of its route, and the
 * parameters out of it or out of the query.
 *
 * Reading never blocks. idv_body_advance() takes the bytes that have come; a
 * caller that has nothing else to do waits by idv_body_wait(), and a thread need
 * not be held meanwhile.
 *
 * One deadline holds for every way of reading, however the body is framed and
 * whatever the protocol. A body of the small kind has VerifySmallBodyTime. A
 * longer one may be VerifyUploadStart seconds behind the rate of VerifyUploadRate,
 * at its start and ever after: bytes that came early give no credit for later. No
 * body has more than VerifyBodyTime.
 *
 * Failures: a body over the limit is `body_too_large` (a chunked one has no
 * length to believe), another media type `unsupported_media_type`, one that is
 * late `request_timeout`. After an error the rest of the body is abandoned. No
 * database connection may be held while this runs.
 *
 * Memory: the body lives in the request's pool. Threads: one at a time; which one
 * may change while a body is awaited.
 */
#include "api/http/admission.h"

typedef enum { IDV_BODY_ARRIVED, IDV_BODY_AWAITED } idv_body_progress_t;

/* For a caller that refuses a request before its body was read: has the
 * connection closed shortly after the answer, so that the rest of the body is
 * not taken for the next request. Of a stream of HTTP/2, which ends by itself,
 * the bytes that come within a quarter of a second are read away. */
void idv_body_abandon(request_rec *r);

/* Checks what the header of REQUEST says of its body and starts its time. */
idv_error_t *idv_body_begin(idv_request_t *request) IDV_CHECKED;

/* Takes what has come. When httpd has answered the client itself already (a
 * limit of its own), *ANSWERED is set to what the handler hook has to return;
 * it is OK before. */
idv_error_t *idv_body_advance(idv_request_t *request,
                              idv_body_progress_t *progress,
                              int *answered) IDV_CHECKED;

/* Sends 100 (Continue) to a client that waits for it before its body; httpd sends
 * it only to handlers that read blocking. */
void idv_body_ask(idv_request_t *request);

/* By which kind of place an awaited body is counted. */
idv_place_kind_t idv_body_place_kind(const idv_request_t *request);

/* Whether the awaited body is likely to be close behind its header, so that it
 * is not worth more than a moment of this thread. */
int idv_body_is_close(const idv_request_t *request);

/* When the awaited body is late, unless more of it comes before. */
apr_time_t idv_body_deadline(const idv_request_t *request);

/* Waits until more of the body has come or it is late, holding the thread; it
 * may come back earlier. */
void idv_body_wait(const idv_request_t *request);

/* Fills `body`, `body_type` and `parameters` by what has arrived. */
idv_error_t *idv_body_finish(idv_request_t *request) IDV_CHECKED;

#endif
