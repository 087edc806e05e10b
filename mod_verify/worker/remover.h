/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_REMOVER_H
#define IDV_WORKER_REMOVER_H

/*
 * Removes what ended longer ago than the administrator wants it kept
 * (store/transaction/removal.h), when the watchdog starts and then once an hour; nothing as
 * long as nobody has said how long.
 *
 * A page of it takes some tens of milliseconds of the watchdog, which is as long as
 * a delivery waits for it. After each one there is a pause of several times what
 * it took, so that a slow database is left alone most of the time. When a page
 * fails, the rest of its organization waits for the next hour. An hour begins with
 * what the one before has left; once a day one begins from the beginning, and finds
 * what an organization kept that was disabled meanwhile.
 *
 * Threads and memory: see worker.h. Failures: logged.
 */
#include "worker/worker.h"

typedef struct idv_remover_t idv_remover_t;

idv_remover_t *idv_remover_create(idv_worker_t *worker, apr_pool_t *pool);

/* No more of it. */
void idv_remover_stop(idv_remover_t *remover);

#endif
