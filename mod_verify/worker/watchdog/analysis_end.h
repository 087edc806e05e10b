/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_ANALYSIS_END_H
#define IDV_WORKER_WATCHDOG_ANALYSIS_END_H

/*
 * How a submission under way (analysis_run.h) ends. Each of these functions
 * releases the run.
 *
 * Threads and memory: as in analysis_runner.h. Failures: none. If the database
 * fails, the lease brings the job back.
 */
#include "worker/watchdog/analysis_run.h"

/* Decides by the findings of RUN, and applies the outcome to the session. */
void idv_analysis_run_decide(idv_analysis_run_t *run);

/* Keeps the answer to a question, and has done what follows from it. */
void idv_analysis_run_answer(idv_analysis_run_t *run);

/* A technical failure, which must not cost the person an attempt: retries the
 * job, or informs the session. */
void idv_analysis_run_fail(idv_analysis_run_t *run, const char *why);

/* Ends a submission that takes too long to be read: another try would take as
 * long, so the evidence counts as unreadable. */
void idv_analysis_run_give_up(idv_analysis_run_t *run);

/* Puts the job back until DELAY has passed. If UNTRIED, it counts as no
 * attempt. */
void idv_analysis_run_postpone(idv_analysis_run_t *run, idv_time_t delay,
                               int untried);

/* Removes a job whose session or evidence has gone. */
void idv_analysis_run_drop(idv_analysis_run_t *run);

#endif
