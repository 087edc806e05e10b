/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERY_QUEUE_H
#define IDV_WORKER_DELIVERY_QUEUE_H

/*
 * The deliverer's side of the database: claims and results, without waiting.
 *
 * The queue has a connection of its own. One statement at a time is under way
 * on it, results before claims, while deliveries go on. First attempts are
 * claimed as soon as a child says that there are some, repeated ones from the
 * next poll on; results are recorded in batches, and until then the lease
 * protects them. What cannot be recorded stays for later.
 *
 * Threads and memory: see worker.h; a result stays its owner's until settled.
 */
#include "store/webhook_delivery.h"
#include "worker/endpoint_limit.h"
#include "worker/worker.h"

typedef struct idv_delivery_queue_t idv_delivery_queue_t;

/* What the queue tells. */
typedef struct {
    /* These are ours now; they are good during the call. */
    void (*claimed)(void *baton, const idv_delivery_t *deliveries, int count);
    /* RESULT is recorded, or too late. */
    void (*settled)(void *baton, idv_delivery_result_t *result);
    void *baton;
} idv_delivery_queue_host_t;

/* LIMITS says how much of what is claimed. */
idv_delivery_queue_t *
idv_delivery_queue_create(const idv_worker_t *worker,
                          idv_endpoint_limits_t *limits,
                          const idv_delivery_queue_host_t *host,
                          apr_pool_t *pool);

/* There may be new deliveries: claims at once. */
void idv_delivery_queue_wake(idv_delivery_queue_t *queue);

/* There may be new or repeated ones that had no room before. */
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
