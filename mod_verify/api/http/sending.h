/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_SENDING_H
#define IDV_API_HTTP_SENDING_H

/*
 * How an answer gets to a client that reads slowly, or not at all.
 *
 * httpd keeps as much of an answer as FlushMaxThreshold says (64 KiB), and has
 * its MPM send that, event without a thread and others with one, for Timeout at
 * most; of anything longer its thread waits for the client. So a short answer is
 * given to httpd at once, and a long one in parts, each when the one before is
 * gone: in between, idv_sending_advance() comes back, and the caller has the
 * request wait without a thread, or its thread wait in idv_sending_wait(). Over
 * HTTP/2 mod_http2 has the thread of a stream wait inside of
 * idv_sending_advance(), with or without a place.
 *
 * A long answer needs a place while it is sent (api/http/admission.h): of the kind
 * ANSWER, where a thread waits, PARKED_ANSWER, where none does, and PUBLIC_ANSWER and
 * PARKED_PUBLIC_ANSWER for somebody without a credential: what strangers get is in
 * memory once for all, but httpd accepts no more connections while many are parked.
 * A request that only reads
 * is refused when there is none. What has changed something is answered all the
 * same, but nobody waits for its reader. A handler whose answer is long for sure, and
 * costs much, asks before it does anything (idv_sending_reserve()).
 *
 * A reader has to take VerifyAnswerRate bytes a second, and may be behind by
 * VerifyAnswerStart seconds; in a child that ends he has VerifyBodyTime in all, as
 * who sends a body. How long the service itself takes for a piece, or for a thread,
 * counts against nobody. Who is slower loses the place and the connection: what has
 * come of the answer is seen to be a part, but over HTTP/1.0 where its length was not
 * said.
 *
 * Memory: the pool of the request; the parts that httpd keeps are copied. Threads:
 * one at a time. Failures: rate_limit_exceeded and service_unavailable of
 * api/http/admission.h, before anything is sent.
 */
#include "api/http/request.h"

/* Takes a place for an answer that will be long, before the handler works for
 * it. */
idv_error_t *idv_sending_reserve(idv_request_t *request) IDV_CHECKED;

/* Takes a place for the answer of REQUEST if it is long, and says why there is
 * none if it has to be refused for that. */
idv_error_t *idv_sending_admit(idv_request_t *request) IDV_CHECKED;

typedef enum {
    IDV_SENDING_ENDED,  /* httpd has all of it, or will get no more */
    IDV_SENDING_AWAITED /* the client has to read first */
} idv_sending_progress_t;

/* Gives httpd the head and the first parts of the answer, or what follows, as far
 * as the client takes them. `failure` of the answer tells what broke it off. */
idv_sending_progress_t idv_sending_advance(idv_request_t *request);

/* Until when the reader has time. */
apr_time_t idv_sending_deadline(const idv_request_t *request);

/* Has the thread wait until the client has read some, for a second at most. */
void idv_sending_wait(const idv_request_t *request);

#endif
