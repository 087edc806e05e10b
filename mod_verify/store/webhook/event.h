/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_EVENT_H
#define IDV_STORE_WEBHOOK_EVENT_H

/*
 * Events, written in the transaction of what they announce, together with a
 * delivery for every subscribed endpoint. There is at most one delivery per
 * event and endpoint, because its id is derived from theirs.
 *
 * Events are shown as they were sent. A key sees the events in its scope; an
 * application-scoped key those about objects of its application.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an event outside of the scope is
 * `resource_missing`.
 */
#include <apr_tables.h>

#include "domain/webhook/event.h"
#include "store/db/lookup.h"

/* An event before it is written. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* of the object; NULL: none */
    const char *object_id;      /* for filtering lists of events */
    idv_event_type_t type;
    const char *object; /* data.object, JSON text */
    idv_time_t created;
} idv_event_draft_t;

/* A complete event: its id and the exact text to send. */
typedef struct {
    const char *id;
    const char *body;
} idv_event_text_t;

/* Assigns an id to DRAFT and creates its text. */
void idv_event_write(const idv_event_draft_t *draft, idv_event_text_t *text,
                     apr_pool_t *pool);

/* Writes DRAFT's event and its deliveries, and adds their number to
 * *DELIVERIES. If there are any, wake the watchdog after the commit. */
idv_error_t *idv_event_insert(idv_db_t *db, const idv_event_draft_t *draft,
                              apr_int64_t *deliveries,
                              apr_pool_t *pool) IDV_CHECKED;

/* A test event, and the endpoint that it is for. */
typedef struct {
    const idv_event_draft_t *draft;
    const char *endpoint_id;
} idv_event_test_t;

/* Writes an event only for ENDPOINT_ID, regardless of its subscriptions; TEXT
 * is its text, *DELIVERY_ID the id of its delivery. */
idv_error_t *idv_event_insert_test(idv_db_t *db, const idv_event_test_t *test,
                                   idv_event_text_t *text,
                                   const char **delivery_id,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The text of the event as signed and sent, or `resource_missing`. */
idv_error_t *idv_event_find(idv_db_t *db, const idv_scope_t *scope,
                            const char *id, const char **event,
                            apr_pool_t *pool) IDV_CHECKED;

/* A query for a page of events in a period; NULL: no filter. */
typedef struct {
    idv_cursor_t cursor;
    const char *type;
    const char *object_id;
    idv_time_t created_from;   /* at this time or later */
    idv_time_t created_before; /* required, see lookup.h */
} idv_event_filter_t;

/* A page of the events of a scope. */
typedef struct {
    idv_scope_t scope;
    idv_event_filter_t filter;
} idv_event_query_t;

/* Newest first, an array of such texts (const char *). */
idv_error_t *idv_event_list(idv_db_t *db, const idv_event_query_t *query,
                            apr_array_header_t **events, int *has_more,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
