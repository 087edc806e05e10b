/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_READING_PROCESSES_H
#define IDV_WORKER_READING_PROCESSES_H

/*
 * The zygotes of verify-analyze, one for each kind of evidence
 * (idv_analysis_kind_t): kept alive in the event loop (worker/analyzer.h), and
 * given each submission by the kind of its method.
 *
 * They are ready, and a gauge of the metrics says so, when all of them are: what
 * claims submissions does not know their methods before.
 *
 * Threads and memory: see worker.h. Failures: a process that ends or does not
 * start is logged and started again (IDV0353); submissions wait meanwhile.
 */
#include "worker/analyzer.h"
#include "worker/worker.h"

typedef struct idv_reading_processes_t idv_reading_processes_t;

/* Starts them. ON_READY is called with BATON whenever one of them gets ready and
 * all are. `kind` of SETTINGS, which are copied, is not looked at. */
idv_reading_processes_t *
idv_reading_processes_create(idv_worker_t *worker,
                             const idv_analyzer_settings_t *settings,
                             void (*on_ready)(void *baton), void *baton,
                             apr_pool_t *pool);

/* Non-zero when all submissions are taken. */
int idv_reading_processes_ready(const idv_reading_processes_t *processes);

/* idv_analyzer_submit() to the one that reads the method of REQUEST. */
idv_error_t *idv_reading_processes_submit(idv_reading_processes_t *processes,
                                          const idv_analysis_request_t *request,
                                          idv_time_t deadline,
                                          idv_analysis_t **out,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Does not mind their end any more. */
void idv_reading_processes_stop(idv_reading_processes_t *processes);

/* Ends them; logs which of them did not end cleanly. */
void idv_reading_processes_end(idv_reading_processes_t *processes);

#endif
