/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_FUNNEL_H
#define IDV_STORE_SESSION_SESSION_FUNNEL_H

/*
 * The conversion funnel of an organization's sessions since a given time, and
 * of each of their methods. It is computed on request from the newest sessions,
 * at most IDV_FUNNEL_MAX, read by their ids with a fixed plan. Nothing is
 * stored in addition, and a busy day costs at most a second.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: only those of store/db/db.h.
 */
#include <jansson.h>

#include "core/clock.h"
#include "store/db/db.h"

/* Maximum sessions considered. */
#define IDV_FUNNEL_MAX 5000

/* {"created_gte", "is_whole", "sessions", "live", "verified", "failed",
 * "abandoned", "under_review", "methods"} of ORGANIZATION_ID's sessions created
 * at FROM or later; if not `is_whole`, of the newest of them. `methods`
 * contains {"method", "offered", "begun", "passed"} for each, counts of
 * sessions, ordered by name, without passive checks. *FUNNEL is a new
 * reference. */
idv_error_t *idv_session_funnel(idv_db_t *db, const char *organization_id,
                                idv_time_t from, json_t **funnel,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
