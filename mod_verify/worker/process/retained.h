/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_RETAINED_H
#define IDV_WORKER_PROCESS_RETAINED_H

/*
 * Resources that survive a restart of the server: memory and counters shared
 * with children, descriptors, names. The parent requests them in post_config;
 * its children inherit them, and children of the old generation continue to use
 * them.
 *
 * At each restart httpd unloads the module and loads it again, perhaps in
 * another version, with another size, at another address. So nothing kept here
 * points into the module: keys and texts are copies, there are no function
 * pointers, and no code of the module is registered as a cleanup of a pool
 * above the configuration's. Existing resources may come from another version;
 * each function says what it relies on.
 *
 * Threads: only the parent, before any child exists. Memory: nothing is freed
 * before the server ends, except memory replaced by another layout. Failures:
 * of the system, if memory or a descriptor is unavailable.
 */
#include <stdatomic.h>

#include "core/error.h"

/* Zeroed memory shared by all processes of the server. The same NAME, VERSION
 * and SIZE (bytes) return the same memory; otherwise it is new, and children of
 * the old generation keep theirs. VERSION stands for the meaning of the bytes:
 * change it whenever that changes. */
idv_error_t *idv_retained_memory(const char *name, unsigned version,
                                 apr_size_t size, void **memory,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Shared counters, identified by name: NAMES has COUNT distinct names without
 * line breaks. VALUES is in the order of NAMES. The same list returns the same
 * memory. A different list gets new memory, in which known names start at their
 * current values; later counts of children of the old generation are lost. */
idv_error_t *idv_retained_counters(const char *name, const char *const *names,
                                   int count, atomic_llong **values,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A descriptor with close-on-exec, created by OPEN unless one with this NAME
 * exists. */
typedef idv_error_t *idv_retained_open_t(int *descriptor, apr_pool_t *pool);
idv_error_t *idv_retained_descriptor(const char *name,
                                     idv_retained_open_t *open,
                                     int *descriptor,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A random text that identifies this server process; not a secret. Letters,
 * digits, "-" and "_". It lives as long as the process. */
const char *idv_retained_token(const char *name, apr_pool_t *pool);

#endif
