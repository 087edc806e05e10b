/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/process/counters.h"

#include <stddef.h>
#include <string.h>

#include <apr_strings.h>

#include "worker/process/retained.h"

const int idv_duration_bounds[IDV_DURATION_BUCKETS] = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 30000};

/* Set once in the parent, before any child exists. */
idv_counters_t *idv_counters;

/* Counters outside the table of routes. */
#define FIXED_COUNTERS                                                         \
    (offsetof(idv_counters_t, requests) / sizeof(atomic_llong))

/* The next three functions write the names of all members in order, and return a
 * pointer past the last name. A bucket is named after its bound, so that a
 * changed bound starts a new counter. */
static const char **name_exemplars(const char **names, apr_pool_t *pool)
{
    for (int i = 0; i <= IDV_DURATION_BUCKETS; i++)
        for (apr_size_t part = 0;
             part < sizeof(idv_exemplar_t) / sizeof(atomic_llong); part++)
            *names++ = apr_psprintf(pool, "exemplars %d %d", i, (int)part);
    return names;
}

static const char **name_fixed(const char **names, apr_pool_t *pool)
{
#define IDV_COUNTER(member, name, help) *names++ = name;
    IDV_COUNTERS(IDV_COUNTER)
#undef IDV_COUNTER
    for (int i = 0; i < IDV_DURATION_BUCKETS; i++)
        *names++ = apr_psprintf(pool, "durations %d", idv_duration_bounds[i]);
    *names++ = "durations longer";
    *names++ = "durations sum";
    return name_exemplars(names, pool);
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
    /* Buckets may have changed, and a child may have died while it wrote. */
    memset(idv_counters->exemplars, 0, sizeof(idv_counters->exemplars));
    return NULL;
}

static void add(atomic_llong *counter, long long value)
{
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

/* --- exemplars --- */

_Static_assert(sizeof(idv_trace_context_t)
                   == sizeof(((idv_exemplar_t *)NULL)->trace),
               "a trace context fills its numbers");

/* If another child writes, its request is as good an example. */
static void write_exemplar(idv_exemplar_t *exemplar, apr_int64_t microseconds,
                           const idv_trace_context_t *trace)
{
    long long version = atomic_load(&exemplar->version);
    long long parts[3];

    if (version % 2
        || !atomic_compare_exchange_strong(&exemplar->version, &version,
                                           version + 1))
        return;
    memcpy(parts, trace, sizeof(parts));
    for (int i = 0; i < 3; i++)
        atomic_store(&exemplar->trace[i], parts[i]);
    atomic_store(&exemplar->duration, microseconds);
    atomic_store(&exemplar->ended, apr_time_as_msec(apr_time_now()));
    atomic_store(&exemplar->version, version + 2);
}

int idv_exemplar_read(int bucket, idv_exemplar_copy_t *copy)
{
    idv_exemplar_t *exemplar = &idv_counters->exemplars[bucket];
    long long version = atomic_load(&exemplar->version);
    long long parts[3];

    if (version == 0 || version % 2)
        return 0;
    for (int i = 0; i < 3; i++)
        parts[i] = atomic_load(&exemplar->trace[i]);
    memcpy(&copy->trace, parts, sizeof(parts));
    copy->duration = atomic_load(&exemplar->duration);
    copy->ended = atomic_load(&exemplar->ended);
    return atomic_load(&exemplar->version) == version;
}

/* --- counting --- */

void idv_count_request(const idv_route_t *route, int status,
                       apr_int64_t microseconds,
                       const idv_trace_context_t *trace)
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
    if (trace)
        write_exemplar(&idv_counters->exemplars[bucket], microseconds, trace);
}
