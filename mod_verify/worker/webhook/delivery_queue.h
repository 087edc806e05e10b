/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WEBHOOK_DELIVERY_QUEUE_H
#define IDV_WORKER_WEBHOOK_DELIVERY_QUEUE_H

/*
 * The deliverer's database side: claims deliveries and records results without
 * blocking the event loop.
 *
 * The queue has its own connection, with one running statement at a time,
 * results before claims, while exchanges continue. New deliveries are claimed
 * as soon as a child announces some, retries from the next poll on. Results are
 * recorded in batches; until then the lease protects a delivery from being
 * claimed again. Results that cannot be recorded are kept for later.
 *
 * Threads and memory: see worker.h; a result belongs to its owner until it is
 * settled. Failures: logged. A failed claim may still have been executed; its
 * leased deliveries are claimed again later.
 */
#include "store/webhook/webhook_delivery.h"
#include "worker/process/worker.h"
#include "worker/webhook/endpoint_limit.h"

/* Maximum time for a delivery's whole exchange; its lease is IDV_LEASE_SLACK
 * longer. */
#define IDV_WEBHOOK_TIMEOUT (30 * IDV_SECOND)

typedef struct idv_delivery_queue_t idv_delivery_queue_t;

/* Callbacks of the queue to the deliverer. */
typedef struct {
    /* DELIVERIES are leased to this process; valid during the call. */
    void (*claimed)(void *baton, const idv_delivery_t *deliveries, int count);
    /* RESULT is recorded, or was too late because another process had the
     * lease. */
    void (*settled)(void *baton, idv_delivery_result_t *result);
    void *baton;
} idv_delivery_queue_host_t;

/* A queue whose claims take what LIMITS allow. */
idv_delivery_queue_t *
idv_delivery_queue_create(const idv_worker_t *worker,
                          idv_endpoint_limits_t *limits,
                          const idv_delivery_queue_host_t *host,
                          apr_pool_t *pool);

/* Claims immediately; call it when there may be new deliveries. */
void idv_delivery_queue_wake(idv_delivery_queue_t *queue);

/* The next claim considers both new and repeated deliveries; call it when there
 * is room for deliveries that had none before. */
void idv_delivery_queue_look_again(idv_delivery_queue_t *queue);

/* Claims in DELAY milliseconds, unless nothing is left; call it when there is
 * room. */
void idv_delivery_queue_claim(idv_delivery_queue_t *queue, idv_time_t delay);

/* Records RESULT soon. */
void idv_delivery_queue_settle(idv_delivery_queue_t *queue,
                               idv_delivery_result_t *result);

/* Stops claiming. */
void idv_delivery_queue_stop(idv_delivery_queue_t *queue);

/* Waits until no statement is running. */
void idv_delivery_queue_wait(idv_delivery_queue_t *queue);

/* Records all outstanding results and waits for it. Call it after stop. */
void idv_delivery_queue_finish(idv_delivery_queue_t *queue);

#endif
