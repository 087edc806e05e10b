/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_GATE_GATE_WATCH_H
#define IDV_WORKER_GATE_GATE_WATCH_H

/*
 * Checks the organization and workflow of each age gate (VerifyGate), when the
 * watchdog starts and then every five minutes. A gate that cannot create
 * sessions is logged as an error when first detected (IDV0305) and counted by a
 * gauge (worker/process/statistics.h). `apachectl configtest` cannot check this,
 * because it has no database.
 *
 * Threads and memory: see worker.h. Failures: database failures are logged like
 * others; the next check retries.
 */
#include "worker/process/worker.h"

typedef struct idv_gate_watch_t idv_gate_watch_t;

/* NULL if no server has gates. */
idv_gate_watch_t *idv_gate_watch_create(idv_worker_t *worker, apr_pool_t *pool);

/* Ends the checks. */
void idv_gate_watch_stop(idv_gate_watch_t *watch);

#endif
