/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_RESPONSE_FILTERS_H
#define IDV_HTTPD_RESPONSE_FILTERS_H

/*
 * What is done to every response of the service on its way out, whoever has
 * made it. Three things:
 *
 * Errors. The error pages that httpd writes itself (a request line that it
 * cannot read, a refused Require, a time-out) become the error envelope. An
 * `ErrorDocument` with an address of the administrator's wins; conf/verify.conf
 * sets it back to the default for the API.
 *
 * Headers of the service that the site around it cannot change. `Header always
 * set Content-Security-Policy ...` of a whole site would leave the hosted page
 * without its script, `Permissions-Policy: camera=()` without the camera, and
 * `Cache-Control: public` would have proxies keep what is about a person.
 * mod_headers writes when the response passes its output filter, which is after
 * every handler. So there are two filters around it: the one before notes what the
 * service has set, the one behind puts it back. Only headers that the service
 * itself has set on this response are put back; other headers that the site adds
 * stay (Strict-Transport-Security, Server-Timing, cookies).
 *
 * What pages of other sites may do (CORS, as in the Fetch standard). The table
 * of routes decides: routes that take a publishable key may be called by pages
 * of VerifyCORSOrigins, and no others; with a preflight, which asks for no key.
 * Cookies are not allowed, nor is `*` ever answered. The widget needs none of
 * this: its frame is of this origin.
 *
 * Memory: the request's pool. Threads: one request, one thread at a time.
 * Failures: none but those of the filters behind.
 */
#include <httpd.h>

#include "core/settings.h"

/* Registers the filters and the hooks that insert them. */
void idv_response_filters_register(void);

/* Sets the CORS headers for any response to R, also for one that httpd gives.
 * Call it when the request line has been read. */
void idv_cross_origin_note(request_rec *r, const idv_settings_t *settings);

#endif
