/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_ATTEMPT_H
#define IDV_WORKER_DELIVERY_ATTEMPT_H

/*
 * One attempt at a delivery: the request that is made for it, what follows from
 * its end, and what the delivery record says of it.
 *
 * The request carries two signatures, and a third one during the overlap after a
 * secret was replaced. The signers of endpoints are kept from one delivery to
 * the next. A signer belongs to a sealed secret: when an endpoint's have changed,
 * new ones are made and the old ones wiped. At most IDV_SIGNERS_KEPT endpoints are
 * known; one more, and all are forgotten.
 *
 * The verdict. There are five attempts in all. A whole response with 2xx ends
 * the delivery; 3xx and 4xx are the receiver's final word, whole or not, but
 * for 429. All else is tried again after 5 minutes, 30 minutes, 2 hours and 8
 * hours. A delay is lengthened by up to a tenth, so that receivers that came
 * back are not met by all at once, and by the Retry-After of a 429 or 503 up to
 * twice itself.
 *
 * The record holds JSON texts that the API shows. A receiver's response is a
 * stranger's: its body was cut (out/http_client.h), what is no UTF-8 in it is
 * replaced, NULs as well.
 *
 * Threads: signers belong to one thread; the rest is pure, as time and
 * randomness are passed in. Memory: signers in pools of their own below the
 * given one, texts in the given pool. Failures: only signing can fail.
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

/* A store of signers, empty at first; KEYS open the sealed secrets that signers
 * are made from. */
idv_delivery_signers_t *idv_delivery_signers_create(const idv_keyring_t *keys,
                                                    apr_pool_t *pool);

typedef struct {
    apr_pool_t *pool;
    const idv_delivery_t *delivery;
    apr_int64_t timestamp;   /* Unix seconds */
    idv_http_request_t http; /* is made from the other three */
    /* Why a former secret does not sign; NULL: it does, or there is none. Told
     * when its signer is made, and not again. */
    idv_error_t *former_fault;
} idv_delivery_request_t;

/* Makes `http` of REQUEST, in its pool; it fails when the present secret cannot
 * sign. An opened secret is wiped with SCRATCH, where errors are, too. */
idv_error_t *idv_delivery_request_make(idv_delivery_signers_t *signers,
                                       idv_delivery_request_t *request,
                                       apr_pool_t *scratch) IDV_CHECKED;

/* --- the verdict --- */

#define IDV_DELIVERY_MAX_ATTEMPTS 5

/* How an attempt ended. */
typedef struct {
    int attempt; /* its number, from 1 */
    idv_http_result_t result;
    int status_code;         /* 0: no response arrived */
    const char *retry_after; /* the header as it came, or NULL */
} idv_delivery_attempt_t;

typedef enum {
    IDV_DELIVERY_DELIVERED,
    IDV_DELIVERY_RETRY,
    IDV_DELIVERY_FAILED
} idv_delivery_verdict_t;

/* The verdict; for IDV_DELIVERY_RETRY *NEXT is the time of the next attempt,
 * else 0. RANDOM is any value, evenly spread. */
idv_delivery_verdict_t
idv_delivery_decide(const idv_delivery_attempt_t *attempt, idv_time_t now,
                    uint32_t random, idv_time_t *next);

/* The delay that a Retry-After header asks for (RFC 9110, section 10.2.3: a
 * number of seconds or an HTTP date), 0 when it is absent, past or malformed,
 * at most one day. */
idv_time_t idv_retry_after_parse(const char *value, idv_time_t now);

/* --- the record --- */

/* delivered, pending or failed. */
const char *idv_delivery_record_status(idv_delivery_verdict_t verdict);

/* The request's headers without the signatures. */
const char *idv_delivery_record_request_headers(const idv_delivery_t *delivery,
                                                apr_int64_t timestamp,
                                                apr_pool_t *pool);

/* {"status_code", "headers", "body", "duration_ms"}; "" when nothing came. A
 * header whose name is no token (RFC 9110, section 5.6.2) is left out. */
const char *idv_delivery_record_response(const idv_http_response_t *response,
                                         apr_pool_t *pool);

/* {"code", "message"}; "" after a success. */
const char *idv_delivery_record_error(const idv_http_response_t *response,
                                      apr_pool_t *pool);

/* Like idv_delivery_record_error(), for a delivery whose endpoint must not be
 * called any more. */
const char *idv_delivery_record_endpoint_disabled(void);

#endif
