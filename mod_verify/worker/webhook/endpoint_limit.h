/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WEBHOOK_ENDPOINT_LIMIT_H
#define IDV_WORKER_WEBHOOK_ENDPOINT_LIMIT_H

/*
 * Limits on deliveries in flight per endpoint; deliverer.h explains why.
 *
 * Pure bookkeeping without a clock: the deliverer reports the start and end of
 * every exchange, and asks for the available room before a claim.
 *
 * An endpoint that answers quickly can have more claimed deliveries than slots.
 * The rest waits here in order, so that no slot is idle until the next claim:
 * as many deliveries as the endpoint answered recently
 * (IDV_ENDPOINT_PACE_WINDOW), but at least its limit and at most
 * IDV_ENDPOINT_LOOK_AHEAD.
 *
 * When too many endpoints are tracked, endpoints that have nothing in flight
 * and were not silent recently are dropped.
 *
 * Memory: a subpool of the given pool; waiters belong to the deliverer.
 * Threads: one. Failures: none.
 */
#include "store/webhook/webhook_delivery.h"

/* Initial limit of an endpoint. */
#define IDV_ENDPOINT_LIMIT_START 8

/* Milliseconds over which answers are counted, and the maximum number of
 * deliveries waiting for the slots of one endpoint. */
#define IDV_ENDPOINT_PACE_WINDOW 200
#define IDV_ENDPOINT_LOOK_AHEAD 512

/* The result of an exchange, regardless of the response's status. */
typedef enum {
    IDV_ENDPOINT_SILENT, /* no response */
    IDV_ENDPOINT_SLOW,   /* a response after a long time */
    IDV_ENDPOINT_QUICK   /* a prompt response */
} idv_endpoint_answer_t;

typedef struct idv_endpoint_limits_t idv_endpoint_limits_t;

/* MAXIMUM per endpoint, TOTAL for all. */
idv_endpoint_limits_t *idv_endpoint_limits_create(int maximum, int total,
                                                  apr_pool_t *pool);

/* Embedded in a delivery that waits for its endpoint. */
typedef struct idv_endpoint_waiter_t idv_endpoint_waiter_t;
struct idv_endpoint_waiter_t {
    idv_endpoint_waiter_t *next;
};

/* Records a claimed delivery. Non-zero: it has a slot of its endpoint. Zero:
 * the endpoint is full, and WAITER waits for a slot. */
int idv_endpoint_limits_begin(idv_endpoint_limits_t *limits,
                              const char *endpoint_id,
                              idv_endpoint_waiter_t *waiter);

/* Gives a slot to the delivery that has waited longest and returns its waiter;
 * NULL if none waits or the endpoint is full. */
idv_endpoint_waiter_t *idv_endpoint_limits_next(idv_endpoint_limits_t *limits,
                                                const char *endpoint_id);

/* Releases the slot of a delivery that is not sent after all. */
void idv_endpoint_limits_cancel(idv_endpoint_limits_t *limits,
                                const char *endpoint_id);

/* Records the end of an exchange with ANSWER at NOW (monotonic milliseconds).
 * Non-zero if there is now room for deliveries that earlier claims had to
 * skip. */
int idv_endpoint_limits_end(idv_endpoint_limits_t *limits,
                            const char *endpoint_id,
                            idv_endpoint_answer_t answer, idv_time_t now);

/* The room for a claim at NOW (monotonic milliseconds), in POOL: sets limit,
 * rooms, room_count, default_room. */
void idv_endpoint_limits_room(idv_endpoint_limits_t *limits,
                              idv_delivery_claim_t *claim, idv_time_t now,
                              apr_pool_t *pool);

/* Number of deliveries, of all endpoints, with a slot and waiting for one. */
int idv_endpoint_limits_in_flight(const idv_endpoint_limits_t *limits);
int idv_endpoint_limits_waiting(const idv_endpoint_limits_t *limits);

#endif
