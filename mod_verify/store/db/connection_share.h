/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_CONNECTION_SHARE_H
#define IDV_STORE_DB_CONNECTION_SHARE_H

/*
 * Which of the waiting threads gets the next of a few connections.
 *
 * A connection in use is a place, and each place has an owner: an organization,
 * or nobody in particular while it is not known who asks. Nobody is an owner
 * like the others, so that guessed keys and client secrets take no more than an
 * organization does. A place that becomes free goes to the waiting owner with
 * the fewest places, and among equals to the one that has waited longest. The
 * last free place is for an owner that has none: an organization that is alone
 * has all places but one, and the next owner that comes need not wait. No owner
 * ever has more than its limit.
 *
 * Searches are the dearest statements that a customer can ask for as often as
 * it likes. So an owner has no more than a quarter of all places for searches
 * at once, and twice that number may wait; any further search is refused at
 * once (`rate_limit_exceeded`, Retry-After), and keeps no thread waiting. A
 * thread that waits in vain is told `service_unavailable`, with Retry-After as
 * well.
 *
 * Invariant: no thread waits whose place may be had.
 *
 * Threads: enter and leave may be called from all threads. A place is used by
 * one thread; between the calls it belongs to the share. Memory: the share
 * lives in the pool given at its creation; places are the caller's. Failures:
 * the two refusals above; a lock that cannot be made is internal.
 */
#include <apr_thread_cond.h>

#include "store/db/db.h"

typedef struct idv_connection_share_t idv_connection_share_t;

/* A place in use, or waited for. The members are the share's. */
typedef struct idv_connection_place_t {
    apr_uint64_t owner;
    int is_search;
    int is_held;
    apr_thread_cond_t *granted;
    struct idv_connection_place_t *next;
} idv_connection_place_t;

typedef struct {
    int places;               /* in all, 1 or more */
    int of_owner;             /* most that one owner has; 0: all but one */
    apr_interval_time_t wait; /* longest wait for a place */
} idv_connection_limits_t;

/* A share without anybody in it. */
idv_error_t *idv_connection_share_create(const idv_connection_limits_t *limits,
                                         idv_connection_share_t **share,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Fills PLACE for CLAIM, or waits until that is allowed; *WAITED says whether
 * it had to wait. POOL is for the waiting. After an error PLACE is not entered
 * and need not be left. */
idv_error_t *idv_connection_share_enter(idv_connection_share_t *share,
                                        const idv_db_claim_t *claim,
                                        idv_connection_place_t *place,
                                        int *waited,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Gives up PLACE, which was entered, for the next thread. */
void idv_connection_share_leave(idv_connection_share_t *share,
                                idv_connection_place_t *place);

/* How many threads wait at this moment. */
int idv_connection_share_waiting(idv_connection_share_t *share);

#endif
