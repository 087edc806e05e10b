/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_ACTIVE_AUTHENTICATION_H
#define IDV_METHODS_PASSPORT_ACTIVE_AUTHENTICATION_H

/*
 * Active authentication (ICAO Doc 9303-11, 6.1): the chip signs a challenge with
 * a key that never leaves it, and so shows that it is no copy.
 *
 * - RSA: ISO/IEC 9796-2, digital signature scheme 1, with partial recovery: the
 *   signature opens to 6A, a number of the chip's, the hash of that number and
 *   the challenge, and a trailer that names the hash function.
 * - ECDSA: r and s one behind the other (BSI TR-03111, 5.2.1), or in DER
 *   (X9.62), as some states' chips send it. The hash function stands in DG14.
 *   Chips without it sign with one of a few: whichever fits proves the key as
 *   well as another.
 *
 * UNSUPPORTED speaks for nobody: a number that opens to a trailer without a known
 * hash function is found with the public key alone, after some thousands of
 * tries.
 *
 * It says something only about a challenge of the server's own, used once, and
 * a key whose data group (DG15) the issuer signed; both are for the caller
 * (passport_reading.h) to see to.
 *
 * Memory: scratch only. Threads: pure.
 */
#include "methods/passport/public_key.h"

typedef enum {
    IDV_CHALLENGE_SIGNED,
    IDV_CHALLENGE_SIGNED_IN_DER, /* where r and s alone should stand */
    IDV_CHALLENGE_NOT_SIGNED,
    IDV_CHALLENGE_UNSUPPORTED /* key or algorithm */
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
