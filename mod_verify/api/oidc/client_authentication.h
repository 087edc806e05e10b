/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_OIDC_CLIENT_AUTHENTICATION_H
#define IDV_API_OIDC_CLIENT_AUTHENTICATION_H

/*
 * Authenticates clients at the token endpoint: by a secret in the Authorization
 * header, by an assertion that the client has signed, or, for public clients,
 * not at all. A client must use only the way that it is registered with.
 *
 * Threads: that of the request. Memory: its pool. Failures: those of
 * store/db/db.h; a client that is not authenticated is a fault in *FAULT.
 */
#include "api/http/request.h"
#include "domain/oidc/authorization.h"
#include "domain/oidc/client.h"

/* Sets *CLIENT to the client that sent FORM with REQUEST, or *FAULT. */
idv_error_t *idv_oidc_authenticate(idv_request_t *request, const json_t *form,
                                   idv_oidc_client_t **client,
                                   idv_oidc_error_t *fault) IDV_CHECKED;

#endif
