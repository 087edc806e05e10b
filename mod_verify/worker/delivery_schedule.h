/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_SCHEDULE_H
#define IDV_WORKER_DELIVERY_SCHEDULE_H

/*
 * What follows from one attempt at a delivery. Pure: time and randomness are
 * passed in.
 *
 * Five attempts in all. A whole response with 2xx ends the delivery; 3xx and
 * 4xx are the receiver's final word, whole or not, but for 429. All else is
 * tried again after 5 minutes, 30 minutes, 2 hours and 8 hours. A delay is
 * lengthened by up to a tenth, so that receivers that came back are not met by
 * all at once, and by the Retry-After of a 429 or 503 up to twice itself.
 */
#include <stdint.h>

#include "core/clock.h"
#include "out/http_client.h"

#define IDV_DELIVERY_MAX_ATTEMPTS 5

typedef struct {
    int attempt; /* the one that has just ended, from 1 */
    idv_http_result_t result;
    int status_code;
    const char *retry_after; /* the header as it came, or NULL */
} idv_delivery_attempt_t;

typedef enum {
    IDV_DELIVERY_DELIVERED,
    IDV_DELIVERY_RETRY,
    IDV_DELIVERY_FAILED
} idv_delivery_verdict_t;

/* The verdict; for IDV_DELIVERY_RETRY *NEXT is the time of the next attempt,
 * else 0. RANDOM is any value, evenly spread. */
idv_delivery_verdict_t idv_delivery_decide(const idv_delivery_attempt_t *attempt,
                                           idv_time_t now, uint32_t random,
                                           idv_time_t *next);

/* The delay that a Retry-After header asks for (RFC 9110, section 10.2.3: a
 * number of seconds or an HTTP date), 0 when it is absent, past or malformed,
 * at most one day. */
idv_time_t idv_retry_after_parse(const char *value, idv_time_t now);

#endif
