/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/webhook/endpoint_limit.h"

#include <apr_hash.h>
#include <apr_strings.h>

#define MAX_KNOWN 4096

typedef struct {
    apr_pool_t *pool;
    const char *id;
    int limit;                           /* on deliveries in flight */
    int quick;                           /* its last answer was quick */
    int in_flight, waiting;              /* deliveries */
    idv_endpoint_waiter_t *first, **end; /* the waiting ones */
    idv_time_t window; /* the beginning of the current window of answers */
    int answers;       /* in the current window */
    int pace;          /* answers in the window before it */
} endpoint_t;

struct idv_endpoint_limits_t {
    apr_pool_t *pool;
    apr_hash_t *by_id;
    int maximum, start, total;
    int in_flight, waiting;
    int unproved;  /* deliveries in flight to endpoints that are not proved */
    int curtailed; /* the last claim got less than endpoints had room for,
                    * because too few slots were left */
};

/* How much a claim can take for unproved endpoints. */
typedef enum {
    NOTHING,
    ONE_EACH,  /* one delivery for each endpoint that has none in flight */
    LIMIT_EACH /* as many deliveries as the limit of each endpoint allows */
} allowance_t;

idv_endpoint_limits_t *idv_endpoint_limits_create(int maximum, int total,
                                                  apr_pool_t *pool)
{
    idv_endpoint_limits_t *limits = apr_pcalloc(pool, sizeof(*limits));

    apr_pool_create(&limits->pool, pool);
    limits->by_id = apr_hash_make(limits->pool);
    limits->maximum = maximum;
    limits->total = total;
    limits->start =
        maximum < IDV_ENDPOINT_LIMIT_START ? maximum : IDV_ENDPOINT_LIMIT_START;
    return limits;
}

/* A proved endpoint answers quickly and has not been silent of late: deliveries
 * to it do not keep slots for long. */
static int is_proved(const idv_endpoint_limits_t *limits,
                     const endpoint_t *endpoint)
{
    return endpoint->quick && endpoint->limit >= limits->start;
}

static int is_busy(const endpoint_t *endpoint)
{
    return endpoint->in_flight || endpoint->waiting;
}

static void count_answer(endpoint_t *endpoint, idv_time_t now)
{
    idv_time_t elapsed = now - endpoint->window;

    if (elapsed >= IDV_ENDPOINT_PACE_WINDOW) {
        endpoint->pace =
            (int)(endpoint->answers * IDV_ENDPOINT_PACE_WINDOW / elapsed);
        endpoint->window = now;
        endpoint->answers = 0;
    }
    endpoint->answers++;
}

/* The answers that ENDPOINT may give in one window: the most that it has given
 * in the last two. */
static int pace_of(const endpoint_t *endpoint, idv_time_t now)
{
    if (now - endpoint->window >= 2 * IDV_ENDPOINT_PACE_WINDOW)
        return 0;
    return endpoint->pace > endpoint->answers ? endpoint->pace
                                              : endpoint->answers;
}

/* How many more deliveries may be claimed for ENDPOINT. */
static int room_of(const idv_endpoint_limits_t *limits,
                   const endpoint_t *endpoint, idv_time_t now)
{
    int ahead = 0;

    if (is_proved(limits, endpoint)) {
        ahead = pace_of(endpoint, now);
        if (ahead > IDV_ENDPOINT_LOOK_AHEAD)
            ahead = IDV_ENDPOINT_LOOK_AHEAD;
        if (ahead < endpoint->limit)
            ahead = endpoint->limit;
    }
    return endpoint->limit + ahead - endpoint->in_flight - endpoint->waiting;
}

/* The current allowance of unproved endpoints. Half of all slots are for any
 * endpoint. A quarter more is for one delivery to each endpoint without any in
 * flight, because a new endpoint may turn out to be quick. The last quarter is
 * only for proved endpoints. *SPACE is the number of deliveries that can be
 * claimed for the others. A space of only a few deliveries counts as none: it
 * bounds the whole claim and would make claims for proved endpoints small. */
static allowance_t allowance_of(const idv_endpoint_limits_t *limits, int *space)
{
    int half = (limits->total + 1) / 2;
    int least =
        half < IDV_ENDPOINT_LIMIT_START ? half : IDV_ENDPOINT_LIMIT_START;

    *space = half - limits->unproved;
    if (*space >= least)
        return LIMIT_EACH;
    *space += limits->total / 4;
    return *space >= least ? ONE_EACH : NOTHING;
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
    endpoint_t *endpoint = apr_hash_get(limits->by_id, id, APR_HASH_KEY_STRING);
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

static void judge(idv_endpoint_limits_t *limits, endpoint_t *endpoint,
                  idv_endpoint_answer_t answer)
{
    endpoint->quick = answer == IDV_ENDPOINT_QUICK;
    endpoint->limit = answer == IDV_ENDPOINT_SILENT ? endpoint->limit / 2
                                                    : endpoint->limit * 2;
    if (endpoint->limit < 1)
        endpoint->limit = 1;
    if (endpoint->limit > limits->maximum)
        endpoint->limit = limits->maximum;
}

int idv_endpoint_limits_end(idv_endpoint_limits_t *limits,
                            const char *endpoint_id,
                            idv_endpoint_answer_t answer, idv_time_t now)
{
    endpoint_t *endpoint = find(limits, endpoint_id);
    int was_full = room_of(limits, endpoint, now) <= 0, space;
    allowance_t allowance = allowance_of(limits, &space);

    if (!is_proved(limits, endpoint))
        limits->unproved -= endpoint->in_flight;
    endpoint->in_flight--;
    limits->in_flight--;
    judge(limits, endpoint, answer);
    if (answer == IDV_ENDPOINT_QUICK)
        count_answer(endpoint, now);
    if (!is_proved(limits, endpoint))
        limits->unproved += endpoint->in_flight;
    return was_full || limits->curtailed
        || allowance_of(limits, &space) > allowance;
}

static int half_of_rest(const idv_endpoint_limits_t *limits)
{
    return (limits->total - limits->in_flight - limits->waiting + 1) / 2;
}

/* No endpoint gets more than half of the slots that are left, so an endpoint
 * that comes next finds as much as the last one did, however many there are.
 * ROOM is what the endpoint could take, HAS what it has claimed already. */
static int curtail(idv_endpoint_limits_t *limits, int room, int has)
{
    int most = half_of_rest(limits) - has;

    if (room <= most)
        return room;
    limits->curtailed = 1;
    return most < 0 ? 0 : most;
}

/* How many deliveries a claim may take for ENDPOINT. */
static int claim_room(idv_endpoint_limits_t *limits, const endpoint_t *endpoint,
                      allowance_t allowance, idv_time_t now)
{
    if (allowance == LIMIT_EACH || is_proved(limits, endpoint))
        return curtail(limits, room_of(limits, endpoint, now),
                       endpoint->in_flight + endpoint->waiting);
    return allowance == ONE_EACH && !is_busy(endpoint);
}

/* Whether ENDPOINT would get from a claim what an unknown endpoint gets, so
 * that the claim need not name it: it is idle, unknown endpoints may have their
 * limit, and so may it, and it has not answered more in the last windows than
 * an unknown one may have in flight. */
static int is_as_unknown(const idv_endpoint_limits_t *limits,
                         const endpoint_t *endpoint, allowance_t allowance,
                         idv_time_t now)
{
    return !is_busy(endpoint) && allowance == LIMIT_EACH
        && endpoint->limit >= limits->start
        && !(endpoint->quick && pace_of(endpoint, now) > limits->start);
}

void idv_endpoint_limits_room(idv_endpoint_limits_t *limits,
                              idv_delivery_claim_t *claim, idv_time_t now,
                              apr_pool_t *pool)
{
    idv_delivery_room_t *room =
        apr_palloc(pool, (apr_hash_count(limits->by_id) + 1) * sizeof(*room));
    apr_hash_index_t *index = apr_hash_first(NULL, limits->by_id);
    int space;
    allowance_t allowance = allowance_of(limits, &space);

    limits->curtailed = 0;
    claim->limit = half_of_rest(limits);
    if (allowance != NOTHING && claim->limit > space)
        claim->limit = space;
    claim->default_room = allowance == LIMIT_EACH
                            ? curtail(limits, limits->start, 0)
                            : allowance == ONE_EACH;
    claim->rooms = room;
    for (; index; index = apr_hash_next(index)) {
        endpoint_t *endpoint = apr_hash_this_val(index);

        if (is_as_unknown(limits, endpoint, allowance, now))
            continue;
        room->endpoint_id = endpoint->id;
        room->room = claim_room(limits, endpoint, allowance, now);
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
