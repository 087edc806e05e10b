/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_FUNNEL_H
#define IDV_STORE_SESSION_SESSION_FUNNEL_H

/*
 * The conversion funnel of an organization's sessions since a given time: in
 * all, per interval, per jurisdiction, per issuer and kind of the document, per
 * browser, and per method; also the verified ones that passed no method. It is
 * computed on request from the newest sessions of each interval, at most
 * IDV_FUNNEL_MAX in all, read by their ids with a fixed plan. Nothing is stored
 * in addition, and a busy day costs at most a second.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: only those of store/db/db.h.
 */
#include <jansson.h>

#include "core/clock.h"
#include "store/db/db.h"

/* Maximum sessions considered. */
#define IDV_FUNNEL_MAX 5000
/* Maximum sessions that the totals of the intervals count. */
#define IDV_FUNNEL_TOTAL_MAX 60000
#define IDV_FUNNEL_INTERVALS_MAX 100

typedef struct {
    const char *organization_id;
    idv_time_t from; /* only sessions created at this time or later */
    idv_time_t interval; /* 0: all of the time is one */
    idv_time_t now;
} idv_funnel_query_t;

/* How many intervals there are from QUERY's `from` until its `now`: at least
 * one, and one more than IDV_FUNNEL_INTERVALS_MAX if there are too many. */
int idv_funnel_intervals(const idv_funnel_query_t *query);

/* The object of /funnel. If it is not `is_whole`, the counts are those of the
 * newest sessions of each interval. `methods` is ordered by name, without
 * passive checks; the other lists have the most frequent ones, first.
 * At most IDV_FUNNEL_INTERVALS_MAX intervals. *FUNNEL is a new reference. */
idv_error_t *idv_session_funnel(idv_db_t *db, const idv_funnel_query_t *query,
                                json_t **funnel, apr_pool_t *pool) IDV_CHECKED;

#endif
