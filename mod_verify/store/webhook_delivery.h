/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_DELIVERY_H
#define IDV_STORE_WEBHOOK_DELIVERY_H

/*
 * The records of webhook deliveries as their owner sees and repeats them; the
 * watchdog's side of the same rows is store/delivery.h.
 *
 * An event and an endpoint have one record, whose id follows from theirs and
 * begins with the event's time: a list in order of ids is in order of events.
 * Whether an endpoint is the caller's is asked of store/webhook_endpoint.h
 * first; here, but for idv_webhook_delivery_list_near(), it is taken for
 * granted.
 *
 * Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "store/lookup.h"

typedef struct {
    const char *id;
    const char *endpoint_id;
    const char *event_id;
    const char *event_type;
    const char *status;          /* pending, delivered, failed */
    int attempt;                 /* attempts made */
    idv_time_t next_attempt_at;  /* 0: none, or one is under way */
    const char *request_url;     /* NULL: never tried, endpoint gone */
    const char *request_headers; /* JSON object; NULL: never tried */
    const char *body;            /* the text that is sent; NULL: event gone */
    const char *response;        /* JSON object; NULL: none came */
    const char *last_error;      /* JSON object; NULL: none */
    idv_time_t delivered_at;     /* 0: not delivered */
    idv_time_t created;          /* of the event */
    idv_time_t updated;
} idv_webhook_delivery_t;

/* All values of `status`, and NULL behind them. */
extern const char *const idv_webhook_delivery_statuses[];

/* Which record. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
    const char *id;
} idv_webhook_delivery_key_t;

/* The record, or `resource_missing`. */
idv_error_t *idv_webhook_delivery_find(idv_db_t *db,
                                       const idv_webhook_delivery_key_t *key,
                                       idv_webhook_delivery_t **delivery,
                                       apr_pool_t *pool) IDV_CHECKED;

/* A page of an endpoint's records; NULL for what is not asked for. */
typedef struct {
    const char *organization_id;
    const char *endpoint_id;
    idv_cursor_t cursor;
    const char *status;
    const char *event_type;
} idv_webhook_delivery_filter_t;

/* Newest first, as an array of idv_webhook_delivery_t *. */
idv_error_t *
idv_webhook_delivery_list(idv_db_t *db,
                          const idv_webhook_delivery_filter_t *filter,
                          apr_array_header_t **deliveries, int *has_more,
                          apr_pool_t *pool) IDV_CHECKED;

/* A page without filters of an endpoint in SCOPE, in one statement that reads
 * little: only when it is whole with more behind it, and its records are near
 * each other among all of the organization's, as they are where few endpoints
 * get most of the events. NULL in *DELIVERIES when it is not so. */
idv_error_t *
idv_webhook_delivery_list_near(idv_db_t *db, const idv_scope_t *scope,
                               const idv_webhook_delivery_filter_t *filter,
                               apr_array_header_t **deliveries,
                               apr_pool_t *pool) IDV_CHECKED;

/* Queues the delivery anew at NOW, whatever its state: the same record, with
 * no attempt made and nothing of the latest response; or `resource_missing`.
 * Wake the watchdog after the commit. */
idv_error_t *idv_webhook_delivery_requeue(idv_db_t *db,
                                          const idv_webhook_delivery_key_t *key,
                                          idv_time_t now,
                                          apr_pool_t *pool) IDV_CHECKED;

#endif
