/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WEBHOOK_DELIVERY_ATTEMPT_H
#define IDV_WORKER_WEBHOOK_DELIVERY_ATTEMPT_H

/*
 * One delivery attempt: its request, its result, and its entry in the delivery
 * record.
 *
 * The request has two signatures, and a third during the overlap after a secret
 * was replaced. Signers are cached per endpoint. A signer belongs to a sealed
 * secret: when an endpoint's secrets change, new signers are made and the old
 * ones wiped. The cache holds at most IDV_SIGNERS_KEPT endpoints; when it is
 * full, it is cleared.
 *
 * The verdict: there are five attempts in all. A complete 2xx response ends the
 * delivery. 3xx and 4xx, complete or not, are final, except 429. Everything
 * else is retried after 5 minutes, 30 minutes, 2 hours and 8 hours. A delay is
 * extended by up to a tenth, so that a recovered receiver is not hit by all
 * retries at once, and by the Retry-After of a 429 or 503, to at most twice its
 * length.
 *
 * The record contains JSON texts that the API shows. A receiver's response is
 * untrusted: its body was truncated (out/http_client.h); invalid UTF-8 and NULs
 * in it are replaced.
 *
 * Threads: signers belong to one thread; the rest is pure, with time and
 * randomness passed in. Memory: signers in subpools of the given pool, texts in
 * the given pool. Failures: only signing can fail.
 */
#include <stdint.h>

#include "core/clock.h"
#include "core/keyring.h"
#include "out/http_client.h"
#include "out/webhook_signature.h"
#include "store/webhook/webhook_delivery.h"

/* --- the request --- */

#define IDV_SIGNERS_KEPT 1024

typedef struct idv_delivery_signers_t idv_delivery_signers_t;

/* An empty cache of signers; KEYS open their sealed secrets. */
idv_delivery_signers_t *idv_delivery_signers_create(const idv_keyring_t *keys,
                                                    apr_pool_t *pool);

typedef struct {
    apr_pool_t *pool;
    const idv_delivery_t *delivery;
    apr_int64_t timestamp;   /* Unix seconds */
    idv_http_request_t http; /* made from the other three */
    /* Why a former secret does not sign; NULL: it does, or there is none.
     * Reported only when its signer is made. */
    idv_error_t *former_fault;
} idv_delivery_request_t;

/* Makes `http` of REQUEST, in its pool; fails if the current secret cannot
 * sign. Opened secrets are wiped with SCRATCH, where errors live too. */
idv_error_t *idv_delivery_request_make(idv_delivery_signers_t *signers,
                                       idv_delivery_request_t *request,
                                       apr_pool_t *scratch) IDV_CHECKED;

/* --- the verdict --- */

#define IDV_DELIVERY_MAX_ATTEMPTS 5

/* The result of an attempt. */
typedef struct {
    int attempt; /* its number, from 1 */
    idv_http_result_t result;
    int status_code;         /* 0: no response arrived */
    const char *retry_after; /* the header as received, or NULL */
} idv_delivery_attempt_t;

typedef enum {
    IDV_DELIVERY_DELIVERED,
    IDV_DELIVERY_RETRY,
    IDV_DELIVERY_FAILED
} idv_delivery_verdict_t;

/* The verdict; for IDV_DELIVERY_RETRY *NEXT is the time of the next attempt,
 * else 0. RANDOM is a uniformly distributed value. */
idv_delivery_verdict_t
idv_delivery_decide(const idv_delivery_attempt_t *attempt, idv_time_t now,
                    uint32_t random, idv_time_t *next);

/* The delay requested by a Retry-After header (RFC 9110, section 10.2.3:
 * seconds or an HTTP date), at most one day; 0 if it is absent, past or
 * malformed. */
idv_time_t idv_retry_after_parse(const char *value, idv_time_t now);

/* --- the record --- */

/* "delivered", "pending" or "failed". */
const char *idv_delivery_record_status(idv_delivery_verdict_t verdict);

/* The request's headers without the signatures. */
const char *idv_delivery_record_request_headers(const idv_delivery_t *delivery,
                                                apr_int64_t timestamp,
                                                apr_pool_t *pool);

/* {"status_code", "headers", "body", "duration_ms"}; "" without a response.
 * Headers with an invalid name (not a token, RFC 9110, section 5.6.2) are
 * omitted. */
const char *idv_delivery_record_response(const idv_http_response_t *response,
                                         apr_pool_t *pool);

/* {"code", "message"}; "" after a success. */
const char *idv_delivery_record_error(const idv_http_response_t *response,
                                      apr_pool_t *pool);

/* Like idv_delivery_record_error(), for a delivery to an endpoint that must no
 * longer be called. */
const char *idv_delivery_record_endpoint_disabled(void);

#endif
