/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/endpoint_limit.h"

#include <apr_hash.h>
#include <apr_strings.h>

#define MAX_KNOWN 4096

typedef struct {
    apr_pool_t *pool;
    const char *id;
    int limit;
    int in_flight, waiting;
    idv_endpoint_waiter_t *first, **end; /* those that wait */
} endpoint_t;

struct idv_endpoint_limits_t {
    apr_pool_t *pool;
    apr_hash_t *by_id;
    int maximum, start, total;
    int in_flight, waiting;
    int unproved; /* in flight to endpoints that have not answered lately */
};

idv_endpoint_limits_t *idv_endpoint_limits_create(int maximum, int total,
                                                  apr_pool_t *pool)
{
    idv_endpoint_limits_t *limits = apr_pcalloc(pool, sizeof(*limits));

    apr_pool_create(&limits->pool, pool);
    limits->by_id = apr_hash_make(limits->pool);
    limits->maximum = maximum;
    limits->total = total;
    limits->start = maximum < IDV_ENDPOINT_LIMIT_START
                        ? maximum
                        : IDV_ENDPOINT_LIMIT_START;
    return limits;
}

/* With a maximum of one there is nothing to double: then all are unproved
 * only while they do not answer. */
static int is_proved(const idv_endpoint_limits_t *limits,
                     const endpoint_t *endpoint)
{
    return endpoint->limit > limits->start
        || endpoint->limit == limits->maximum;
}

static int is_busy(const endpoint_t *endpoint)
{
    return endpoint->in_flight || endpoint->waiting;
}

/* How many more may be claimed. */
static int room_of(const idv_endpoint_limits_t *limits,
                   const endpoint_t *endpoint)
{
    int most = endpoint->limit;

    if (is_proved(limits, endpoint))
        most *= 2;
    return most - endpoint->in_flight - endpoint->waiting;
}

static void forget_idle(idv_endpoint_limits_t *limits)
{
    apr_hash_index_t *index = apr_hash_first(NULL, limits->by_id);

    for (; index; index = apr_hash_next(index)) {
        endpoint_t *endpoint = apr_hash_this_val(index);

        if (is_busy(endpoint) || endpoint->limit < limits->start)
            continue;
        apr_hash_set(limits->by_id, endpoint->id, APR_HASH_KEY_STRING, NULL);
        apr_pool_destroy(endpoint->pool);
    }
}

static endpoint_t *find(idv_endpoint_limits_t *limits, const char *id)
{
    endpoint_t *endpoint =
        apr_hash_get(limits->by_id, id, APR_HASH_KEY_STRING);
    apr_pool_t *pool;

    if (endpoint)
        return endpoint;
    if (apr_hash_count(limits->by_id) >= MAX_KNOWN)
        forget_idle(limits);
    apr_pool_create(&pool, limits->pool);
    endpoint = apr_pcalloc(pool, sizeof(*endpoint));
    endpoint->pool = pool;
    endpoint->id = apr_pstrdup(pool, id);
    endpoint->limit = limits->start;
    endpoint->end = &endpoint->first;
    apr_hash_set(limits->by_id, endpoint->id, APR_HASH_KEY_STRING, endpoint);
    return endpoint;
}

static void count(idv_endpoint_limits_t *limits, endpoint_t *endpoint,
                  int change)
{
    endpoint->in_flight += change;
    limits->in_flight += change;
    if (!is_proved(limits, endpoint))
        limits->unproved += change;
}

static void wait_for(idv_endpoint_limits_t *limits, endpoint_t *endpoint,
                     idv_endpoint_waiter_t *waiter)
{
    waiter->next = NULL;
    *endpoint->end = waiter;
    endpoint->end = &waiter->next;
    endpoint->waiting++;
    limits->waiting++;
}

int idv_endpoint_limits_begin(idv_endpoint_limits_t *limits,
                              const char *endpoint_id,
                              idv_endpoint_waiter_t *waiter)
{
    endpoint_t *endpoint = find(limits, endpoint_id);

    if (endpoint->first || endpoint->in_flight >= endpoint->limit) {
        wait_for(limits, endpoint, waiter);
        return 0;
    }
    count(limits, endpoint, 1);
    return 1;
}

idv_endpoint_waiter_t *idv_endpoint_limits_next(idv_endpoint_limits_t *limits,
                                                const char *endpoint_id)
{
    endpoint_t *endpoint = find(limits, endpoint_id);
    idv_endpoint_waiter_t *waiter = endpoint->first;

    if (!waiter || endpoint->in_flight >= endpoint->limit)
        return NULL;
    endpoint->first = waiter->next;
    if (!endpoint->first)
        endpoint->end = &endpoint->first;
    endpoint->waiting--;
    limits->waiting--;
    count(limits, endpoint, 1);
    return waiter;
}

void idv_endpoint_limits_cancel(idv_endpoint_limits_t *limits,
                                const char *endpoint_id)
{
    count(limits, find(limits, endpoint_id), -1);
}

int idv_endpoint_limits_end(idv_endpoint_limits_t *limits,
                            const char *endpoint_id, int answered)
{
    endpoint_t *endpoint = find(limits, endpoint_id);
    int was_full = room_of(limits, endpoint) <= 0;
    int was_proved = is_proved(limits, endpoint), now_proved;

    count(limits, endpoint, -1);
    endpoint->limit = answered ? endpoint->limit * 2 : endpoint->limit / 2;
    if (endpoint->limit < 1)
        endpoint->limit = 1;
    if (endpoint->limit > limits->maximum)
        endpoint->limit = limits->maximum;
    now_proved = is_proved(limits, endpoint);
    if (was_proved != now_proved)
        limits->unproved += now_proved ? -endpoint->in_flight
                                       : endpoint->in_flight;
    return was_full;
}

void idv_endpoint_limits_room(idv_endpoint_limits_t *limits,
                              idv_delivery_claim_t *claim, apr_pool_t *pool)
{
    int unproved_full = limits->unproved >= (limits->total + 1) / 2;
    idv_delivery_room_t *room = apr_palloc(
        pool, (apr_hash_count(limits->by_id) + 1) * sizeof(*room));
    apr_hash_index_t *index = apr_hash_first(NULL, limits->by_id);

    claim->limit = limits->total - limits->in_flight - limits->waiting;
    claim->default_room = unproved_full ? 0 : limits->start;
    claim->rooms = room;
    for (; index; index = apr_hash_next(index)) {
        endpoint_t *endpoint = apr_hash_this_val(index);

        room->endpoint_id = endpoint->id;
        room->room = unproved_full && !is_proved(limits, endpoint)
                         ? 0
                         : room_of(limits, endpoint);
        /* An idle one that answers is as good as unknown, unless those are
         * refused: fewer to tell the database. */
        if (is_busy(endpoint) || unproved_full
            || endpoint->limit < limits->start)
            room++;
    }
    claim->room_count = (int)(room - claim->rooms);
}

int idv_endpoint_limits_in_flight(const idv_endpoint_limits_t *limits)
{
    return limits->in_flight;
}

int idv_endpoint_limits_waiting(const idv_endpoint_limits_t *limits)
{
    return limits->waiting;
}
