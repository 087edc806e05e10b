/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_RETAINED_H
#define IDV_WORKER_RETAINED_H

/*
 * What survives a restart of the server: memory and counters that children
 * share, descriptors, names. The parent asks for them in post_config; its
 * children inherit them, and children of the old generation go on using them.
 *
 * At each restart httpd unloads the module before it loads it again, perhaps
 * as another version, of another size, at another address. So nothing that is
 * kept here points into the module: keys and texts are copies, there are no
 * function pointers, and nothing of the module is registered as a cleanup of a
 * pool above the configuration's. What the parent finds was perhaps left by
 * another version; each function says what it believes of that.
 *
 * Threads: the parent only, before any child is there. Memory: nothing is freed
 * before the server ends, but for memory that is replaced by memory of another
 * layout. Failures: the system's, when memory or a descriptor cannot be had.
 */
#include <stdatomic.h>

#include "core/error.h"

/* Zeroed memory that all processes of the server share. The same NAME, VERSION
 * and SIZE (bytes) give the same memory; otherwise it is new, and children of
 * the old generation keep the one they know. VERSION is for the meaning of the
 * bytes: whoever changes it gives it another number. */
idv_error_t *idv_retained_memory(const char *name, unsigned version,
                                 apr_size_t size, void **memory,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Shared counters, each known by its name: NAMES holds COUNT of them, each
 * once, without a line break. VALUES comes in the order of NAMES. With the same
 * list it is the same memory as before. With another one it is new, and each counter
 * whose name is known begins at the value that it has at this moment; what
 * children of the old generation count from then on is lost. */
idv_error_t *idv_retained_counters(const char *name, const char *const *names,
                                   int count, atomic_llong **values,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A descriptor that OPEN makes, with close-on-exec set, when there is none of
 * this NAME. */
typedef idv_error_t *idv_retained_open_t(int *descriptor, apr_pool_t *pool);
idv_error_t *idv_retained_descriptor(const char *name,
                                     idv_retained_open_t *open,
                                     int *descriptor,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A random text that tells this server process from others, no secret: letters,
 * digits, "-" and "_". It lives as long as the process. */
const char *idv_retained_token(const char *name, apr_pool_t *pool);

#endif
