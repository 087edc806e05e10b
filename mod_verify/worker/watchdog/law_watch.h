/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_LAW_WATCH_H
#define IDV_WORKER_WATCHDOG_LAW_WATCH_H

/*
 * Announces changes of the law and overdue reviews to subscribed endpoints
 * (store/transaction/law_announcement.h): when the watchdog starts, which it
 * also does after the rules were reloaded, and once an hour.
 *
 * Threads and memory: see worker.h. Failures: database failures are logged like
 * others; the next check retries.
 */
#include "worker/process/worker.h"
#include "worker/webhook/deliverer.h"

typedef struct idv_law_watch_t idv_law_watch_t;

/* NULL if there are no rules. */
idv_law_watch_t *idv_law_watch_create(idv_worker_t *worker,
                                      idv_deliverer_t *deliverer,
                                      apr_pool_t *pool);

/* Ends the checks. */
void idv_law_watch_stop(idv_law_watch_t *watch);

#endif
