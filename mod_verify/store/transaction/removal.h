/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_REMOVAL_H
#define IDV_STORE_TRANSACTION_REMOVAL_H

/*
 * Deletion of sessions and credentials that ended long ago, with all dependent
 * rows.
 *
 * A removal visits the organizations, and in each its objects, oldest first, a
 * page at a time; each page is one statement and one transaction. Sessions and
 * credentials that are being changed, or removed by another node, are skipped
 * and left to the next removal. For a locked dependent row a page waits 200 ms;
 * then the rest of the organization is left to the next removal. For every
 * other part of the service a removed object never existed.
 *
 * Removed rows stay in the indexes until PostgreSQL vacuums them, and a scan
 * for the oldest passes over them. So a removal reports the position of the
 * first object that it left, and the next one starts there.
 *
 * conf/manual/privacy.md says what is deleted with a session and what is kept;
 * t/store/removal.t checks the database for tables that it does not mention.
 *
 * Threads: as in store/db/db.h. Memory: the given pool; an idv_removal_t is
 * self-contained. Failures: those of store/db/db.h.
 */
#include "core/id.h"
#include "store/db/db.h"

typedef enum {
    IDV_REMOVAL_SESSION,    /* ended, and unchanged since */
    IDV_REMOVAL_CREDENTIAL, /* expired or revoked */
    IDV_REMOVAL_COUNT
} idv_removal_kind_t;

/* The state of a removal. */
typedef struct {
    idv_removal_kind_t kind;
    idv_time_t cutoff;                 /* objects that ended before */
    char organization_id[IDV_ID_SIZE]; /* the current one; "": none yet */
    char position[IDV_ID_SIZE]; /* last object examined: an id, or the time of
                                 * its end */
    char floor[IDV_ID_SIZE];    /* start position in each organization */
    char left[IDV_ID_SIZE]; /* ... and that for the next removal, once this is
                             * over; "": nothing was left yet */
    int is_over;            /* flag: nothing more, or the search failed */
} idv_removal_t;

/* Starts a removal of KIND, of objects that ended before CUTOFF. FLOOR is
 * `left` of the previous one; "" for the first. */
void idv_removal_begin(idv_removal_t *removal, idv_removal_kind_t kind,
                       idv_time_t cutoff, const char *floor);

/* Examines the next LIMIT objects and deletes the old ones; *REMOVED is their
 * number. Sets is_over if there was no further organization. */
idv_error_t *idv_removal_advance(idv_db_t *db, idv_removal_t *removal,
                                 int limit, apr_int64_t *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

/* After a failure: leaves the rest of the organization to the next removal; if
 * no organization could be found, all of the rest. */
void idv_removal_skip(idv_removal_t *removal);

#endif
