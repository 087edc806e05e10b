/* SPDX-License-Identifier: Apache-2.0 */
#include "httpd/counters.h"

#include "httpd/shared_memory.h"

const int idv_duration_bounds[IDV_DURATION_BUCKETS] = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 30000};

/* Written once in the parent, before any child is there. */
idv_counters_t *idv_counters;

idv_error_t *idv_counters_init(apr_pool_t *pool)
{
    void *memory;

    IDV_TRY(idv_shared_memory_get("mod_verify counters",
                                  sizeof(idv_counters_t), &memory, pool));
    idv_counters = memory;
    return NULL;
}

static void add(atomic_llong *counter, long long value)
{
    atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

void idv_count_request(const idv_route_t *route, int status,
                       apr_int64_t microseconds)
{
    int index = route ? idv_route_index(route) : IDV_COUNTED_ROUTES;
    int bucket = 0;

    if (!idv_counters || index > IDV_COUNTED_ROUTES)
        return;
    if (status >= 100 && status < 600)
        add(&idv_counters->requests[index][status / 100], 1);
    while (bucket < IDV_DURATION_BUCKETS
           && microseconds > idv_duration_bounds[bucket] * 1000LL)
        bucket++;
    add(&idv_counters->durations[bucket], 1);
    add(&idv_counters->duration_sum, microseconds);
}
