/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_CROSS_ORIGIN_H
#define IDV_HTTPD_CROSS_ORIGIN_H

/*
 * What pages of other sites may do (CORS, as in the Fetch standard). The table
 * of routes decides: those that take a publishable key may be called by pages
 * of VerifyCORSOrigins, and no others; with a preflight, which asks for no key.
 * Cookies are not allowed, nor is `*` ever answered. The widget needs none of
 * it: its frame is of this origin.
 *
 * Threads: as the request's.
 */
#include <httpd.h>

#include "core/settings.h"

/* Sets the headers for any answer to R, also for one that httpd gives. Call it
 * when the request line has been read. */
void idv_cross_origin_note(request_rec *r, const idv_settings_t *settings);

#endif
