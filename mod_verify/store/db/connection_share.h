/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_DB_CONNECTION_SHARE_H
#define IDV_STORE_DB_CONNECTION_SHARE_H

/*
 * Decides which waiting thread gets the next of a few connections.
 *
 * A connection in use is a place, and each place has an owner: an organization,
 * or "nobody" while the caller is unknown. Nobody is an owner like any other,
 * so that guessed keys and client secrets use no more places than one
 * organization. A free place goes to the waiting owner with the fewest places,
 * among equals to the one that has waited longest. The last free place is
 * reserved for an owner without any: a lone organization gets all places but
 * one, so that the next owner need not wait. No owner exceeds its limit.
 *
 * Searches are the most expensive statements that a customer can run without
 * limit. So an owner gets at most a quarter of all places for searches at once,
 * and twice that number may wait. Any further search is refused at once
 * (`rate_limit_exceeded`, Retry-After) and blocks no thread. A thread whose
 * wait times out gets `service_unavailable`, also with Retry-After.
 *
 * Invariant: no thread waits while it could have a place.
 *
 * Threads: all threads may enter and leave. A place is used by one thread;
 * between the calls it belongs to the share. Memory: the share lives in the
 * pool given at its creation; places are the caller's. Failures: the two
 * refusals above; failure to create a lock is internal.
 */
#include <apr_thread_cond.h>

#include "store/db/db.h"

typedef struct idv_connection_share_t idv_connection_share_t;

/* A place in use or waited for. The members are private. */
typedef struct idv_connection_place_t {
    apr_uint64_t owner;
    int is_search;
    int is_held;
    apr_thread_cond_t *granted;
    struct idv_connection_place_t *next;
} idv_connection_place_t;

typedef struct {
    int places;               /* total, at least 1 */
    int of_owner;             /* maximum per owner; 0: all but one */
    apr_interval_time_t wait; /* maximum wait for a place */
} idv_connection_limits_t;

/* An empty share. */
idv_error_t *idv_connection_share_create(const idv_connection_limits_t *limits,
                                         idv_connection_share_t **share,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Takes PLACE for CLAIM, waiting if necessary; *WAITED says whether it waited.
 * POOL is for the waiting. After an error PLACE was not taken and must not be
 * released. */
idv_error_t *idv_connection_share_enter(idv_connection_share_t *share,
                                        const idv_db_claim_t *claim,
                                        idv_connection_place_t *place,
                                        int *waited,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Releases PLACE for the next thread. */
void idv_connection_share_leave(idv_connection_share_t *share,
                                idv_connection_place_t *place);

/* Number of threads waiting now. */
int idv_connection_share_waiting(idv_connection_share_t *share);

#endif
