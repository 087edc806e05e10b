/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSKEY_PASSKEY_KEY_H
#define IDV_METHODS_PASSKEY_PASSKEY_KEY_H

/*
 * The public key of a passkey: a COSE_Key (RFC 9052, 7) that names its
 * algorithm, and the signatures that it verifies (WebAuthn Level 3, 5.8.5 and
 * 6.5.5).
 *
 * - Each algorithm has one type of key: ES256 a point on P-256 with both
 *   coordinates, EdDSA a point on Ed25519, RS256 a modulus of 2048 to 4096 bits
 *   and an odd exponent of at most four bytes.
 * - An ES256 signature is the DER of two integers, unlike in COSE.
 *
 * Memory: keys are freed with their pool. Threads: pure. Failures:
 * `parameter_invalid` for another key, without any of its bytes.
 */
#include <openssl/evp.h>

#include "core/crypto.h"

/* Name, number in COSE; in the order in which they are preferred. */
#define IDV_PASSKEY_ALGORITHMS(X)                                              \
    X(EDDSA, -8)                                                               \
    X(ES256, -7)                                                               \
    X(RS256, -257)

typedef enum {
#define X(name, number) IDV_PASSKEY_##name = (number),
    IDV_PASSKEY_ALGORITHMS(X)
#undef X
} idv_passkey_algorithm_t;

#define IDV_PASSKEY_KEY_MAX 1024 /* bytes of a COSE_Key */

typedef struct {
    idv_passkey_algorithm_t algorithm;
    EVP_PKEY *key;
} idv_passkey_key_t;

/* Reads the COSE_Key that BYTES begin with; afterwards BYTES are those behind
 * it, and *ENCODED is the key as received. */
idv_error_t *idv_passkey_key_read(idv_bytes_t *bytes, idv_bytes_t *encoded,
                                  idv_passkey_key_t *key,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if SIGNATURE is that of KEY over TEXT. */
int idv_passkey_key_verifies(const idv_passkey_key_t *key, idv_bytes_t text,
                             idv_bytes_t signature);

#endif
