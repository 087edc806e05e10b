/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_ELLIPTIC_KEY_H
#define IDV_METHODS_MDL_ELLIPTIC_KEY_H

/*
 * Keys on the curves that ISO/IEC 18013-5 names for mobile documents, from the
 * coordinates and private scalars of COSE and JOSE.
 *
 * A public key that is not a point of its curve is refused; the point at
 * infinity has no encoding here. Coordinates are as wide as the curve's field
 * (SEC 1, 2.3.5), never shorter.
 *
 * Memory: a key is freed with its pool; OpenSSL wipes private ones. Threads:
 * several may use a key at the same time. Failures: `parameter_invalid` for
 * untrusted input, without its bytes.
 */
#include <openssl/evp.h>

#include "core/crypto.h"

/* Name, number in COSE (RFC 9053, 7.1; brainpool: ISO/IEC 18013-5, table 22),
 * name in JOSE (NULL: none), OpenSSL's name, bytes of a coordinate, and whether
 * points have two coordinates (1) or one (0). */
#define IDV_CURVES(X)                                                          \
    X(P256, 1, "P-256", "prime256v1", 32, 1)                                   \
    X(P384, 2, "P-384", "secp384r1", 48, 1)                                    \
    X(P521, 3, "P-521", "secp521r1", 66, 1)                                    \
    X(X25519, 4, "X25519", "X25519", 32, 0)                                    \
    X(X448, 5, "X448", "X448", 56, 0)                                          \
    X(ED25519, 6, "Ed25519", "ED25519", 32, 0)                                 \
    X(ED448, 7, "Ed448", "ED448", 57, 0)                                       \
    X(BRAINPOOL_P256R1, 256, NULL, "brainpoolP256r1", 32, 1)                   \
    X(BRAINPOOL_P320R1, 257, NULL, "brainpoolP320r1", 40, 1)                   \
    X(BRAINPOOL_P384R1, 258, NULL, "brainpoolP384r1", 48, 1)                   \
    X(BRAINPOOL_P512R1, 259, NULL, "brainpoolP512r1", 64, 1)

typedef enum {
#define X(name, number, jose, openssl, size, pair) IDV_CURVE_##name,
    IDV_CURVES(X)
#undef X
        IDV_CURVE_COUNT,
    IDV_CURVE_NONE = -1
} idv_curve_t;

#define IDV_CURVE_BIT(name) (1u << IDV_CURVE_##name)

/* Bytes of the widest coordinate, and of a point: 04, x, y. */
#define IDV_COORDINATE_MAX 66
#define IDV_POINT_MAX (1 + 2 * IDV_COORDINATE_MAX)
#define IDV_P256_POINT_SIZE 65

/* The curve with this COSE number; IDV_CURVE_NONE for others. */
idv_curve_t idv_curve_find(apr_int64_t number);

/* The curve of KEY; IDV_CURVE_NONE for RSA and others. */
idv_curve_t idv_curve_of(const EVP_PKEY *key);

/* Bytes of a coordinate of the curve (not NONE). */
apr_size_t idv_curve_size(idv_curve_t curve);

/* Non-zero if points of the curve (not NONE) have an x and a y. */
int idv_curve_has_pairs(idv_curve_t curve);

/* The public key at POINT: 04 x y, or 02 x, 03 x (SEC 1, 2.3.4); x alone for
 * curves without pairs. */
idv_error_t *idv_elliptic_public_key(idv_curve_t curve, idv_bytes_t point,
                                     EVP_PKEY **key,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The key pair of a private scalar on P-256: 32 bytes, from 1 to the order
 * minus 1. */
idv_error_t *idv_p256_private_key(idv_bytes_t scalar, EVP_PKEY **key,
                                  apr_pool_t *pool) IDV_CHECKED;

/* 04 x y of a key on P-256. */
idv_error_t *idv_p256_point(const EVP_PKEY *key,
                            unsigned char point[IDV_P256_POINT_SIZE],
                            apr_pool_t *pool) IDV_CHECKED;

/* The shared secret of OWN (private) and OTHER (public) on one curve: the x
 * coordinate (SEC 1, 3.3.1). Wiped with the pool. */
idv_error_t *idv_elliptic_agree(EVP_PKEY *own, EVP_PKEY *other,
                                idv_bytes_t *secret,
                                apr_pool_t *pool) IDV_CHECKED;

/* The RFC 7638 thumbprint (SHA-256) of the JWK of a key on P-256. */
idv_error_t *idv_p256_thumbprint(const EVP_PKEY *key,
                                 unsigned char thumbprint[IDV_DIGEST_SIZE],
                                 apr_pool_t *pool) IDV_CHECKED;

/* Bytes of a signature on P-256: r, s (RFC 7518, 3.4; RFC 9053, 2.1). */
#define IDV_P256_SIGNATURE_SIZE 64

/* The private key on P-256 in PEM, followed by a NUL, without a passphrase; an
 * internal error for anything else. */
idv_error_t *idv_p256_read_pem(idv_bytes_t pem, EVP_PKEY **key,
                               apr_pool_t *pool) IDV_CHECKED;

/* ECDSA with SHA-256 over MESSAGE by the private KEY on P-256. */
idv_error_t *idv_p256_sign(EVP_PKEY *key, idv_bytes_t message,
                           unsigned char signature[IDV_P256_SIGNATURE_SIZE],
                           apr_pool_t *pool) IDV_CHECKED;

/* Frees KEY when POOL is cleared, and returns it (may be NULL). */
EVP_PKEY *idv_key_own(EVP_PKEY *key, apr_pool_t *pool);

#endif
