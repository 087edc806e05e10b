/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_HOOKS_RESPONSE_FILTERS_H
#define IDV_HTTPD_HOOKS_RESPONSE_FILTERS_H

/*
 * Output filters for every response of the service, of any handler. They
 * do three things:
 *
 * Errors. The error pages that httpd writes itself (an unreadable request line,
 * a refused Require, a timeout) become the error envelope. An administrator's
 * `ErrorDocument` with an address takes precedence; conf/verify.conf sets it
 * back to the default for the API.
 *
 * Headers of the service that the surrounding site cannot change. `Header
 * always set Content-Security-Policy ...` of a whole site would deprive the
 * hosted page of its script, `Permissions-Policy: camera=()` of the camera, and
 * `Cache-Control: public` would let proxies store personal data. mod_headers
 * writes when the response passes its output filter, which is after every
 * handler. So there are two filters around it: the first notes the headers that
 * the service has set, the second restores them. Only headers that the service
 * itself has set on this response are restored; headers that the site adds stay
 * (Strict-Transport-Security, Server-Timing, cookies).
 *
 * Permissions of other sites' pages (CORS, as in the Fetch standard). The table
 * of routes decides: pages of VerifyCORSOrigins, and no others, may call routes
 * that take a publishable key, with a preflight that needs no key. Pages of all
 * sites (`*`) may call the public routes of the OpenID Connect provider. Cookies
 * are not allowed. The widget needs none of this: its frame is of this origin.
 *
 * Memory: the request's pool. Threads: one request, one thread at a time.
 * Failures: only those of the filters behind.
 */
#include <httpd.h>

#include "core/settings.h"

/* Registers the filters and the hooks that insert them. */
void idv_response_filters_register(void);

/* Sets the CORS headers for any response to R, including httpd's own. Call it
 * when the request line has been read. */
void idv_cross_origin_note(request_rec *r, const idv_settings_t *settings);

#endif
