/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_CONNECTION_SHARE_H
#define IDV_STORE_CONNECTION_SHARE_H

/*
 * Who of those that wait gets the next of a few connections.
 *
 * Each place belongs to an organization, or to nobody in particular while it is
 * not known who asks: that is an owner like the others, so that guessed keys
 * and client secrets take no more than an organization does. When a place
 * becomes free it goes to the owner who has the fewest, and among equals to who
 * has waited longest. The last free place is for an owner who has none: an
 * organization that is alone has all but one, and whoever comes beside it waits
 * for nobody. No owner ever has more than its limit.
 *
 * Searches are the dearest statements that a customer can ask for as often as
 * it likes, so an owner has no more than a quarter of all places for them at
 * once, and twice that number may wait; any other is refused at once
 * (`rate_limit_exceeded`, Retry-After), and keeps no thread waiting. Whoever
 * waits in vain is told `service_unavailable`, with Retry-After as well.
 *
 * Invariant: nobody waits who may enter.
 *
 * Threads: enter and leave may be called from all threads. A place is used by
 * one thread; between the calls it belongs to the share. Memory: the share
 * lives in the pool given at its creation; places are the caller's.
 */
#include <apr_thread_cond.h>

#include "store/db.h"

typedef struct idv_connection_share_t idv_connection_share_t;

/* In use, or waited for. The members are the share's. */
typedef struct idv_connection_place_t {
    apr_uint64_t owner;
    int is_search;
    int is_held;
    apr_thread_cond_t *granted;
    struct idv_connection_place_t *next;
} idv_connection_place_t;

typedef struct {
    int places;               /* in all, 1 or more */
    int of_owner;             /* of one owner at most; 0: all but one */
    apr_interval_time_t wait; /* at most, for a place */
} idv_connection_limits_t;

/* A share without anybody in it. */
idv_error_t *idv_connection_share_create(const idv_connection_limits_t *limits,
                                         idv_connection_share_t **share,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Fills PLACE for CLAIM, or waits until it may; *WAITED says whether it had to.
 * POOL is for the waiting. After an error the place is nobody's. */
idv_error_t *idv_connection_share_enter(idv_connection_share_t *share,
                                        const idv_db_claim_t *claim,
                                        idv_connection_place_t *place,
                                        int *waited,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Gives PLACE, which was entered, to whoever comes next. */
void idv_connection_share_leave(idv_connection_share_t *share,
                                idv_connection_place_t *place);

/* How many wait at this moment. */
int idv_connection_share_waiting(idv_connection_share_t *share);

#endif
