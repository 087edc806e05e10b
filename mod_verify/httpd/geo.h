/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GEO_H
#define IDV_HTTPD_GEO_H

/*
 * Where a client is: by the headers that a trusted proxy sets
 * (VerifyGeoHeaders), else by its address in a MaxMind database
 * (VerifyGeoDatabase); and what sort of address it has
 * (VerifyRiskAnonymizers). The address of a client is r->useragent_ip, so
 * that of mod_remoteip where that is loaded.
 *
 * The databases are opened once per generation of the configuration and shared
 * read-only by all children. Threads: all of a child. Memory: places are in the
 * given pool. Failures: none; what cannot be found out is not set.
 */
#include "api/http/request.h"

/* Both are for idv_services_t, whose baton is the server's configuration. */

/* Sets what the databases know of ADDRESS in FACTS; the rest stays as it is. */
void idv_geo_look_up(const idv_services_t *services,
                     const struct sockaddr *address,
                     idv_address_facts_t *facts, apr_pool_t *pool);

/* Sets where the client of REQUEST is, by headers or, without them, by its
 * address; NULL where that is not known. */
void idv_geo_locate(const idv_request_t *request, idv_location_t *location);

#endif
