/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_GATE_WATCH_H
#define IDV_WORKER_GATE_WATCH_H

/*
 * Checks the organization and workflow of each age gate (VerifyGate), when the
 * watchdog starts and then every five minutes. A gate that cannot create sessions
 * is written to the error log (IDV0305) when that is first seen, and counted by
 * a gauge (worker/statistics.h). `apachectl configtest` cannot tell: it has no
 * database.
 *
 * Threads and memory: see worker.h. Failures: of the database, logged as others;
 * the next check tries again.
 */
#include "worker/worker.h"

typedef struct idv_gate_watch_t idv_gate_watch_t;

/* NULL when no server has gates. */
idv_gate_watch_t *idv_gate_watch_create(idv_worker_t *worker, apr_pool_t *pool);

/* Ends the checks. */
void idv_gate_watch_stop(idv_gate_watch_t *watch);

#endif
