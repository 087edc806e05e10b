/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_OIDC_KEY_WATCH_H
#define IDV_WORKER_OIDC_KEY_WATCH_H

/*
 * Renews the keys that sign ID tokens when they are old, and deletes those that
 * have ended (store/oidc/signing_key.h): when the watchdog starts, and once an
 * hour.
 *
 * Threads and memory: see worker.h. Failures: database failures are logged like
 * others; the next check retries.
 */
#include "worker/process/worker.h"

typedef struct idv_oidc_key_watch_t idv_oidc_key_watch_t;

idv_oidc_key_watch_t *idv_oidc_key_watch_create(idv_worker_t *worker,
                                                apr_pool_t *pool);

/* Ends the checks. */
void idv_oidc_key_watch_stop(idv_oidc_key_watch_t *watch);

#endif
