/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_READER_KEY_H
#define IDV_METHODS_MDL_READER_KEY_H

/*
 * The key of a reader identity (domain/trust/reader_identity.h), the request by which
 * an authority certifies it, and the certificates that come back.
 *
 * - A chain is the leaf, then what certifies each; the anchor, a certificate that
 *   has signed itself, is left away, as HAIP 1.0 (6.1.1) demands of requests.
 * - The leaf has the key's public part, may sign (digitalSignature, when it says
 *   for what its key is), is no authority, and has not signed itself.
 * - Kinds haip and eudi have a key on P-256; apple RSA of 2048 bits or P-256.
 * - Who the anchor is, wallets decide: it is not looked at here.
 *
 * Memory: what is returned is in the pool; private keys are wiped with it.
 * Threads: pure but for randomness. Failures: `parameter_invalid` with a text for
 * the operator; internal ones of OpenSSL.
 */
#include "domain/trust/reader_identity.h"

/* Name, value. */
#define IDV_READER_KEY_TYPES(X)                                                \
    X(P256, "p256")                                                            \
    X(RSA, "rsa") /* 3072 bits */

typedef enum {
#define X(name, value) IDV_READER_KEY_##name,
    IDV_READER_KEY_TYPES(X)
#undef X
        IDV_READER_KEY_TYPE_COUNT
} idv_reader_key_type_t;

/* "haip"; "p256". The reverse gives -1 for another text. */
const char *idv_reader_kind_value(idv_reader_kind_t kind);
int idv_reader_kind_parse(const char *value);
const char *idv_reader_key_type_value(idv_reader_key_type_t type);

/* Non-zero when an identity of KIND may have a key of TYPE. */
int idv_reader_kind_allows(idv_reader_kind_t kind, idv_reader_key_type_t type);

/* A new key as `private_key` of an identity has it. */
idv_error_t *idv_reader_key_create(idv_reader_key_type_t type,
                                   idv_bytes_t *private_key,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Whose key it is: what stands in the request. Texts in UTF-8. */
typedef struct {
    const char *common_name;
    const char *organization; /* NULL: none, as the next two */
    const char *country;      /* alpha-2 */
    const char *dns_name;     /* subject alternative name */
} idv_reader_subject_t;

/* A certification request (PKCS #10) in PEM. */
idv_error_t *idv_reader_request(idv_bytes_t private_key,
                                const idv_reader_subject_t *subject,
                                const char **request,
                                apr_pool_t *pool) IDV_CHECKED;

/* The COSE algorithm that the key of an identity signs with: ES256 (-7), or with an
 * RSA key PS256 (-37, RFC 8230). */
idv_error_t *idv_reader_algorithm(idv_bytes_t private_key, int *algorithm,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The signature over MESSAGE by that algorithm, as COSE has it. */
idv_error_t *idv_reader_sign(idv_bytes_t private_key, idv_bytes_t message,
                             idv_bytes_t *signature,
                             apr_pool_t *pool) IDV_CHECKED;

/* Fills `chain`, `chain_length` and `not_after` of IDENTITY, of which `kind` and
 * `private_key` are there, with the certificates of FILE (PEM, or one in DER),
 * which all have to be valid at NOW. */
idv_error_t *idv_reader_chain_read(idv_bytes_t file, idv_time_t now,
                                   idv_reader_identity_t *identity,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
