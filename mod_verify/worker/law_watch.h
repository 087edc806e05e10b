/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_LAW_WATCH_H
#define IDV_WORKER_LAW_WATCH_H

/*
 * Has the watchdog announce changes of the law and overdue reviews to the endpoints that
 * asked for it (store/transaction/law_announcement.h): when the watchdog starts, which
 * it also does when the rules are read anew, and once an hour.
 *
 * Threads and memory: see worker.h. Failures: of the database, logged as others; the
 * next look tries again.
 */
#include "worker/deliverer.h"
#include "worker/worker.h"

typedef struct idv_law_watch_t idv_law_watch_t;

/* NULL: there are no rules. */
idv_law_watch_t *idv_law_watch_create(idv_worker_t *worker,
                                      idv_deliverer_t *deliverer,
                                      apr_pool_t *pool);

/* No more looks. */
void idv_law_watch_stop(idv_law_watch_t *watch);

#endif
