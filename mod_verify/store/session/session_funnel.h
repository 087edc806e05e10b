/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_FUNNEL_H
#define IDV_STORE_SESSION_SESSION_FUNNEL_H

/*
 * How the sessions of an organization went since a moment, and how far people
 * came with each of their methods. It is counted when it is asked for, of the
 * newest sessions and of no more than IDV_FUNNEL_MAX of them, which are read by
 * their ids, whatever the statistics say: nothing is kept beside the sessions,
 * and a busy day costs no more than that, and a second at most.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h alone.
 */
#include <jansson.h>

#include "core/clock.h"
#include "store/db/db.h"

/* Sessions that are looked at. */
#define IDV_FUNNEL_MAX 5000

/* {"created_gte", "is_whole", "sessions", "live", "verified", "failed",
 * "abandoned", "under_review", "methods"} of the sessions of ORGANIZATION_ID
 * that were created at FROM or later; not `is_whole`: of the newest of them.
 * `methods` has for each {"method", "offered", "begun", "passed"}, sessions
 * all, in the order of their names; passive checks are none. *FUNNEL is a new
 * reference. */
idv_error_t *idv_session_funnel(idv_db_t *db, const char *organization_id,
                                idv_time_t from, json_t **funnel,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
