/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WEBHOOK_DELIVERER_H
#define IDV_WORKER_WEBHOOK_DELIVERER_H

/*
 * Takes deliveries from the database, sends them, and records the results.
 *
 * The path of a delivery: the queue (delivery_queue.h) claims it; it gets a
 * slot of its endpoint or waits for one (endpoint_limit.h); when the loop is
 * idle, it is signed (delivery_attempt.h) and sent (out/http_client.h); the
 * verdict and the record of the response return to the queue, which settles
 * them.
 *
 * Fairness: each endpoint has a limit on deliveries in flight, and a claim is
 * shared equally between the endpoints that have work. The limit is dynamic: it
 * starts low, doubles with each answer up to the configured limit, and halves
 * with each exchange without an answer. Endpoints whose last answer was not
 * quick together get at most half of all slots; beyond that, endpoints without
 * a slot get one each, up to three quarters of all. So a quarter of the slots
 * is reserved for quick endpoints, however many others hang or are slow.
 *
 * Pace: a claimed delivery waits until the event loop has nothing else to do,
 * so that no more exchanges run than the receivers' slowness justifies;
 * connections cost handshakes and memory.
 *
 * A delivery that has waited for a slot for more than some seconds is released
 * instead of sent, because its endpoint may have changed. A delivery whose
 * endpoint is disabled or gone at its turn fails without an attempt.
 *
 * Threads and memory: see worker.h; each delivery has its own pool. Failures:
 * database failures are logged, and the next poll retries.
 */
#include "worker/process/worker.h"

typedef struct idv_deliverer_t idv_deliverer_t;

idv_error_t *idv_deliverer_create(idv_worker_t *worker,
                                  idv_deliverer_t **deliverer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Claims new deliveries immediately; call it when there may be some. */
void idv_deliverer_wake(idv_deliverer_t *deliverer);

/* Stops claiming; deliveries in flight continue. */
void idv_deliverer_stop(idv_deliverer_t *deliverer);

/* Number of deliveries with a slot: exchanges that run or are about to. */
int idv_deliverer_in_flight(const idv_deliverer_t *deliverer);

/* Records finished attempts and releases the leases of the other deliveries;
 * waits for the database. Call it after stop. */
void idv_deliverer_release(idv_deliverer_t *deliverer);

#endif
