/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/process/counters.h"

#include <stddef.h>

#include <apr_strings.h>

#include "worker/process/retained.h"

const int idv_duration_bounds[IDV_DURATION_BUCKETS] = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 30000};

/* Set once in the parent, before any child exists. */
idv_counters_t *idv_counters;

/* Counters outside the table of routes. */
#define FIXED_COUNTERS                                                         \
    (offsetof(idv_counters_t, requests) / sizeof(atomic_llong))

/* The next two functions write the names of all members in order, and return a
 * pointer past the last name. A bucket is named after its bound, so that a
 * changed bound starts a new counter. */
static const char **name_fixed(const char **names, apr_pool_t *pool)
{
#define IDV_COUNTER(member, name, help) *names++ = name;
    IDV_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
    for (int i = 0; i < IDV_DURATION_BUCKETS; i++)
        *names++ = apr_psprintf(pool, "durations %d", idv_duration_bounds[i]);
    *names++ = "durations longer";
    *names++ = "durations sum";
    return names;
}

static const char **name_requests(const char **names, apr_pool_t *pool)
{
    int count;
    const idv_route_t *routes = idv_routes(&count);

    for (int i = 0; i <= count; i++)
        for (int class = 0; class < IDV_STATUS_CLASSES; class++)
            *names++ = i < count
                ? apr_psprintf(pool, "requests %s %s %dxx", routes[i].method,
                               routes[i].pattern, class)
                : apr_psprintf(pool, "requests unknown %dxx", class);
    return names;
}

idv_error_t *idv_counters_init(apr_pool_t *pool)
{
    int routes, count;
    const char **names;
    atomic_llong *values;

    idv_routes(&routes);
    count = (int)FIXED_COUNTERS + (routes + 1) * IDV_STATUS_CLASSES;
    names = apr_palloc(pool, (apr_size_t)count * sizeof(*names));
    name_requests(name_fixed(names, pool), pool);
    IDV_TRY(idv_retained_counters("counters", names, count, &values, pool));
    idv_counters = (idv_counters_t *)values;
    return NULL;
}

static void add(atomic_llong *counter, long long value)
{
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

void idv_count_request(const idv_route_t *route, int status,
                       apr_int64_t microseconds)
{
    int index, bucket = 0;

    if (!idv_counters)
        return;
    if (route)
        index = idv_route_index(route);
    else
        idv_routes(&index);
    if (status >= 100 && status < 600)
        add(&idv_counters->requests[index][status / 100], 1);
    while (bucket < IDV_DURATION_BUCKETS
           && microseconds > idv_duration_bounds[bucket] * 1000LL)
        bucket++;
    add(&idv_counters->durations[bucket], 1);
    add(&idv_counters->duration_sum, microseconds);
}
