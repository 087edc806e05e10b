/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GEO_H
#define IDV_HTTPD_GEO_H

/*
 * Where a client is: by the headers that a trusted proxy sets
 * (VerifyGeoHeaders), else by its address in a MaxMind database
 * (VerifyGeoDatabase). The address is r->useragent_ip, so mod_remoteip counts.
 *
 * The database is opened once per generation of the configuration and shared
 * read-only by all children. Threads: thread-safe.
 */
#include "api/request.h"

/* For idv_services_t; the baton is the server's configuration. */
void idv_geo_look_up(const idv_services_t *services,
                     const struct sockaddr *address,
                     idv_address_facts_t *facts, apr_pool_t *pool);
void idv_geo_locate(const idv_request_t *request, idv_location_t *location);

#endif
