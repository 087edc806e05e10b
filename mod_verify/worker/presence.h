/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PRESENCE_H
#define IDV_WORKER_PRESENCE_H

/*
 * Has the watchdog tell the others that this node is there and what it has
 * (store/db/server_node.h): when it begins, then every fifteen seconds.
 *
 * Threads and memory: see worker.h. Failures: of the database, logged as others;
 * the next turn tries again, and what could not be removed is no longer counted
 * after a minute.
 */
#include "worker/worker.h"

typedef struct idv_presence_t idv_presence_t;

idv_presence_t *idv_presence_create(idv_worker_t *worker, apr_pool_t *pool);

/* This process ends, or a successor tells from now on. */
void idv_presence_leave(idv_presence_t *presence);

#endif
