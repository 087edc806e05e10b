/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_SENDING_H
#define IDV_API_HTTP_SENDING_H

/*
 * Sends answers to clients that may read slowly or not at all.
 *
 * httpd keeps up to FlushMaxThreshold (64 KiB) of an answer and has its MPM
 * send that, event without a thread and others with one, within Timeout. For
 * anything longer its thread waits for the client. So a short answer is given
 * to httpd at once, and a long one in parts, each when the previous one is
 * gone. Between parts idv_sending_advance() returns, and the caller parks the
 * request without a thread or waits in idv_sending_wait(). Over HTTP/2,
 * mod_http2 makes the stream's thread wait inside idv_sending_advance(), with
 * or without a place.
 *
 * A long answer needs a place while it is sent (api/http/admission.h):
 *
 * - ANSWER if a thread waits, PARKED_ANSWER if none does;
 * - PUBLIC_ANSWER and PARKED_PUBLIC_ANSWER if the client has no credential.
 *   Public answers are in memory once for all clients, but httpd accepts no
 *   more connections while many are parked.
 *
 * If no place is free, a request that only reads is refused. One that has
 * changed something is answered all the same, but nothing waits for its reader.
 * A handler whose answer is certainly long and expensive calls
 * idv_sending_reserve() before it does any work.
 *
 * A reader has to take VerifyAnswerRate bytes a second and may be
 * VerifyAnswerStart seconds behind; in a child that is ending it has
 * VerifyBodyTime in all, like the sender of a body. The time that the service
 * takes for a piece or a thread is not counted. A slower reader loses the place
 * and the connection; it can tell that the answer is incomplete, except over
 * HTTP/1.0 without a Content-Length.
 *
 * Memory: the pool of the request; the parts that httpd keeps are copied.
 * Threads: one at a time. Failures: rate_limit_exceeded and service_unavailable
 * of api/http/admission.h, before anything is sent.
 */
#include "api/http/request.h"

/* Takes a place for an answer that will be long, before the handler does the
 * work. */
idv_error_t *idv_sending_reserve(idv_request_t *request) IDV_CHECKED;

/* Takes a place for the answer of REQUEST if it is long. Fails if there is none
 * and the request has to be refused for that. */
idv_error_t *idv_sending_admit(idv_request_t *request) IDV_CHECKED;

typedef enum {
    IDV_SENDING_ENDED,  /* httpd has all of it, or gets no more */
    IDV_SENDING_AWAITED /* the client has to read first */
} idv_sending_progress_t;

/* Gives httpd the head and the first parts of the answer, or the next parts, as
 * far as the client takes them. `failure` of the answer is the error that broke
 * it off. */
idv_sending_progress_t idv_sending_advance(idv_request_t *request);

/* The reader's deadline. */
apr_time_t idv_sending_deadline(const idv_request_t *request);

/* Holds the thread until the client has read some, for at most a second. */
void idv_sending_wait(const idv_request_t *request);

#endif
