/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_TIMELINE_H
#define IDV_STORE_SESSION_SESSION_TIMELINE_H

/*
 * What happened to a session, in the order in which it did: creation, consent
 * and end, each event with its deliveries, what was decided about submissions
 * and reviews, and what was assessed. It is put together of what is kept of each,
 * so that what was removed after its time (events, assessments) is in it no
 * longer. There is nothing of the person in it.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `parameter_invalid` at `cursor`.
 */
#include "store/session/session_lookup.h"

typedef struct {
    const idv_session_t *session;
    const char *cursor; /* of an entry; NULL: from the beginning */
    int limit;
} idv_timeline_filter_t;

typedef struct {
    idv_time_t at;
    const char *kind; /* created, consented, completed, cancelled, event, review,
                       * decision, risk_assessment */
    const char *body; /* JSON object, by its kind */
    const char *cursor; /* what is behind this one is asked for by it */
} idv_timeline_entry_t;

/* A page, the first that happened first, as an array of
 * idv_timeline_entry_t. */
idv_error_t *idv_session_timeline(idv_db_t *db,
                                  const idv_timeline_filter_t *filter,
                                  apr_array_header_t **entries, int *has_more,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
