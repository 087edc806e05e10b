/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WATCHDOG_PRESENCE_H
#define IDV_WORKER_WATCHDOG_PRESENCE_H

/*
 * Announces this node and its resources to the others (store/db/server_node.h):
 * at the start, then every fifteen seconds.
 *
 * Threads and memory: see worker.h. Failures: database failures are logged like
 * others; the next turn retries, and an entry that could not be removed is
 * ignored after a minute.
 */
#include "worker/process/worker.h"

typedef struct idv_presence_t idv_presence_t;

idv_presence_t *idv_presence_create(idv_worker_t *worker, apr_pool_t *pool);

/* To be called when this process ends or a successor takes over. */
void idv_presence_leave(idv_presence_t *presence);

#endif
