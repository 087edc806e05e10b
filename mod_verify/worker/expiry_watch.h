/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_EXPIRY_WATCH_H
#define IDV_WORKER_EXPIRY_WATCH_H

/*
 * Has the watchdog tell operators of what ends unless they renew it
 * (domain/trust/expiry.h): a line of the error log for each, when the watchdog starts
 * and then once a day, and three gauges (worker/statistics.h), which are read
 * every five minutes. On several nodes each tells.
 *
 * Threads and memory: see worker.h. Failures: of the database, logged as others;
 * the next look tries again.
 */
#include "worker/worker.h"

typedef struct idv_expiry_watch_t idv_expiry_watch_t;

idv_expiry_watch_t *idv_expiry_watch_create(idv_worker_t *worker,
                                            apr_pool_t *pool);

/* No more looks. */
void idv_expiry_watch_stop(idv_expiry_watch_t *watch);

#endif
