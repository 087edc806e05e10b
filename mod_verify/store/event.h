/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_EVENT_H
#define IDV_STORE_EVENT_H

/*
 * Events, written in the transaction of what they announce together with a
 * delivery for every endpoint that subscribes to them.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/event.h"
#include "store/db.h"

/* An event before it is written. */
typedef struct {
    const char *organization_id;
    const char *application_id; /* of the object; NULL: none */
    const char *object_id;      /* what a list of events is filtered by */
    idv_event_type_t type;
    json_t *object; /* data.object */
    idv_time_t created;
} idv_event_draft_t;

/* An event ready to be written: its id and the exact text that is sent. */
typedef struct {
    const char *id;
    const char *body;
    const char *time_part; /* for the ids of its deliveries */
} idv_event_text_t;

idv_error_t *idv_event_write(const idv_event_draft_t *draft,
                             idv_event_text_t *text,
                             apr_pool_t *pool) IDV_CHECKED;

/* Writes and announces; adds the number of deliveries queued to *DELIVERIES. */
idv_error_t *idv_event_insert(idv_db_t *db, const idv_event_draft_t *draft,
                              apr_int64_t *deliveries,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
