/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_FUZZ_H
#define IDV_T_FUZZ_H

/*
 * What fuzz targets begin with: a pool for each input, and promises that have
 * to be kept whatever a stranger sends.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>
#include <apr_strings.h>

/* A broken promise is a crash, which the fuzzer keeps. */
#define promise(condition)                                                     \
    do {                                                                       \
        if (!(condition))                                                      \
            abort();                                                           \
    } while (0)

static inline apr_pool_t *fuzz_pool(void)
{
    static apr_pool_t *parent;
    apr_pool_t *pool;

    if (!parent) {
        promise(apr_initialize() == APR_SUCCESS);
        promise(apr_pool_create(&parent, NULL) == APR_SUCCESS);
    }
    promise(apr_pool_create(&pool, parent) == APR_SUCCESS);
    return pool;
}

#endif
