/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_OIDC_AUTHORIZATION_H
#define IDV_DOMAIN_OIDC_AUTHORIZATION_H

/*
 * An authorization request (OpenID Connect Core 1.0, 3.1.2.1) and the response
 * to it.
 *
 * Only the authorization code flow exists. Every client must use PKCE with S256
 * (RFC 7636): a code without it would depend on whether the client checks the
 * nonce. Unknown parameters and scopes are ignored, as the standard demands.
 * `login_hint`, `display`, `ui_locales` and `acr_values` do not change
 * anything.
 *
 * The response contains `iss` (RFC 9207), so that a client of several providers
 * notices a response from the wrong one.
 *
 * Memory: texts live in the given pool or belong to the parameters. Threads:
 * pure. Failures: none; a fault is part of the result.
 */
#include "core/json.h"

/* Errors of OAuth 2.0 and OpenID Connect: name, value, HTTP status of the token
 * endpoint. */
#define IDV_OIDC_ERRORS(X)                                                     \
    X(INVALID_REQUEST, "invalid_request", 400)                                 \
    X(INVALID_CLIENT, "invalid_client", 401)                                   \
    X(INVALID_GRANT, "invalid_grant", 400)                                     \
    X(INVALID_SCOPE, "invalid_scope", 400)                                     \
    X(UNSUPPORTED_GRANT_TYPE, "unsupported_grant_type", 400)                   \
    X(UNSUPPORTED_RESPONSE_TYPE, "unsupported_response_type", 400)             \
    X(ACCESS_DENIED, "access_denied", 403)                                     \
    X(LOGIN_REQUIRED, "login_required", 400)                                   \
    X(INTERACTION_REQUIRED, "interaction_required", 400)                       \
    X(REQUEST_NOT_SUPPORTED, "request_not_supported", 400)                     \
    X(REQUEST_URI_NOT_SUPPORTED, "request_uri_not_supported", 400)             \
    X(REGISTRATION_NOT_SUPPORTED, "registration_not_supported", 400)           \
    X(TEMPORARILY_UNAVAILABLE, "temporarily_unavailable", 503)                 \
    X(SERVER_ERROR, "server_error", 500)

typedef enum {
    IDV_OIDC_NO_ERROR,
#define X(name, value, status) IDV_OIDC_##name,
    IDV_OIDC_ERRORS(X)
#undef X
} idv_oidc_error_code_t;

/* REASON is constant ASCII for the developer of the client. */
typedef struct {
    idv_oidc_error_code_t code;
    const char *reason;
} idv_oidc_error_t;

/* "invalid_request", not for NO_ERROR; and its status. */
const char *idv_oidc_error_value(idv_oidc_error_code_t code);
int idv_oidc_error_status(idv_oidc_error_code_t code);

/* Scopes that release claims: name, value. */
#define IDV_OIDC_SCOPES(X)                                                     \
    X(AGE, "age")                                                              \
    X(IDENTITY, "identity")

typedef enum {
#define X(name, value) IDV_OIDC_SCOPE_##name,
    IDV_OIDC_SCOPES(X)
#undef X
        IDV_OIDC_SCOPE_COUNT
} idv_oidc_scope_t;

#define IDV_OIDC_SCOPE_BIT(name) (1u << IDV_OIDC_SCOPE_##name)
#define IDV_OIDC_ALL_SCOPES ((1u << IDV_OIDC_SCOPE_COUNT) - 1)

/* The text of SCOPES, a set of bits, with "openid" in front; and the reverse,
 * which ignores others. */
const char *idv_oidc_scopes_text(unsigned scopes, apr_pool_t *pool);
unsigned idv_oidc_scopes_parse(const char *text);

#define IDV_OIDC_STATE_MAX 2048 /* bytes */
#define IDV_OIDC_NONCE_MAX 512  /* bytes */

typedef struct {
    idv_oidc_error_t error; /* NO_ERROR: the rest is set */
    const char *state;      /* NULL: none; set in any case */
    const char *nonce;      /* NULL: none */
    const char *challenge;  /* of PKCE, by S256 */
    const char *id_token_hint; /* NULL: none; not verified here */
    unsigned scopes;
    int is_silent; /* flag: prompt=none */
    int is_fresh;  /* flag: prompt=login, which excludes an earlier login */
    apr_int64_t max_age; /* seconds; -1: any */
} idv_oidc_authorization_t;

/* Reads PARAMETERS, an object of strings, except for `client_id` and
 * `redirect_uri`. */
void idv_oidc_authorization_read(const json_t *parameters,
                                 idv_oidc_authorization_t *authorization);

/* Parts of a response that go to every client. */
typedef struct {
    const char *redirect_uri, *issuer;
    const char *state; /* NULL: none */
} idv_oidc_return_t;

/* The URL that leads back with CODE, or with ERROR. */
const char *idv_oidc_return_code(const idv_oidc_return_t *back,
                                 const char *code, apr_pool_t *pool);
const char *idv_oidc_return_error(const idv_oidc_return_t *back,
                                  const idv_oidc_error_t *error,
                                  apr_pool_t *pool);

/* Non-zero if VERIFIER is the one of CHALLENGE (RFC 7636, 4.6). */
int idv_oidc_verifier_fits(const char *verifier, const char *challenge,
                           apr_pool_t *pool);

#endif
