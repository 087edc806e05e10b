/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_SITE_CAPTURE_H
#define IDV_HTTPD_START_SITE_CAPTURE_H

/*
 * The part of the site check that finds directives which send requests to
 * another server before the service sees them: ProxyPass and RewriteRule.
 *
 * A rewrite condition on anything but REQUEST_URI may be met by only some
 * requests, so its rule is not reported.
 *
 * Threads, memory, failures: those of httpd/start/site_check.h.
 */
#include "httpd/configuration/site.h"

/* Notes such directives for the path of SETTINGS. */
void idv_site_check_capture(const idv_site_t *site,
                            const idv_site_settings_t *settings);

#endif
