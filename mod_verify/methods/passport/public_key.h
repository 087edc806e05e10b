/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PUBLIC_KEY_H
#define IDV_METHODS_PASSPORT_PUBLIC_KEY_H

/*
 * Public keys of issuers and chips, and signatures made with them, on OpenSSL.
 *
 * ICAO Doc 9303-12, 4.1.6.3, requires certificates with explicit parameters of
 * elliptic curves. They are accepted only if they are those of a named curve,
 * since with others anybody can make a key for any point. Keys outside the
 * sizes below are refused before anything is computed with them.
 *
 * Only the hash functions SHA-1 and SHA-2 are supported: SHA-1, because genuine
 * passports use it, and to exploit its collisions an attacker would have to
 * choose the issuer's signed data.
 *
 * Refused input is `parameter_invalid` without a parameter and without a value.
 * Keys are freed with their pool. OpenSSL's error queue is left empty.
 *
 * Threads: pure. Callers in a sandbox load OpenSSL's configuration and
 * algorithms before they enter it, by using one digest, one cipher and one
 * signature.
 */
#include <openssl/ec.h>
#include <openssl/evp.h>

#include "core/crypto.h"

#define IDV_RSA_BITS_MIN 1024
#define IDV_RSA_BITS_MAX 8192
#define IDV_EC_BITS_MIN 192
#define IDV_DH_BITS_MIN 1024
#define IDV_DH_BITS_MAX 4096

/* The scheme of a signature. */
typedef struct {
    const EVP_MD *digest;
    const EVP_MD *mask_digest; /* of RSA-PSS; NULL: RSA of PKCS #1 or ECDSA */
    int salt_length;           /* of RSA-PSS, bytes */
} idv_signature_scheme_t;

/* Parses a SubjectPublicKeyInfo (RFC 5280, 4.1) in DER. Chips may name a curve
 * by its number in ICAO Doc 9303-11, 9.5.1 (standardized domain parameters),
 * which is supported; the numbers of groups for DH are not. */
idv_error_t *idv_public_key_read(idv_bytes_t info, EVP_PKEY **key,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The RSA key of KEY, which is restricted to RSA-PSS, without that restriction;
 * NULL for any other key. */
EVP_PKEY *idv_public_key_unrestricted(const EVP_PKEY *key, apr_pool_t *pool);

/* The curve of an EC key, freed with POOL. */
idv_error_t *idv_public_key_curve(const EVP_PKEY *key, EC_GROUP **curve,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The hash function of an AlgorithmIdentifier; NULL: unsupported. */
const EVP_MD *idv_digest_find(idv_bytes_t algorithm);

/* Parses the AlgorithmIdentifier of a signature (RFC 4055, RFC 5758). If it
 * names only the kind of key, the hash function is DIGEST. */
idv_error_t *idv_signature_scheme_read(idv_bytes_t algorithm,
                                       const EVP_MD *digest,
                                       idv_signature_scheme_t *scheme,
                                       apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if SIGNATURE is KEY's over DATA. */
int idv_signature_is_right(EVP_PKEY *key, const idv_signature_scheme_t *scheme,
                           idv_bytes_t data, idv_bytes_t signature);

/* Writes the hash of DATA, EVP_MD_get_size(DIGEST) bytes, into HASH, which has
 * room for EVP_MAX_MD_SIZE. */
idv_bytes_t idv_hash(const EVP_MD *digest, idv_bytes_t data,
                     unsigned char *hash);

#endif
