/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_SITE_CHECK_H
#define IDV_HTTPD_SITE_CHECK_H

/*
 * What else of a site's configuration comes between the service and its
 * requests, told at `configtest` and at each start.
 *
 * The service answers where `SetHandler verify` and `SetHandler verify-metrics`
 * stand. In the order in which httpd merges sections, the last <Location> that
 * matches decides, so a <Location "/"> after verify.conf can take its paths to
 * another server with every key (ProxyPass), ask for another login (AuthType,
 * Require), or open /metrics; and a ProxyPass or RewriteRule of the whole site
 * comes before every handler. All of these are legal, and some are meant, so
 * each is a warning which names the directive, its file and line, the paths
 * concerned and what to write.
 *
 * The check reads the tree of directives that httpd keeps, and asks it for each
 * path of the service. It decides only what the tree decides: not <If>, .htaccess
 * or conditions of rewriting about anything but REQUEST_URI; where it cannot
 * know, it says nothing.
 *
 * Threads: the parent alone, while it reads the configuration. Memory: what the
 * check needs is given back before it returns. Failures: none; it warns and
 * never keeps the server from starting.
 */
#include <httpd.h>
#include <http_config.h>

/* Warns of every such directive of the SERVERS in service; its
 * memory is a subpool of SCRATCH, destroyed at the end. */
void idv_site_check(server_rec *servers, apr_pool_t *scratch);

/* A SetHandler that gives a path of the service to `verify` in SERVER; NULL:
 * none. */
const ap_directive_t *idv_site_handler(const server_rec *server,
                                       apr_pool_t *scratch);

/* Non-zero when SERVER speaks TLS itself, by mod_ssl, mod_tls or mod_gnutls. */
int idv_site_has_tls(const server_rec *server, apr_pool_t *scratch);

#endif
