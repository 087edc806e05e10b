/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_JSON_POINTER_H
#define IDV_CORE_JSON_POINTER_H

/*
 * JSON Pointers (RFC 6901), by which readers of files say where a fault is. The
 * pointer to the whole document is "".
 *
 * Memory: pointers live in the given pool. Threads: pure. Nothing fails.
 */
#include <apr_pools.h>

/* The member KEY of the object at POINTER; "~" and "/" of the key are escaped
 * (RFC 6901, 3). */
const char *idv_json_pointer_member(const char *pointer, const char *key,
                                    apr_pool_t *pool);

/* The element INDEX, from 0, of the array at POINTER. */
const char *idv_json_pointer_element(const char *pointer, apr_size_t index,
                                     apr_pool_t *pool);

#endif
