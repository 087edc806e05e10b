/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_ANALYSIS_RUNNER_H
#define IDV_WORKER_WATCHDOG_ANALYSIS_RUNNER_H

/*
 * Takes submissions from the database, has verify-analyze read them, decides,
 * and applies the outcome to the session.
 *
 * The reading process is untrusted: its output is validated, and its exit or
 * silence is a technical failure. A submission that crashes the reader is
 * retried. After a few attempts the session is informed, which costs the person
 * no attempt. Photos that exceed a submission's processor time are not retried,
 * because they would exceed it again; they are unreadable.
 *
 * Organizations are served in turn.
 * - While a node serves more than one, none of them has all of its places.
 * - A submission that is not done after IDV_ANALYZE_PATIENCE_SECONDS, for
 *   whatever reason, gives its place to another one and continues until its
 *   limits end it. While there is such a submission, no organization has all
 *   places.
 * - So no submission waits longer than that for another one to be read, unless
 *   more submissions hang than there is room for.
 *
 * A job is removed when its outcome is stored in the session. If a job is left
 * over, it finds that the session has moved on, and changes nothing.
 *
 * Threads and memory: see worker.h; evidence lives in a pool per job, wiped
 * with the job.
 */
#include "worker/webhook/deliverer.h"

typedef struct idv_analysis_runner_t idv_analysis_runner_t;

/* DELIVERER is woken for the events of outcomes. */
idv_error_t *idv_analysis_runner_create(idv_worker_t *worker,
                                        idv_deliverer_t *deliverer,
                                        idv_analysis_runner_t **runner,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Call this when there may be new submissions. */
void idv_analysis_runner_wake(idv_analysis_runner_t *runner);

/* Stops taking submissions, and ignores the exit of the reading process, which
 * may have been stopped together with this one. */
void idv_analysis_runner_stop(idv_analysis_runner_t *runner);

/* Ends running analyses and releases the jobs. Also called at the start, for
 * the jobs of this node's predecessor. */
void idv_analysis_runner_release(idv_analysis_runner_t *runner);

/* Ends the reading process. The last call. */
void idv_analysis_runner_end(idv_analysis_runner_t *runner);

#endif
