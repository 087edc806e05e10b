/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_WEBHOOK_CLIENT_HOST_H
#define IDV_WORKER_WEBHOOK_CLIENT_HOST_H

/*
 * Webhook clients (out/http_client.h) in the watchdog's event loop, which
 * watches their descriptors and their deadlines.
 *
 * Threads and memory: see worker.h.
 */
#include "out/http_client.h"
#include "worker/worker.h"

/* A client with CONFIG, which is copied. What cannot be watched ends by its
 * timeout and is logged. */
idv_error_t *idv_webhook_client_host_create(
    idv_worker_t *worker, const idv_http_client_config_t *config,
    idv_http_client_t **client, apr_pool_t *pool) IDV_CHECKED;

#endif
