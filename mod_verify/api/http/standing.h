/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_HTTP_STANDING_H
#define IDV_API_HTTP_STANDING_H

/*
 * What an API key tells about its organization, for requests without a key.
 *
 * Threads: any, each for its own requests. Memory: the request's pool.
 * Failures: those of idv_request_with_database(), and `resource_missing` for an
 * unknown organization or application.
 */
#include "api/http/request.h"
#include "store/account/organization.h"

/* Reads the standing of the organization and application in SCOPE. */
idv_error_t *idv_request_standing(idv_request_t *request,
                                  const idv_scope_t *scope,
                                  idv_organization_standing_t *found)
    IDV_CHECKED;

#endif
