/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_TRUST_EXPIRY_WATCH_H
#define IDV_WORKER_TRUST_EXPIRY_WATCH_H

/*
 * Warns operators about expiring items (domain/trust/expiry.h): one error log
 * line for each, at the watchdog's start and then once a day, and three gauges
 * (worker/process/statistics.h), updated every five minutes. Each node reports
 * independently.
 *
 * Threads and memory: see worker.h. Failures: database failures are logged like
 * others; the next check retries.
 */
#include "worker/process/worker.h"

typedef struct idv_expiry_watch_t idv_expiry_watch_t;

idv_expiry_watch_t *idv_expiry_watch_create(idv_worker_t *worker,
                                            apr_pool_t *pool);

/* Ends the checks. */
void idv_expiry_watch_stop(idv_expiry_watch_t *watch);

#endif
