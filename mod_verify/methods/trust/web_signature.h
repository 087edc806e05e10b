/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_WEB_SIGNATURE_H
#define IDV_METHODS_TRUST_WEB_SIGNATURE_H

/*
 * A JSON Web Signature in the compact form (RFC 7515, 3.1): header, payload and
 * signature in base64url, with dots between them.
 *
 * Algorithms are ES256, ES384 and ES512 (RFC 7518, 3.4), each with a key on its
 * curve. A header that declares members critical ("crit"), or a payload that is
 * not encoded ("b64", RFC 7797), is refused; the caller checks other members.
 * The caller supplies the key; none is taken from the header.
 *
 * Memory: the pool. Threads: pure. Failures: a text that names the fault and
 * continues a sentence ("is no JSON Web Signature").
 */
#include <jansson.h>
#include <openssl/evp.h>

#include "core/crypto.h"

typedef struct {
    idv_bytes_t signed_text; /* header and payload, as received */
    idv_bytes_t payload, signature;
    json_t *header;
    const void *algorithm; /* for idv_web_signature_is_by() */
} idv_web_signature_t;

/* Splits TEXT, which may end with spaces and line ends, without checking the
 * signature. Returns the fault, or NULL. */
const char *idv_web_signature_fault(idv_bytes_t text, idv_web_signature_t *jws,
                                    apr_pool_t *pool);

/* Non-zero if JWS is signed by the public KEY. */
int idv_web_signature_is_by(const idv_web_signature_t *jws, EVP_PKEY *key,
                            apr_pool_t *pool);

#endif
