/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_ENDPOINT_LIMIT_H
#define IDV_WORKER_ENDPOINT_LIMIT_H

/*
 * How many deliveries each endpoint may have in flight; deliverer.h says why.
 *
 * This is pure bookkeeping without a clock of its own: the deliverer tells of
 * every start and end of an exchange, and asks for the room before a claim.
 *
 * An endpoint that answers quickly may have more deliveries claimed than it has
 * slots. The rest waits here in order, so that no slot is idle until the next
 * claim: as many deliveries as the endpoint answered in the last moments
 * (IDV_ENDPOINT_PACE_WINDOW), but no fewer than its limit and no more than
 * IDV_ENDPOINT_LOOK_AHEAD.
 *
 * An endpoint that has nothing in flight and was not silent lately is forgotten
 * when too many endpoints are known.
 *
 * Memory: a pool of its own below the given one; waiters belong to the
 * deliverer. Threads: one. Failures: none.
 */
#include "store/webhook/webhook_delivery.h"

/* What an endpoint starts with. */
#define IDV_ENDPOINT_LIMIT_START 8

/* Milliseconds over which answers are counted, and how many deliveries may wait
 * for the slots of one endpoint. */
#define IDV_ENDPOINT_PACE_WINDOW 200
#define IDV_ENDPOINT_LOOK_AHEAD 256

/* How an exchange ended, whatever the status of a response. */
typedef enum {
    IDV_ENDPOINT_SILENT, /* no response arrived */
    IDV_ENDPOINT_SLOW,   /* a response arrived, and took long */
    IDV_ENDPOINT_QUICK   /* a response arrived soon */
} idv_endpoint_answer_t;

typedef struct idv_endpoint_limits_t idv_endpoint_limits_t;

/* MAXIMUM for each endpoint, TOTAL for all. */
idv_endpoint_limits_t *idv_endpoint_limits_create(int maximum, int total,
                                                  apr_pool_t *pool);

/* Part of what waits for an endpoint. */
typedef struct idv_endpoint_waiter_t idv_endpoint_waiter_t;
struct idv_endpoint_waiter_t {
    idv_endpoint_waiter_t *next;
};

/* A delivery was claimed. Non-zero: it has a slot of its endpoint. Zero: the
 * endpoint is full, and WAITER waits for a slot. */
int idv_endpoint_limits_begin(idv_endpoint_limits_t *limits,
                              const char *endpoint_id,
                              idv_endpoint_waiter_t *waiter);

/* Gives a slot to the delivery that has waited longest, and returns its waiter;
 * NULL when none waits or the endpoint is full. */
idv_endpoint_waiter_t *idv_endpoint_limits_next(idv_endpoint_limits_t *limits,
                                                const char *endpoint_id);

/* A delivery that had a slot is not sent after all. */
void idv_endpoint_limits_cancel(idv_endpoint_limits_t *limits,
                                const char *endpoint_id);

/* An exchange ended with ANSWER at NOW (monotonic milliseconds). Non-zero when
 * there is room now for deliveries that claims had to leave out before. */
int idv_endpoint_limits_end(idv_endpoint_limits_t *limits,
                            const char *endpoint_id,
                            idv_endpoint_answer_t answer, idv_time_t now);

/* The rooms of a claim at NOW (monotonic milliseconds), in POOL: sets limit,
 * rooms, room_count, default_room. */
void idv_endpoint_limits_room(idv_endpoint_limits_t *limits,
                              idv_delivery_claim_t *claim, idv_time_t now,
                              apr_pool_t *pool);

/* Deliveries of all endpoints that have begun, and that wait. */
int idv_endpoint_limits_in_flight(const idv_endpoint_limits_t *limits);
int idv_endpoint_limits_waiting(const idv_endpoint_limits_t *limits);

#endif
