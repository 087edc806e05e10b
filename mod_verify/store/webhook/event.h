/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_WEBHOOK_EVENT_H
#define IDV_STORE_WEBHOOK_EVENT_H

/*
 * Events, written in the transaction of what they announce, together with a
 * delivery for every endpoint that subscribes to them. An event and an endpoint
 * have one delivery at most, because its id follows from theirs.
 *
 * Events are shown as they were sent. A key sees the events of its scope: with
 * an application-scoped key those about objects of its application.
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
    const char *object_id;      /* what a list of events is filtered by */
    idv_event_type_t type;
    const char *object; /* data.object, JSON text */
    idv_time_t created;
} idv_event_draft_t;

/* An event ready to be written: its id and the exact text that is sent. */
typedef struct {
    const char *id;
    const char *body;
} idv_event_text_t;

/* Gives DRAFT an id and its text. */
void idv_event_write(const idv_event_draft_t *draft, idv_event_text_t *text,
                     apr_pool_t *pool);

/* Writes DRAFT's event and its deliveries, and adds the number of these to
 * *DELIVERIES. Wake the watchdog after the commit when there are any. */
idv_error_t *idv_event_insert(idv_db_t *db, const idv_event_draft_t *draft,
                              apr_int64_t *deliveries,
                              apr_pool_t *pool) IDV_CHECKED;

/* Writes an event for ENDPOINT_ID alone, whatever that endpoint subscribes to;
 * its text goes to TEXT, the id of its delivery to *DELIVERY_ID. */
idv_error_t *idv_event_insert_test(idv_db_t *db, const idv_event_draft_t *draft,
                                   const char *endpoint_id,
                                   idv_event_text_t *text,
                                   const char **delivery_id,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The text of the event, as it was signed and sent, or `resource_missing`. */
idv_error_t *idv_event_find(idv_db_t *db, const idv_scope_t *scope,
                            const char *id, const char **event,
                            apr_pool_t *pool) IDV_CHECKED;

/* A page of the events of a time; NULL for other filters that are not asked
 * for. */
typedef struct {
    idv_cursor_t cursor;
    const char *type;
    const char *object_id;
    idv_time_t created_from; /* at this time or later */
    idv_time_t created_before; /* always given, see lookup.h */
} idv_event_filter_t;

/* Newest first, as an array of such texts (const char *). */
idv_error_t *idv_event_list(idv_db_t *db, const idv_scope_t *scope,
                            const idv_event_filter_t *filter,
                            apr_array_header_t **events, int *has_more,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
