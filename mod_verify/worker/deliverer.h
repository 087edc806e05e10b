/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_DELIVERER_H
#define IDV_WORKER_DELIVERER_H

/*
 * Takes deliveries out of the database, sends them, and records the results.
 *
 * Fairness. Each endpoint has a limit on deliveries in flight, and what the
 * claim takes is shared equally between the endpoints that have work. The limit
 * moves: it starts low, doubles with each answer up to the configured one, and
 * halves with each exchange that brings none. Endpoints whose last answer was
 * not quick together hold at most half of all slots, and then only those that
 * hold none get one more each, up to three quarters: so the rest serves those
 * that answer quickly however many hang or take their time.
 *
 * Pace. What is claimed waits for a moment in which nothing else is ready, so
 * no more exchanges are under way than the receivers' slowness makes useful:
 * connections cost handshakes and memory.
 *
 * What has waited for its endpoint's slot for more than some seconds is given
 * back instead of sent, because the endpoint may have changed. A delivery whose
 * endpoint is disabled or gone when its turn comes ends as failed without an
 * attempt. The database's side is delivery_queue.h.
 *
 * Threads and memory: see worker.h.
 */
#include "worker/worker.h"

typedef struct idv_deliverer_t idv_deliverer_t;

idv_error_t *idv_deliverer_create(idv_worker_t *worker,
                                  idv_deliverer_t **deliverer,
                                  apr_pool_t *pool) IDV_CHECKED;

/* There may be new deliveries. */
void idv_deliverer_wake(idv_deliverer_t *deliverer);

/* Claims nothing more; what is in flight goes on. */
void idv_deliverer_stop(idv_deliverer_t *deliverer);

/* Deliveries claimed, exchanges under way among them. */
int idv_deliverer_in_flight(const idv_deliverer_t *deliverer);

/* Records what has ended and gives the other leases back. */
void idv_deliverer_release(idv_deliverer_t *deliverer);

#endif
