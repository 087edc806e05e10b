/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_QUEUE_H
#define IDV_WORKER_DELIVERY_QUEUE_H

/*
 * The deliverer's side of the database: claims deliveries and records results,
 * without making the event loop wait.
 *
 * The queue has a connection of its own. One statement at a time is under way
 * on it, results before claims, while exchanges go on. Deliveries that were
 * never tried are claimed as soon as a child says that there are some, those
 * that are to be repeated from the next poll on. Results are recorded in
 * batches; until then the lease protects the delivery from being claimed again.
 * Results that cannot be recorded stay for later.
 *
 * Threads and memory: see worker.h; a result belongs to its owner until it is
 * settled. Failures: logged; a claim that failed may have been carried out all
 * the same, and what it leased is claimed again.
 */
#include "store/webhook/webhook_delivery.h"
#include "worker/endpoint_limit.h"
#include "worker/worker.h"

/* How long the whole exchange of a delivery may take; its lease is longer by
 * IDV_LEASE_SLACK. */
#define IDV_WEBHOOK_TIMEOUT (30 * IDV_SECOND)

typedef struct idv_delivery_queue_t idv_delivery_queue_t;

/* What the queue tells the deliverer. */
typedef struct {
    /* DELIVERIES are leased to this process; valid during the call. */
    void (*claimed)(void *baton, const idv_delivery_t *deliveries, int count);
    /* RESULT is recorded, or came when the lease was somebody else's. */
    void (*settled)(void *baton, idv_delivery_result_t *result);
    void *baton;
} idv_delivery_queue_host_t;

/* A queue whose claims take what LIMITS has room for. */
idv_delivery_queue_t *
idv_delivery_queue_create(const idv_worker_t *worker,
                          idv_endpoint_limits_t *limits,
                          const idv_delivery_queue_host_t *host,
                          apr_pool_t *pool);

/* There may be new deliveries: claims at once. */
void idv_delivery_queue_wake(idv_delivery_queue_t *queue);

/* There may be deliveries, new or repeated, that had no room before: the next
 * claim looks for both. */
void idv_delivery_queue_look_again(idv_delivery_queue_t *queue);

/* There is room: claims in DELAY milliseconds, unless nothing is left. */
void idv_delivery_queue_claim(idv_delivery_queue_t *queue, idv_time_t delay);

/* Records RESULT soon. */
void idv_delivery_queue_settle(idv_delivery_queue_t *queue,
                               idv_delivery_result_t *result);

/* Claims nothing more. */
void idv_delivery_queue_stop(idv_delivery_queue_t *queue);

/* Waits until no statement is under way. */
void idv_delivery_queue_wait(idv_delivery_queue_t *queue);

/* Records what is not recorded yet, and waits for it; after stop. */
void idv_delivery_queue_finish(idv_delivery_queue_t *queue);

#endif
