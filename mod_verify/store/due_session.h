/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DUE_SESSION_H
#define IDV_STORE_DUE_SESSION_H

/*
 * Sessions for which a time has passed (their own, or their review's), or whose
 * passive checks wait. Only looks; what happens to them is
 * session_transition.h's, which checks again under a lock, so several nodes may
 * look at once. Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "store/db.h"

typedef enum {
    IDV_DUE_EXPIRY,
    IDV_DUE_REVIEW,
    IDV_DUE_CHECKS
} idv_due_kind_t;

typedef struct {
    const char *organization_id;
    const char *id;
    idv_time_t due_at; /* of IDV_DUE_CHECKS, when it was created */
} idv_due_session_t;

/* Up to LIMIT sessions due at NOW, the longest due first, behind AFTER (zeroed:
 * from the beginning; its id "" then). */
idv_error_t *idv_due_session_list(idv_db_t *db, idv_due_kind_t kind,
                                  idv_time_t now,
                                  const idv_due_session_t *after, int limit,
                                  apr_array_header_t **sessions,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
