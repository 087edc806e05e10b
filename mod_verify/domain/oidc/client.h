/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_OIDC_CLIENT_H
#define IDV_DOMAIN_OIDC_CLIENT_H

/*
 * A client of the OpenID Connect provider: an application of an organization
 * that logs people in with a workflow.
 *
 * - A redirect URI is `https`, or `http` on a loopback host, without a
 *   fragment. It matches only the same bytes.
 * - A client authenticates with a secret, of which only the SHA-256 is stored,
 *   with tokens that it signs (private_key_jwt), or not at all.
 * - After a renewal, the former secret is accepted as well until its end, if
 *   one was set, so that no login fails while the application changes over.
 *
 * Memory: the creator's pool. Threads: pure. Failures: `parameter_invalid` with
 * the name of the parameter.
 */
#include "core/clock.h"
#include "core/web_token.h"
#include "domain/oidc/authorization.h"

/* Name, value in the metadata of clients (RFC 7591, 2). */
#define IDV_OIDC_AUTHENTICATIONS(X)                                            \
    X(SECRET, "client_secret_basic")                                           \
    X(KEY, "private_key_jwt")                                                  \
    X(NONE, "none")

typedef enum {
#define X(name, value) IDV_OIDC_BY_##name,
    IDV_OIDC_AUTHENTICATIONS(X)
#undef X
        IDV_OIDC_AUTHENTICATION_COUNT
} idv_oidc_authentication_t;

#define IDV_OIDC_NAME_MAX 100 /* characters */
#define IDV_OIDC_REDIRECT_URIS_MAX 20
#define IDV_OIDC_REDIRECT_URI_MAX 1024 /* characters of each */
#define IDV_OIDC_KEYS_MAX 10
#define IDV_OIDC_OVERLAP_MAX 1440 /* minutes, of a former secret */

/* All values, NULL-terminated. */
extern const char *const idv_oidc_authentications[];
extern const char *const idv_oidc_algorithms[];
extern const char *const idv_oidc_client_scopes[];

typedef struct {
    const char *id; /* oic_ */
    const char *organization_id, *workflow_id;
    const char *name;
    const char *const *redirect_uris; /* NULL-terminated */
    idv_oidc_authentication_t authentication;
    unsigned scopes;               /* that it may request */
    idv_bytes_t secret_digest;     /* BY_SECRET, else no data */
    idv_bytes_t former_secret_digest; /* no data: none */
    idv_time_t former_secret_ends;    /* 0: none */
    const json_t *keys;            /* BY_KEY: an array of JWKs, else NULL */
    idv_web_algorithm_t algorithm; /* of ID tokens */
    idv_time_t created, updated;
} idv_oidc_client_t;

/* CLIENT as operators see it, the text of a JSON object; with SECRET (NULL:
 * without it), right after it was made. */
const char *idv_oidc_client_text(const idv_oidc_client_t *client,
                                 const char *secret, apr_pool_t *pool);

/* Checks all members that are given from outside. */
idv_error_t *idv_oidc_client_check(const idv_oidc_client_t *client,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The array of keys in DOCUMENT: a JWK set (RFC 7517, 5), or the array itself;
 * NULL: neither. */
const json_t *idv_oidc_client_keys(const json_t *document);

/* Non-zero if URI is registered. */
int idv_oidc_client_has_redirect_uri(const idv_oidc_client_t *client,
                                     const char *uri);

/* Gives CLIENT a new secret and returns it; wiped with POOL. The present one is
 * accepted until FORMER_ENDS; 0: no longer. */
const char *idv_oidc_client_renew_secret(idv_oidc_client_t *client,
                                         idv_time_t former_ends,
                                         apr_pool_t *pool);

/* Non-zero if SECRET is the client's at NOW. Constant time. */
int idv_oidc_client_secret_is(const idv_oidc_client_t *client,
                              const char *secret, idv_time_t now);

#endif
