/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_TIMELINE_H
#define IDV_STORE_SESSION_SESSION_TIMELINE_H

/*
 * The timeline of a session: creation, consent and end, each event with its
 * deliveries, decisions on submissions and reviews, and assessments. It is
 * assembled from what is stored of each, so data deleted after its retention
 * (events, assessments) is missing. It contains nothing personal.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `parameter_invalid` at `cursor`.
 */
#include "store/session/session_lookup.h"

typedef struct {
    const idv_session_t *session;
    const char *cursor; /* of an entry; NULL: from the start */
    int limit;
} idv_timeline_filter_t;

typedef struct {
    idv_time_t at;
    const char *kind;   /* created, consented, completed, cancelled, event,
                         * review,   decision, risk_assessment */
    const char *body;   /* JSON object, depending on the kind */
    const char *cursor; /* continues after this entry */
} idv_timeline_entry_t;

/* A page, oldest first, an array of idv_timeline_entry_t. */
idv_error_t *idv_session_timeline(idv_db_t *db,
                                  const idv_timeline_filter_t *filter,
                                  apr_array_header_t **entries, int *has_more,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
