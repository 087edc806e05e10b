/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_REMOVAL_H
#define IDV_STORE_TRANSACTION_REMOVAL_H

/*
 * Removing sessions and credentials that ended long ago, with all that hangs on
 * them.
 *
 * A removal goes through the organizations, and in each through what it has, the
 * oldest first, a page at a time: each page is one statement and one transaction
 * of its own. Sessions and credentials that somebody changes at this moment, and
 * what another node removes, are passed over; the next removal finds them. For
 * a row that hangs on one and that somebody holds, a page waits 200 ms; then the
 * rest of the organization is left to the next removal. What is
 * removed is to every other part of the service what never was.
 *
 * What was removed stays in the indexes until PostgreSQL cleans them, and who
 * looks for the oldest walks over it. So a removal tells where the first stands
 * that it has left, and the next one begins there.
 *
 * conf/manual/privacy.md says what goes with a session and
 * what stays; t/store/removal.t asks the database for tables that neither says
 * anything of.
 *
 * Threads: as in store/db/db.h. Memory: the given pool; an idv_removal_t holds all
 * that it needs itself. Failures: those of store/db/db.h.
 */
#include "core/id.h"
#include "store/db/db.h"

typedef enum {
    IDV_REMOVAL_SESSION,    /* ended, and not changed since */
    IDV_REMOVAL_CREDENTIAL, /* expired or revoked */
    IDV_REMOVAL_COUNT
} idv_removal_kind_t;

/* Where a removal stands. */
typedef struct {
    idv_removal_kind_t kind;
    idv_time_t cutoff; /* what ended before */
    char organization_id[IDV_ID_SIZE]; /* whose are removed; "": none yet */
    char position[IDV_ID_SIZE]; /* the last that was looked at: an id, or when
                                 * it ended */
    char floor[IDV_ID_SIZE]; /* the position that each organization begins at */
    char left[IDV_ID_SIZE];  /* ... and at which the next removal has to: once it
                              * is over; "": nothing was left yet */
    int is_over; /* there is nothing more, or it could not be looked for */
} idv_removal_t;

/* A removal of KIND that begins; of what ended before CUTOFF. FLOOR is `left` of
 * the one before; "": of the first. */
void idv_removal_begin(idv_removal_t *removal, idv_removal_kind_t kind,
                       idv_time_t cutoff, const char *floor);

/* Looks at the next LIMIT, and removes those that are old; how many goes to
 * *REMOVED. Sets is_over when there was no further organization. */
idv_error_t *idv_removal_advance(idv_db_t *db, idv_removal_t *removal,
                                 int limit, apr_int64_t *removed,
                                 apr_pool_t *pool) IDV_CHECKED;

/* After a failure: leaves the rest of the organization to the next removal; when
 * there is none, because the next one could not be found, all the rest. */
void idv_removal_skip(idv_removal_t *removal);

#endif
