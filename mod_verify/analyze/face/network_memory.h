/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_MEMORY_H
#define IDV_ANALYZE_FACE_NETWORK_MEMORY_H

/*
 * Memory for the weights and values of networks: zeros that cost nothing before they
 * are used, in large pages where the kernel has them. A process that is forked
 * shares them, and starts faster because there are few.
 *
 * Memory: blocks of some megabytes, which live as long as the pool. Threads: none.
 */
#include <apr_pools.h>

typedef struct {
    apr_pool_t *pool;
    char *next; /* the rest of the newest block */
    apr_size_t left;
} idv_network_memory_t;

/* COUNT zeros, aligned as vectors require; NULL if there is no memory. */
float *idv_network_memory_take(idv_network_memory_t *memory, apr_size_t count);

#endif
