/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_WEB_TOKEN_H
#define IDV_CORE_WEB_TOKEN_H

/*
 * Signed web tokens: JWTs (RFC 7519) as JWS in the compact form (RFC 7515, 3.1)
 * and their keys as JWKs (RFC 7517). The service signs ID tokens with its own
 * keys and checks tokens that clients of OpenID Connect have signed.
 *
 * - The algorithms are ES256 on P-256 and RS256 with 2048 to 4096 bits
 *   (RFC 7518, 3.3 and 3.4), and no others: neither "none" nor an HMAC.
 * - A key belongs to one algorithm. A token is checked with the algorithm of
 *   its key, never with that of its header alone.
 * - No key is taken from a token. A header that declares members critical
 *   ("crit") or names a key by content or address ("jwk", "jku", "x5c", "x5u")
 *   is refused.
 * - A JWK with a private or symmetric part is refused.
 *
 * Memory: results live in the given pool; keys are freed and private ones wiped
 * with it. Threads: pure except for randomness. Failures: `parameter_invalid`
 * without the bytes for input of others; internal ones of OpenSSL.
 */
#include <openssl/evp.h>

#include "core/crypto.h"
#include "core/json.h"

#define IDV_WEB_TOKEN_MAX 8192 /* characters of a token of others */

/* Name, value. */
#define IDV_WEB_ALGORITHMS(X)                                                  \
    X(RS256, "RS256")                                                          \
    X(ES256, "ES256")

typedef enum {
#define X(name, value) IDV_WEB_##name,
    IDV_WEB_ALGORITHMS(X)
#undef X
        IDV_WEB_ALGORITHM_COUNT,
    IDV_WEB_ALGORITHM_NONE = -1
} idv_web_algorithm_t;

/* "RS256"; the reverse gives NONE for unknown text and NULL. */
const char *idv_web_algorithm_value(idv_web_algorithm_t algorithm);
idv_web_algorithm_t idv_web_algorithm_parse(const char *value);

/* BYTES in base64url without padding (RFC 4648, 5). */
const char *idv_base64url(idv_bytes_t bytes, apr_pool_t *pool);

/* --- keys --- */

typedef struct {
    idv_web_algorithm_t algorithm;
    const char *id; /* "kid"; NULL: none */
    EVP_PKEY *key;
} idv_web_key_t;

/* A new private key for ALGORITHM, PKCS #8 in PEM, followed by a NUL. */
idv_error_t *idv_web_key_create(idv_web_algorithm_t algorithm, idv_bytes_t *pem,
                                apr_pool_t *pool) IDV_CHECKED;

/* Reads a private key that idv_web_key_create() made; its id is the thumbprint
 * of its public part (RFC 7638). */
idv_error_t *idv_web_key_read(idv_bytes_t pem, idv_web_key_t *key,
                              apr_pool_t *pool) IDV_CHECKED;

/* The public JWK of KEY: the text of a JSON object. */
idv_error_t *idv_web_key_text(const idv_web_key_t *key, const char **text,
                              apr_pool_t *pool) IDV_CHECKED;

/* Reads a public JWK of others. */
idv_error_t *idv_web_key_parse(const json_t *jwk, idv_web_key_t *key,
                               apr_pool_t *pool) IDV_CHECKED;

/* --- tokens --- */

typedef struct {
    idv_web_algorithm_t algorithm;
    const char *key_id; /* "kid"; NULL: none */
    const json_t *claims;
    idv_bytes_t signed_text; /* header and payload, as received */
    idv_bytes_t signature;
} idv_web_token_t;

/* Signs CLAIMS, the text of a JSON object. */
idv_error_t *idv_web_token_sign(const idv_web_key_t *key, const char *claims,
                                const char **token,
                                apr_pool_t *pool) IDV_CHECKED;

/* Splits TEXT without checking the signature. */
idv_error_t *idv_web_token_parse(const char *text, idv_web_token_t *token,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if TOKEN is signed by the public KEY with the key's algorithm. */
int idv_web_token_is_by(const idv_web_token_t *token, const idv_web_key_t *key,
                        apr_pool_t *pool);

#endif
