/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_ACTIVE_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_ACTIVE_AUTHENTICATION_H

/*
 * Active authentication (ICAO Doc 9303-11, 6.1): the chip signs a challenge
 * with a key that never leaves it, which proves that it is not a copy.
 *
 * - RSA: ISO/IEC 9796-2, digital signature scheme 1, with partial recovery: the
 *   signature opens to 6A, a number chosen by the chip, the hash of that number
 *   and the challenge, and a trailer that names the hash function.
 * - ECDSA: r and s concatenated (BSI TR-03111, 5.2.1), or in DER (X9.62), as
 *   some states' chips send it. DG14 names the hash function. Chips without it
 *   use one of a few; any match proves the key equally well.
 *
 * UNSUPPORTED proves nothing: a number that opens to a trailer without a known
 * hash function can be found with only the public key, after some thousands of
 * tries.
 *
 * The result is meaningful only for the server's own challenge, used once, and
 * a key whose data group (DG15) the issuer signed; the caller
 * (passport_reading.h) ensures both.
 *
 * Memory: scratch only. Threads: pure.
 */
#include "methods/passport/public_key.h"

typedef enum {
    IDV_CHALLENGE_SIGNED,
    IDV_CHALLENGE_SIGNED_IN_DER, /* where plain r and s are expected */
    IDV_CHALLENGE_NOT_SIGNED,
    IDV_CHALLENGE_UNSUPPORTED /* unknown key or algorithm */
} idv_challenge_result_t;

/* Checks that SIGNATURE is the chip's over CHALLENGE. PUBLIC_KEY is the
 * SubjectPublicKeyInfo of DG15, ALGORITHM the object identifier of DG14's
 * ActiveAuthenticationInfo (content bytes) or of length 0. */
idv_challenge_result_t idv_challenge_verify(idv_bytes_t public_key,
                                            idv_bytes_t algorithm,
                                            idv_bytes_t challenge,
                                            idv_bytes_t signature,
                                            apr_pool_t *scratch);

#endif
