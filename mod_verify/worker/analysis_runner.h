/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_ANALYSIS_RUNNER_H
#define IDV_WORKER_ANALYSIS_RUNNER_H

/*
 * Takes submissions out of the database, has verify-analyze read them, decides,
 * and applies the outcome to the session.
 *
 * The reading process is not trusted: what it says is validated, and its end or
 * its silence is a technical failure. A submission that brings the reader down
 * is tried again; after a few attempts the session is told, which costs the
 * person no attempt. Photos that take more than a submission's processor time
 * are not tried again, since they would take it again: they are unreadable.
 *
 * Organizations are served in turn. While a node serves more than one, none of
 * them has all of its places. A submission that is not done after
 * IDV_ANALYZE_PATIENCE_SECONDS, for whatever reason, continues to its limits
 * outside of the places, and another one takes its place. While there is such a
 * submission, no organization has all places. So nobody waits longer than that for
 * another organization's submissions, or for those of the same organization unless
 * more of them hang than there is room for. A job is removed when its outcome is in
 * the session. A job that outlives its outcome finds that the session has moved on,
 * and changes nothing.
 *
 * Threads and memory: see worker.h; evidence lives in a pool for each job and
 * is wiped with it.
 */
#include "worker/deliverer.h"

typedef struct idv_analysis_runner_t idv_analysis_runner_t;

/* DELIVERER is woken for the events of the outcomes. */
idv_error_t *idv_analysis_runner_create(idv_worker_t *worker,
                                        idv_deliverer_t *deliverer,
                                        idv_analysis_runner_t **runner,
                                        apr_pool_t *pool) IDV_CHECKED;

/* There may be new submissions. */
void idv_analysis_runner_wake(idv_analysis_runner_t *runner);

/* Stops taking submissions, and ignores the end of the reading process, which may
 * have been stopped together with this one. */
void idv_analysis_runner_stop(idv_analysis_runner_t *runner);

/* Ends what is under way and gives the jobs back. Also at the start, for what
 * a predecessor of this node had. */
void idv_analysis_runner_release(idv_analysis_runner_t *runner);

/* Ends the reading process, at last. */
void idv_analysis_runner_end(idv_analysis_runner_t *runner);

#endif
