/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_RESPONSE_ENCRYPTION_H
#define IDV_METHODS_MDL_RESPONSE_ENCRYPTION_H

/*
 * Decrypts the answers of wallets: JWE for OpenID4VP, HPKE for annex C of
 * ISO/IEC TS 18013-7.
 *
 * Both use OpenSSL's primitives. The JOSE libraries of Debian decompress and
 * choose algorithms as the header says; here each purpose has one algorithm.
 * OpenSSL has HPKE from 3.2 on.
 *
 * - JWE (RFC 7516) in the compact form; ECDH-ES (RFC 7518, 4.6) with direct key
 *   agreement on P-256; A128GCM or A256GCM. A header with "crit", "zip" or the
 *   identifier of another key is refused. A wallet may omit the identifier:
 *   there is one key for each request.
 * - HPKE (RFC 9180), base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
 *   AES-128-GCM; the first message of a context.
 *
 * Memory: decrypted text lives in the pool, is followed by a NUL, and is wiped
 * with the pool, as are the derived keys. Threads: pure. Failures:
 * `parameter_invalid` with a text that names the failed step and none of the
 * bytes; a failed decryption has no further reason.
 */
#include "methods/mdl/elliptic_key.h"

#define IDV_WALLET_RESPONSE_MAX ((apr_size_t)1024 * 1024) /* bytes, encrypted */
#define IDV_JWE_HEADER_MAX 4096 /* characters of the encoded header */

/* A decrypted JWE. */
typedef struct {
    idv_bytes_t plain;
    const char *party_u; /* "apu" decoded, a text here; NULL: none */
    const char *party_v; /* "apv" */
} idv_jwe_t;

/* What is needed to open an HPKE message, in addition to the key. */
typedef struct {
    idv_bytes_t encapsulated; /* enc: 65 bytes */
    idv_bytes_t information;  /* info of the context */
    idv_bytes_t associated;   /* aad */
    idv_bytes_t sealed;       /* ciphertext and tag */
} idv_hpke_message_t;

/* Decodes base64url without padding (RFC 4648, 5): no other characters, no bits
 * set after the last byte. A NUL follows the bytes. */
idv_error_t *idv_base64url_decode(const char *text, apr_size_t length,
                                  idv_bytes_t *bytes,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Decrypts COMPACT, LENGTH characters, with the private KEY on P-256 that
 * wallets know as KEY_ID (NULL: none). */
idv_error_t *idv_jwe_open(idv_bytes_t compact, EVP_PKEY *key,
                          const char *key_id, idv_jwe_t *jwe,
                          apr_pool_t *pool) IDV_CHECKED;

/* Opens MESSAGE with the private KEY on P-256. */
idv_error_t *idv_hpke_open(const idv_hpke_message_t *message, EVP_PKEY *key,
                           idv_bytes_t *plain, apr_pool_t *pool) IDV_CHECKED;

/* HKDF with SHA-256 (RFC 5869): LENGTH bytes, at most 255 times 32, into
 * OUT. */
idv_error_t *idv_hkdf_sha256(idv_bytes_t secret, idv_bytes_t salt,
                             const char *information, unsigned char *out,
                             apr_size_t length, apr_pool_t *pool) IDV_CHECKED;

#endif
