/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_BODY_H
#define IDV_API_HTTP_BODY_H

/*
 * Reads a request: the body, within the limit of its route, and the parameters
 * from the body or the query.
 *
 * Reading never blocks. idv_body_advance() takes the bytes that have arrived. A
 * caller with nothing else to do may wait in idv_body_wait(); no thread has to
 * be held meanwhile.
 *
 * One deadline applies to every way of reading, whatever the framing or
 * protocol. A small body has VerifySmallBodyTime. A longer one may at any time
 * be at most VerifyUploadStart seconds behind the rate VerifyUploadRate; bytes
 * that came early give no credit for later. No body has more than
 * VerifyBodyTime.
 *
 * Failures: `body_too_large` if the body exceeds its limit (a chunked body
 * declares no length), `unsupported_media_type`, and `request_timeout` if it is
 * late. After an error the rest of the body is abandoned. Hold no database
 * connection while this runs.
 *
 * Memory: the body lives in the request's pool. Threads: one at a time; it may
 * be a different one after a wait.
 */
#include "api/http/admission.h"

typedef enum { IDV_BODY_ARRIVED, IDV_BODY_AWAITED } idv_body_progress_t;

/* For a caller that refuses a request before its body was read: closes the
 * connection shortly after the answer, so that the rest of the body is not
 * taken for the next request. An HTTP/2 stream ends by itself; there, bytes
 * that arrive within a quarter of a second are read and discarded. */
void idv_body_abandon(request_rec *r);

/* Checks the headers of REQUEST that describe its body and starts its
 * deadline. */
idv_error_t *idv_body_begin(idv_request_t *request) IDV_CHECKED;

/* Takes the bytes that have arrived. If httpd has already answered the client
 * itself (for one of its own limits), *ANSWERED is the value that the handler
 * hook must return; otherwise it is OK. */
idv_error_t *idv_body_advance(idv_request_t *request,
                              idv_body_progress_t *progress,
                              int *answered) IDV_CHECKED;

/* Sends 100 (Continue) to a client that waits for it before its body. httpd
 * sends it only for handlers that read blocking. */
void idv_body_ask(idv_request_t *request);

/* The kind of place an awaited body is counted as. */
idv_place_kind_t idv_body_place_kind(const idv_request_t *request);

/* Whether the awaited body is likely to follow its header closely, so that this
 * thread should wait only a moment for it. */
int idv_body_is_close(const idv_request_t *request);

/* When the awaited body times out if no more of it arrives. */
apr_time_t idv_body_deadline(const idv_request_t *request);

/* Holds the thread until more of the body has arrived or it is late; may return
 * earlier. */
void idv_body_wait(const idv_request_t *request);

/* Sets `body`, `body_type` and `parameters` from the received bytes. */
idv_error_t *idv_body_finish(idv_request_t *request) IDV_CHECKED;

#endif
