/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERER_H
#define IDV_WORKER_DELIVERER_H

/*
 * Takes deliveries out of the database, sends them, and records the results.
 *
 * A delivery's way: the queue (delivery_queue.h) claims it; it gets a slot of
 * its endpoint, or waits for one (endpoint_limit.h); in a moment of leisure it
 * is signed (delivery_attempt.h) and sent (out/http_client.h); the verdict on
 * the attempt and the record of the response go back to the queue, which
 * settles them.
 *
 * Fairness. Each endpoint has a limit on deliveries in flight, and what a claim
 * takes is shared equally between the endpoints that have work. The limit
 * moves: it starts low, doubles with each answer up to the configured one, and
 * halves with each exchange that brings none. Endpoints whose last answer was
 * not quick together have at most half of all slots; beyond that, endpoints
 * without any slot get one each, up to three quarters of all. So a quarter of
 * the slots serves the endpoints that answer quickly, however many others hang
 * or take their time.
 *
 * Pace. A claimed delivery waits for a moment in which the event loop has
 * nothing else to do, so no more exchanges are under way than the receivers'
 * slowness makes useful: connections cost handshakes and memory.
 *
 * A delivery that has waited for a slot for more than some seconds is given
 * back instead of sent, because its endpoint may have changed. A delivery whose
 * endpoint is disabled or gone when its turn comes ends as failed without an
 * attempt.
 *
 * Threads and memory: see worker.h; each delivery has a pool of its own.
 * Failures: those of the database are logged, and the next poll tries again.
 */
#include "worker/worker.h"

typedef struct idv_deliverer_t idv_deliverer_t;

idv_error_t *idv_deliverer_create(idv_worker_t *worker,
                                  idv_deliverer_t **deliverer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* There may be new deliveries: they are claimed at once. */
void idv_deliverer_wake(idv_deliverer_t *deliverer);

/* Claims nothing more; deliveries in flight go on. */
void idv_deliverer_stop(idv_deliverer_t *deliverer);

/* Deliveries that have a slot: exchanges under way, and those about to be. */
int idv_deliverer_in_flight(const idv_deliverer_t *deliverer);

/* Records the attempts that have ended and gives the leases of the other
 * deliveries back; waits for the database. After stop. */
void idv_deliverer_release(idv_deliverer_t *deliverer);

#endif
