/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_SHARED_MEMORY_H
#define IDV_HTTPD_SHARED_MEMORY_H

/*
 * Memory that all children of a server share and that restarts keep.
 *
 * The parent maps it in post_config and its children inherit it at the same
 * address. A segment is known by its name; after a restart the same name and
 * size give the same bytes, while children of the old generation still use
 * them. Another size gives a new segment, filled with zeros.
 */
#include <httpd.h>

#include "core/error.h"

/* Parent only. The segment is never freed but when its size changes. */
idv_error_t *idv_shared_memory_get(const char *name, apr_size_t size,
                                   void **memory, apr_pool_t *pool) IDV_CHECKED;

#endif
