/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_COSE_H
#define IDV_METHODS_MDL_COSE_H

/*
 * COSE (RFC 9052, 9053) as ISO/IEC 18013-5 uses it: COSE_Sign1 and COSE_Mac0
 * without their tags, COSE_Key, x5chain (RFC 9360).
 *
 * - The algorithm is read only from the protected header, and only those of
 *   ISO/IEC 18013-5, tables 3 and 22, are supported, each with its allowed
 *   curves: ES256, ES384, ES512 and EdDSA, the same by their fully specified
 *   numbers (RFC 9864), and HMAC 256/256.
 * - Refused: a label in both headers, "crit" (label 2), because no extension is
 *   supported, and a header that is not a map.
 * - A signature of two numbers has the width of its curve, r before s.
 *
 * Memory: results point into the tree of cbor.h; keys are freed with their
 * pool. Threads: pure. Failures: `parameter_invalid` for a wrong shape, without
 * any of the bytes; a wrong signature is a verdict, not a failure.
 */
#include "methods/mdl/cbor.h"
#include "methods/mdl/elliptic_key.h"

#define IDV_COSE_MAX_CERTIFICATES 8 /* in an x5chain */

/* Name, number, digest (NULL: that of the algorithm itself), allowed curves. */
#define IDV_COSE_SIGNATURE_ALGORITHMS(X)                                       \
    X("ES256", -7, "SHA256",                                                   \
      IDV_CURVE_BIT(P256) | IDV_CURVE_BIT(BRAINPOOL_P256R1))                   \
    X("ES384", -35, "SHA384",                                                  \
      IDV_CURVE_BIT(P384) | IDV_CURVE_BIT(BRAINPOOL_P320R1)                    \
          | IDV_CURVE_BIT(BRAINPOOL_P384R1))                                   \
    X("ES512", -36, "SHA512",                                                  \
      IDV_CURVE_BIT(P521) | IDV_CURVE_BIT(BRAINPOOL_P512R1))                   \
    X("EdDSA", -8, NULL, IDV_CURVE_BIT(ED25519) | IDV_CURVE_BIT(ED448))        \
    X("ESP256", -9, "SHA256", IDV_CURVE_BIT(P256))                             \
    X("ESP384", -51, "SHA384", IDV_CURVE_BIT(P384))                            \
    X("ESP512", -52, "SHA512", IDV_CURVE_BIT(P521))                            \
    X("Ed25519", -19, NULL, IDV_CURVE_BIT(ED25519))                            \
    X("Ed448", -53, NULL, IDV_CURVE_BIT(ED448))                                \
    X("ESB256", -265, "SHA256", IDV_CURVE_BIT(BRAINPOOL_P256R1))               \
    X("ESB320", -266, "SHA384", IDV_CURVE_BIT(BRAINPOOL_P320R1))               \
    X("ESB384", -267, "SHA384", IDV_CURVE_BIT(BRAINPOOL_P384R1))               \
    X("ESB512", -268, "SHA512", IDV_CURVE_BIT(BRAINPOOL_P512R1))

enum { IDV_COSE_HMAC_256 = 5 };

/* A COSE_Sign1 or COSE_Mac0. */
typedef struct {
    idv_bytes_t protected_bytes; /* the signed part of the header */
    const idv_cbor_t *protected_header;
    const idv_cbor_t *unprotected_header;
    int is_detached;             /* the payload is nil */
    idv_bytes_t payload;
    idv_bytes_t signature;       /* or the tag of a MAC */
    apr_int64_t algorithm;       /* 0: none named */
} idv_cose_message_t;

typedef enum {
    IDV_COSE_VALID,
    IDV_COSE_WRONG,
    IDV_COSE_ALGORITHM_NOT_ALLOWED,
    IDV_COSE_KEY_UNSUITABLE /* wrong curve for that algorithm */
} idv_cose_verdict_t;

/* Reads an untagged message. */
idv_error_t *idv_cose_read(const idv_cbor_t *item, idv_cbor_budget_t *budget,
                           idv_cose_message_t *message,
                           apr_pool_t *pool) IDV_CHECKED;

/* The name of a signature algorithm or of HMAC 256/256; NULL for others. */
const char *idv_cose_algorithm_name(apr_int64_t algorithm);

/* Checks the signature of a COSE_Sign1 over PAYLOAD (the message's own, or the
 * detached one) with the public KEY; RFC 9052, 4.4, no external data. */
idv_cose_verdict_t idv_cose_verify_signature(const idv_cose_message_t *message,
                                             idv_bytes_t payload, EVP_PKEY *key,
                                             apr_pool_t *pool);

/* Checks the tag of a COSE_Mac0 with the secret KEY; RFC 9052, 6.3. */
idv_cose_verdict_t idv_cose_verify_mac(const idv_cose_message_t *message,
                                       idv_bytes_t payload, idv_bytes_t key,
                                       apr_pool_t *pool);

/* The signer's certificate, DER, from the unprotected header: the first of the
 * x5chain; the others, up to the limit, would certify it. */
idv_error_t *idv_cose_signer_certificate(const idv_cose_message_t *message,
                                         idv_bytes_t *certificate,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The public key of a COSE_Key of type OKP or EC2 (RFC 9053, 7). A key that
 * includes its private part is refused. */
idv_error_t *idv_cose_key(const idv_cbor_t *map, EVP_PKEY **key,
                          apr_pool_t *pool) IDV_CHECKED;

#endif
