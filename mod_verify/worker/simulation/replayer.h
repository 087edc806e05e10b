/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_SIMULATION_REPLAYER_H
#define IDV_WORKER_SIMULATION_REPLAYER_H

/*
 * Runs the jobs of the simulator (store/simulation/workflow_replay.h) in the
 * watchdog, a small batch per turn. After each turn it pauses for nine times
 * its length, so that jobs take at most a tenth of a node's time and deliveries
 * wait for at most one batch. Several jobs take turns.
 *
 * A shadow of a workflow is also such a job; it gets a turn as soon as a
 * session that has ended waits for it.
 *
 * A job that cannot be done, for example because its batch crashed the process
 * several times, fails without affecting other jobs or anything else.
 *
 * Threads and memory: see worker.h. Failures: logged; while the database is
 * unavailable, the next turn retries.
 */
#include "worker/process/worker.h"

typedef struct idv_replayer_t idv_replayer_t;

idv_replayer_t *idv_replayer_create(idv_worker_t *worker, apr_pool_t *pool);

/* Announces a new job. */
void idv_replayer_wake(idv_replayer_t *replayer);

/* Stops. */
void idv_replayer_stop(idv_replayer_t *replayer);

#endif
