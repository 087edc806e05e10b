/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/connection_share.h"

#include <apr_thread_mutex.h>

#define RETRY_AFTER_SECONDS 1
#define SEARCH_PART 4  /* of all places, rounded up, for an owner's searches */
#define SEARCH_QUEUE 2 /* as many times that number may wait */

struct idv_connection_share_t {
    int places, of_owner, of_searches;
    apr_interval_time_t wait;
    apr_thread_mutex_t *mutex; /* guards what follows */
    int in_use;
    idv_connection_place_t *held;
    idv_connection_place_t *waiting; /* first come, first in the list */
};

idv_error_t *idv_connection_share_create(const idv_connection_limits_t *limits,
                                         idv_connection_share_t **out,
                                         apr_pool_t *pool)
{
    idv_connection_share_t *share = apr_pcalloc(pool, sizeof(*share));
    apr_status_t status =
        apr_thread_mutex_create(&share->mutex, APR_THREAD_MUTEX_DEFAULT, pool);

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "making a lock");
    share->places = limits->places;
    share->of_owner = limits->of_owner ? limits->of_owner : limits->places;
    share->of_searches = (limits->places + SEARCH_PART - 1) / SEARCH_PART;
    share->wait = limits->wait;
    *out = share;
    return NULL;
}

/* Tells owners apart (FNV-1a of 64 bits). Places are compared under the lock,
 * each with each, so numbers are compared instead of ids; two organizations
 * with one number would merely share a limit. */
static apr_uint64_t number_of(const char *owner)
{
    apr_uint64_t number = 14695981039346656037u;

    while (owner && *owner)
        number = (number ^ (unsigned char)*owner++) * 1099511628211u;
    return number;
}

/* How many places of LIST belong to the owner of PLACE; with SEARCHES, only
 * those for searches. */
static int count(const idv_connection_place_t *list,
                 const idv_connection_place_t *place, int searches)
{
    int found = 0;

    for (; list; list = list->next)
        found += list->owner == place->owner && (!searches || list->is_search);
    return found;
}

static int has_enough_searches(const idv_connection_share_t *share,
                               const idv_connection_place_t *place)
{
    return place->is_search
        && count(share->held, place, 1) >= share->of_searches;
}

/* Whether PLACE can be granted; its owner already has HELD places. */
static int may_enter(const idv_connection_share_t *share,
                     const idv_connection_place_t *place, int held)
{
    int left = share->places - share->in_use;

    return left > (held > 0) && held < share->of_owner
        && !has_enough_searches(share, place);
}

static void hold(idv_connection_share_t *share, idv_connection_place_t *place)
{
    place->is_held = 1;
    place->next = share->held;
    share->held = place;
    share->in_use++;
}

static void unlink_place(idv_connection_place_t **list,
                         const idv_connection_place_t *place)
{
    while (*list && *list != place)
        list = &(*list)->next;
    if (*list)
        *list = place->next;
}

/* The next waiting place to grant; NULL: none. */
static idv_connection_place_t *next_of(const idv_connection_share_t *share)
{
    idv_connection_place_t *best = NULL;
    int fewest = share->places;

    if (share->in_use == share->places)
        return NULL;
    for (idv_connection_place_t *place = share->waiting; place && fewest > 0;
         place = place->next) {
        int held = count(share->held, place, 0);

        if (held < fewest && may_enter(share, place, held)) {
            fewest = held;
            best = place;
        }
    }
    return best;
}

/* Keeps the invariant after a place became free. */
static void admit_waiting(idv_connection_share_t *share)
{
    idv_connection_place_t *place;

    while ((place = next_of(share))) {
        unlink_place(&share->waiting, place);
        hold(share, place);
        apr_thread_cond_signal(place->granted);
    }
}

/* Waits until PLACE is held, or time is up. The mutex is locked before and
 * after. */
static void wait_for(idv_connection_share_t *share,
                     idv_connection_place_t *place)
{
    apr_time_t deadline = apr_time_now() + share->wait;
    idv_connection_place_t **end = &share->waiting;

    while (*end)
        end = &(*end)->next;
    place->next = NULL;
    *end = place;
    while (!place->is_held) {
        apr_interval_time_t rest = deadline - apr_time_now();

        if (rest <= 0
            || (apr_thread_cond_timedwait(place->granted, share->mutex, rest)
                    != APR_SUCCESS
                && !place->is_held))
            break;
    }
    if (!place->is_held)
        unlink_place(&share->waiting, place);
}

static idv_error_t *too_many_searches(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);

    error->message = "Too many searches of this organization are in progress.";
    error->retry_after = RETRY_AFTER_SECONDS;
    return error;
}

/* The rest of entering, under the lock. */
static idv_error_t *enter(idv_connection_share_t *share,
                          idv_connection_place_t *place, int *waited,
                          apr_pool_t *pool)
{
    apr_status_t status;

    if (may_enter(share, place, count(share->held, place, 0))) {
        hold(share, place);
        return NULL;
    }
    if (place->is_search
        && count(share->waiting, place, 1) >= SEARCH_QUEUE * share->of_searches)
        return too_many_searches(pool);
    status = apr_thread_cond_create(&place->granted, pool);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "making a condition");
    *waited = 1;
    wait_for(share, place);
    if (place->is_held)
        return NULL;
    return has_enough_searches(share, place)
             ? too_many_searches(pool)
             : idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "no database connection became free "
                                     "within %d ms",
                                     (int)(share->wait / 1000));
}

idv_error_t *idv_connection_share_enter(idv_connection_share_t *share,
                                        const idv_db_claim_t *claim,
                                        idv_connection_place_t *place,
                                        int *waited, apr_pool_t *pool)
{
    idv_error_t *error;

    *waited = 0;
    place->owner = number_of(claim->organization_id);
    place->is_search = claim->is_search;
    place->is_held = 0;
    apr_thread_mutex_lock(share->mutex);
    error = enter(share, place, waited, pool);
    apr_thread_mutex_unlock(share->mutex);
    return error;
}

void idv_connection_share_leave(idv_connection_share_t *share,
                                idv_connection_place_t *place)
{
    apr_thread_mutex_lock(share->mutex);
    unlink_place(&share->held, place);
    share->in_use--;
    admit_waiting(share);
    apr_thread_mutex_unlock(share->mutex);
}

int idv_connection_share_waiting(idv_connection_share_t *share)
{
    int waiting = 0;

    apr_thread_mutex_lock(share->mutex);
    for (const idv_connection_place_t *place = share->waiting; place;
         place = place->next)
        waiting++;
    apr_thread_mutex_unlock(share->mutex);
    return waiting;
}
