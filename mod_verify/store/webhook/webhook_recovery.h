/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_WEBHOOK_RECOVERY_H
#define IDV_STORE_WEBHOOK_WEBHOOK_RECOVERY_H

/*
 * Recoveries: jobs that give an endpoint again what it has missed in a window of
 * time. Of the events created in the window, those whose delivery to the
 * endpoint has failed are queued anew under the same id, and those that the
 * endpoint subscribes to (as it does now) without having a delivery get one:
 * from while it was disabled, subscribed to less or did not exist. Other
 * endpoints get nothing.
 *
 * An operator creates a job, of which an endpoint has one running at most; the
 * watchdog of any node advances it by a batch of events at a time. A batch and
 * the job's progress are one statement, so a watchdog that dies leaves the job
 * where the last batch ended. A job is held while its endpoint has many deliveries
 * that were not tried yet, or a newer one that nobody has taken, or fails with
 * more than a batch pending: so it fills no queue, and what happens now waits for
 * little of it. It ends as `limited` with the last delivery that it may queue; it
 * is cancelled when its endpoint is deleted or disabled meanwhile.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an endpoint or a job that does not exist is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"

#define IDV_RECOVERY_DAYS_MAX 31 /* of a window */
#define IDV_RECOVERY_DELIVERIES_MAX 100000 /* that one job queues */

typedef struct {
    const char *id;
    const char *organization_id;
    const char *endpoint_id;
    idv_time_t since, until; /* events from SINCE on and before UNTIL */
    const char *status;      /* running, finished, limited, cancelled */
    const char *position;    /* id of the last event examined, or its bound */
    apr_int64_t events_examined;
    apr_int64_t deliveries_requeued;
    apr_int64_t deliveries_created;
    idv_time_t created;
    idv_time_t updated;
    idv_time_t finished_at;    /* 0: running */
    idv_time_t examined_until; /* time of the last event examined; 0: none was */
} idv_webhook_recovery_t;

/* A window, from SINCE (Unix seconds) on and before UNTIL, which is NOW when it
 * is later: what has not happened yet is in none. One that is empty, or longer
 * than IDV_RECOVERY_DAYS_MAX, is `parameter_invalid` at `since`. */
idv_error_t *idv_webhook_recovery_window(apr_int64_t since, apr_int64_t until,
                                         idv_time_t now, idv_time_t window[2],
                                         apr_pool_t *pool) IDV_CHECKED;

/* Creates a job for an endpoint in SCOPE, at NOW, of the events of WINDOW. A
 * disabled endpoint is `webhook_endpoint_disabled`, one that has a job running
 * `webhook_recovery_running`. Inside of a transaction: creations for one
 * endpoint wait for each other until its end. */
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

/* Which jobs; that the endpoint is the caller's is taken for granted. */
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

/* The job of whichever endpoint, for verifyctl. */
idv_error_t *idv_webhook_recovery_find_any(idv_db_t *db, const char *id,
                                           idv_webhook_recovery_t **recovery,
                                           apr_pool_t *pool) IDV_CHECKED;

/* A page of an endpoint's jobs, newest first, as an array of
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

/* Advances the running job that has waited longest by up to BATCH events, or puts
 * it back for a second when it is held. *WORKED is 0 when there was none; the
 * number of deliveries queued goes to *QUEUED. */
idv_error_t *idv_webhook_recovery_advance(idv_db_t *db, int batch, int *worked,
                                          apr_int64_t *queued,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
