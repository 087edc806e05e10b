/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_RECOVERY_H
#define IDV_STORE_WEBHOOK_RECOVERY_H

/*
 * Recoveries: jobs that give an endpoint again what it has missed in a window
 * of time.
 *
 * Of the events created in the window, those whose delivery to the endpoint has
 * failed are queued anew under the same id, and those that it subscribes to (as
 * it does now) without having a delivery get one: from while it was disabled,
 * subscribed to less or did not exist. Other endpoints get nothing.
 *
 * The operator creates a job; the watchdog of any node advances it, a batch of
 * events at a time, and work and progress are one statement: whatever dies,
 * the job goes on where it stood. It is cancelled when its endpoint is deleted
 * or disabled meanwhile.
 *
 * Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "store/db.h"

typedef struct {
    const char *id;
    const char *organization_id;
    const char *endpoint_id;
    idv_time_t since, until; /* events from SINCE on and before UNTIL */
    const char *status;      /* running, finished, cancelled */
    const char *position;    /* id of the last event examined, or its bound */
    apr_int64_t events_examined;
    apr_int64_t deliveries_requeued;
    apr_int64_t deliveries_created;
    idv_time_t created;
    idv_time_t updated;
    idv_time_t finished_at; /* 0: running */
} idv_webhook_recovery_t;

/* Creates a job at NOW for an endpoint of any organization. An endpoint that
 * does not exist or is disabled is `resource_missing`. */
idv_error_t *idv_webhook_recovery_create(idv_db_t *db, const char *endpoint_id,
                                         const idv_time_t window[2],
                                         idv_webhook_recovery_t **recovery,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The job, or `resource_missing`. */
idv_error_t *idv_webhook_recovery_find(idv_db_t *db, const char *id,
                                       idv_webhook_recovery_t **recovery,
                                       apr_pool_t *pool) IDV_CHECKED;

/* The last LIMIT jobs of an endpoint, newest first, as an array of
 * idv_webhook_recovery_t *. */
idv_error_t *idv_webhook_recovery_list(idv_db_t *db, const char *endpoint_id,
                                       int limit,
                                       apr_array_header_t **recoveries,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Advances the running job that has waited longest by up to BATCH events.
 * *WORKED is 0 when there was none; the deliveries queued go to *QUEUED. */
idv_error_t *idv_webhook_recovery_advance(idv_db_t *db, int batch, int *worked,
                                          apr_int64_t *queued,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
