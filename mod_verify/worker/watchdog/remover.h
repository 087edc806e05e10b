/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_REMOVER_H
#define IDV_WORKER_WATCHDOG_REMOVER_H

/*
 * Deletes sessions and credentials whose retention after their end is over
 * (store/transaction/removal.h), at the watchdog's start and then hourly;
 * nothing while no retention is configured.
 *
 * A page takes some tens of milliseconds of the watchdog, during which
 * deliveries wait. After each page the remover pauses for several times that
 * length, so that even a slow database is idle most of the time. If a page
 * fails, the rest of its organization waits for the next hour. Each hourly run
 * continues where the last one stopped. Once a day, a run starts from the
 * beginning, and so finds the data of organizations disabled meanwhile.
 *
 * Threads and memory: see worker.h. Failures: logged.
 */
#include "worker/process/worker.h"

typedef struct idv_remover_t idv_remover_t;

idv_remover_t *idv_remover_create(idv_worker_t *worker, apr_pool_t *pool);

/* Stops. */
void idv_remover_stop(idv_remover_t *remover);

#endif
