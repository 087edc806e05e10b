/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_RECOVERER_H
#define IDV_WORKER_RECOVERER_H

/*
 * Carries out the recoveries that operators have ordered
 * (store/webhook_delivery.h): a batch of events a turn, with a pause between
 * them, so that new deliveries never wait for old ones.
 *
 * Threads and memory: see worker.h.
 */
#include "worker/deliverer.h"

typedef struct idv_recoverer_t idv_recoverer_t;

/* Looks for jobs as often as the watchdog polls; DELIVERER is woken for what
 * they queue. */
idv_recoverer_t *idv_recoverer_create(idv_worker_t *worker,
                                      idv_deliverer_t *deliverer,
                                      apr_pool_t *pool);

/* No more of them. */
void idv_recoverer_stop(idv_recoverer_t *recoverer);

#endif
