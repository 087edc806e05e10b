/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WIDGET_PAGE_SITE_H
#define IDV_API_WIDGET_PAGE_SITE_H

/*
 * How browsers identify the page with the widget: by the origin and the host of
 * VerifyPublicURL.
 *
 * Memory: texts live in the given pool. Threads: pure.
 */
#include "core/error.h"

typedef struct {
    const char *origin; /* RFC 6454, 6.2 */
    const char *host;   /* a name, or an address without brackets */
} idv_page_site_t;

/* The site of PUBLIC_URL; an internal error if that is not a URL. */
idv_error_t *idv_page_site(const char *public_url, idv_page_site_t *site,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
