/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_READING_PROCESSES_H
#define IDV_WORKER_METHOD_READING_PROCESSES_H

/*
 * The zygotes of verify-analyze, one per kind of evidence
 * (idv_analysis_kind_t): kept alive in the event loop (worker/method/analyzer.h), with
 * each submission sent to the one for its method.
 *
 * They count as ready, also in the metrics' gauge, only when all are, because
 * the claim of a submission does not know its method in advance.
 *
 * Threads and memory: see worker.h. Failures: a process that exits or does not
 * start is logged and restarted (IDV0353); submissions wait meanwhile.
 */
#include "worker/method/analyzer.h"
#include "worker/process/worker.h"

typedef struct idv_reading_processes_t idv_reading_processes_t;

/* Starts them. Calls ON_READY with BATON whenever one of them becomes ready and
 * all are. SETTINGS are copied; their `kind` is ignored. */
idv_reading_processes_t *
idv_reading_processes_create(idv_worker_t *worker,
                             const idv_analyzer_settings_t *settings,
                             void (*on_ready)(void *baton), void *baton,
                             apr_pool_t *pool);

/* Non-zero if submissions of every kind are accepted. */
int idv_reading_processes_ready(const idv_reading_processes_t *processes);

/* idv_analyzer_submit() to the zygote for the method of REQUEST. */
idv_error_t *idv_reading_processes_submit(idv_reading_processes_t *processes,
                                          const idv_analysis_request_t *request,
                                          idv_time_t deadline,
                                          idv_analysis_t **out,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Ignores their exit from now on. */
void idv_reading_processes_stop(idv_reading_processes_t *processes);

/* Ends them; logs each unclean exit. */
void idv_reading_processes_end(idv_reading_processes_t *processes);

#endif
