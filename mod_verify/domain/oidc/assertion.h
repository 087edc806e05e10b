/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_OIDC_ASSERTION_H
#define IDV_DOMAIN_OIDC_ASSERTION_H

/*
 * Client assertions: tokens with which clients authenticate (private_key_jwt,
 * OpenID Connect Core 1.0, 9; RFC 7523, 3).
 *
 * An assertion names its client as `iss` and `sub` and this provider in `aud`,
 * lives at most IDV_OIDC_ASSERTION_MAX, and has a `jti`, which the caller must
 * accept only once during that time.
 *
 * Memory: the given pool. Threads: pure. Failures: `parameter_invalid` without
 * any part of the assertion.
 */
#include "domain/oidc/client.h"

#define IDV_OIDC_ASSERTION_TYPE                                                \
    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
#define IDV_OIDC_ASSERTION_MAX (10 * IDV_MINUTE)
#define IDV_OIDC_CLOCK_SKEW IDV_MINUTE

/* The client that TOKEN, which was not checked yet, names; NULL: none. */
const char *idv_oidc_assertion_client(const idv_web_token_t *token);

typedef struct {
    const idv_oidc_client_t *client;
    const char *const *audiences; /* names of this provider; NULL-terminated */
    idv_time_t now;
} idv_oidc_assertion_place_t;

/* Checks that TOKEN authenticates the client of PLACE; sets *JTI. */
idv_error_t *idv_oidc_assertion_check(const idv_web_token_t *token,
                                      const idv_oidc_assertion_place_t *place,
                                      const char **jti,
                                      apr_pool_t *pool) IDV_CHECKED;

#endif
