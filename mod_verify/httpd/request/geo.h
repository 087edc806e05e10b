/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_REQUEST_GEO_H
#define IDV_HTTPD_REQUEST_GEO_H

/*
 * Locates clients by the headers of a trusted proxy (VerifyGeoHeaders), else by
 * their address in a MaxMind database (VerifyGeoDatabase), and classifies their
 * addresses (VerifyRiskAnonymizers). The address is r->useragent_ip, that of
 * mod_remoteip if it is loaded.
 *
 * The databases are opened once per generation of the configuration and shared
 * read-only by all children. Threads: all of a child. Memory: places are in the
 * given pool. Failures: none; unknown values are not set.
 */
#include "api/http/request.h"

/* Both are members of idv_services_t, whose baton is the server's
 * configuration. */

/* Sets the facts that the databases have about ADDRESS in FACTS; the rest is
 * unchanged. */
void idv_geo_look_up(const idv_services_t *services,
                     const struct sockaddr *address,
                     idv_address_facts_t *facts, apr_pool_t *pool);

/* Sets the location of the client of REQUEST, from headers or else from its
 * address; NULL if unknown. */
void idv_geo_locate(const idv_request_t *request, idv_location_t *location);

#endif
