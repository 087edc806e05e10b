/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_REPLAYER_H
#define IDV_WORKER_REPLAYER_H

/*
 * Does the jobs of the simulator (store/simulation/workflow_replay.h) in the watchdog, a
 * small batch a turn. After each turn it rests nine times as long as that took,
 * so that the jobs of a node never take more than a tenth of its time, and
 * deliveries never wait longer than for one batch; several jobs take turns.
 *
 * A shadow of a workflow is such a job, too, and has a turn as soon as a session
 * waits for it that has ended.
 *
 * A job that cannot be done, for instance because its batch has ended the
 * process several times, fails; no other one, and nothing else, is touched by
 * that.
 *
 * Threads and memory: see worker.h. Failures: logged; while the database is
 * away, the next turn tries again.
 */
#include "worker/worker.h"

typedef struct idv_replayer_t idv_replayer_t;

idv_replayer_t *idv_replayer_create(idv_worker_t *worker, apr_pool_t *pool);

/* Says that a job was ordered. */
void idv_replayer_wake(idv_replayer_t *replayer);

/* No more turns. */
void idv_replayer_stop(idv_replayer_t *replayer);

#endif
