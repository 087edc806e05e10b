/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_RECOVERY_H
#define IDV_STORE_WEBHOOK_WEBHOOK_RECOVERY_H

/*
 * Recoveries: jobs that redeliver to an endpoint what it missed in a window of
 * time. Of the events created in the window, those with a failed delivery to
 * the endpoint are requeued under the same id. Those that match its current
 * subscriptions but have no delivery get one: the endpoint was disabled, had
 * fewer subscriptions or did not exist then. Other endpoints get nothing.
 *
 * An operator creates a job, at most one running per endpoint; the watchdog of
 * any node advances it by one batch of events at a time. A batch and the job's
 * progress are one statement, so after a crash the job continues after the last
 * batch. A job is held while its endpoint has many untried deliveries, or a
 * newer unclaimed one, or fails with more than a batch pending. So it floods no
 * queue, and current events wait for little of it. It ends as `limited` with
 * the last delivery that it may queue, and is cancelled if its endpoint is
 * deleted or disabled meanwhile.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown endpoint or job is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

#define IDV_RECOVERY_DAYS_MAX 31 /* per window */
#define IDV_RECOVERY_DELIVERIES_MAX 100000 /* queued by one job */

typedef struct {
    const char *id;
    const char *organization_id;
    const char *endpoint_id;
    idv_time_t since, until; /* events at or after SINCE and before UNTIL */
    const char *status;      /* running, finished, limited, cancelled */
    const char *position;    /* last event examined: its id, or its bound */
    apr_int64_t events_examined;
    apr_int64_t deliveries_requeued;
    apr_int64_t deliveries_created;
    idv_time_t created;
    idv_time_t updated;
    idv_time_t finished_at;    /* 0: running */
    idv_time_t examined_until; /* time of the last event examined; 0: none */
} idv_webhook_recovery_t;

/* The window from SINCE (Unix seconds, inclusive) to UNTIL (exclusive), limited
 * to NOW, because future events are not recovered. An empty window, or one
 * longer than IDV_RECOVERY_DAYS_MAX, is `parameter_invalid` at `since`. */
idv_error_t *idv_webhook_recovery_window(apr_int64_t since, apr_int64_t until,
                                         idv_time_t now, idv_time_t window[2],
                                         apr_pool_t *pool) IDV_CHECKED;

/* Creates a job at NOW for an endpoint in SCOPE and the events of WINDOW.
 * `webhook_endpoint_disabled` for a disabled endpoint,
 * `webhook_recovery_running` for one with a running job. Requires a
 * transaction: concurrent creations for one endpoint wait for its end. */
typedef struct {
    idv_scope_t scope;
    const char *endpoint_id;
    idv_time_t window[2];
    idv_time_t now;
} idv_webhook_recovery_order_t;

idv_error_t *
idv_webhook_recovery_create(idv_db_t *db,
                            const idv_webhook_recovery_order_t *order,
                            idv_webhook_recovery_t **recovery,
                            apr_pool_t *pool) IDV_CHECKED;

/* Selects jobs; the endpoint must be in the caller's scope. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
} idv_webhook_recovery_owner_t;

/* The job of an endpoint. */
idv_error_t *
idv_webhook_recovery_find(idv_db_t *db,
                          const idv_webhook_recovery_owner_t *owner,
                          const char *id, idv_webhook_recovery_t **recovery,
                          apr_pool_t *pool) IDV_CHECKED;

/* A job of any endpoint, for verifyctl. */
idv_error_t *idv_webhook_recovery_find_any(idv_db_t *db, const char *id,
                                           idv_webhook_recovery_t **recovery,
                                           apr_pool_t *pool) IDV_CHECKED;

/* A page of an endpoint's jobs, newest first, an array of
 * idv_webhook_recovery_t *. */
typedef struct {
    idv_webhook_recovery_owner_t of;
    idv_cursor_t cursor;
} idv_webhook_recovery_filter_t;

idv_error_t *
idv_webhook_recovery_list(idv_db_t *db,
                          const idv_webhook_recovery_filter_t *filter,
                          apr_array_header_t **recoveries, int *has_more,
                          apr_pool_t *pool) IDV_CHECKED;

/* Advances the running job that has waited longest by up to BATCH events, or
 * postpones it for a second if it is held. *WORKED is 0 if there was none;
 * *QUEUED is the number of deliveries queued. */
idv_error_t *idv_webhook_recovery_advance(idv_db_t *db, int batch, int *worked,
                                          apr_int64_t *queued,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
