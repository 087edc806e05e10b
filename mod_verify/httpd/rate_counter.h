/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_RATE_COUNTER_H
#define IDV_HTTPD_RATE_COUNTER_H

/*
 * Where the requests of each key are counted: in shared memory of this node,
 * or in Redis for several nodes (VerifyRateStore).
 *
 * Windows are fixed minutes of Unix time. Counting is exact over all children,
 * and a restart, graceful or not, does not start a window anew.
 */
#include <httpd.h>

#include "core/clock.h"
#include "core/settings.h"

typedef struct idv_rate_counter_t idv_rate_counter_t;
struct idv_rate_counter_t {
    const char *name;
    /* In the parent, once per generation of the configuration; before it the
     * counter counts nothing. */
    idv_error_t *(*post_config)(const idv_rate_counter_t *counter,
                                const idv_settings_t *settings,
                                apr_pool_t *pconf) IDV_CHECKED;
    /* In each child, before its first request. */
    idv_error_t *(*child_init)(const idv_rate_counter_t *counter,
                               apr_pool_t *pchild) IDV_CHECKED;
    /* Counts a request of KEY (an id) in the window of NOW. *COUNT is how many
     * there are in it with this one; 0: not countable, let it pass. All
     * threads of all children may call this at once. */
    idv_error_t *(*take)(const idv_rate_counter_t *counter, const char *key,
                         idv_time_t now, apr_int64_t *count,
                         apr_pool_t *pool) IDV_CHECKED;
    void *baton;
};

/* In the shared memory of this node. */
extern const idv_rate_counter_t idv_rate_counter_shm;

/* In Redis, for several nodes; while that is away, in shared memory. */
extern const idv_rate_counter_t idv_rate_counter_redis;

#endif
