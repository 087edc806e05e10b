/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_SITE_CHECK_H
#define IDV_HTTPD_START_SITE_CHECK_H

/*
 * Finds directives of the site that come between the service and its requests,
 * and reports them at `configtest` and at each start.
 *
 * The service answers where `SetHandler verify` and `SetHandler verify-metrics`
 * apply. In the order in which httpd merges sections, the last matching
 * <Location> decides. So a <Location "/"> after verify.conf can pass the
 * service's paths with every key to another server (ProxyPass), require another
 * login (AuthType, Require), or open /metrics; and a ProxyPass or RewriteRule
 * of the whole site comes before every handler. All of these are legal, and
 * some are meant. So each is a warning that names the directive, its file and
 * line, the affected paths and the remedy.
 *
 * The check evaluates httpd's tree of directives (httpd/configuration/site.h)
 * for each path of the service. If it cannot know, it says nothing.
 *
 * Threads: only the parent, while it reads the configuration. Memory: released
 * before the check returns. Failures: none; it warns and never keeps the server
 * from starting.
 */
#include <httpd.h>
#include <http_config.h>

/* Warns about every such directive of the SERVERS in service. Its memory is a
 * subpool of SCRATCH, destroyed at the end. */
void idv_site_check(server_rec *servers, apr_pool_t *scratch);

/* A SetHandler that maps a path of the service to `verify` in SERVER; NULL:
 * none. */
const ap_directive_t *idv_site_handler(const server_rec *server,
                                       apr_pool_t *scratch);

#endif
