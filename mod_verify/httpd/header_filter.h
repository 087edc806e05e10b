/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_HEADER_FILTER_H
#define IDV_HTTPD_HEADER_FILTER_H

/*
 * Headers of the service that the site around it cannot change.
 *
 * `Header always set Content-Security-Policy …` of a whole site would leave the
 * hosted page without its script, `Permissions-Policy: camera=()` without the
 * camera, and `Cache-Control: public` would have proxies keep what is about a
 * person. mod_headers writes when the answer passes its output filter, which is
 * after every handler. So two filters stand around it: the one before notes
 * what the service has set, the one behind puts it back. Only headers that the
 * service itself has set on this answer are put back; whatever the site adds
 * besides stays (Strict-Transport-Security, Server-Timing, cookies).
 *
 * Memory: the request's pool. Threads: one request, one thread at a time.
 */

/* For the hooks of the module. */
void idv_header_filter_register(void);

#endif
