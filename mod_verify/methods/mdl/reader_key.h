/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_READER_KEY_H
#define IDV_METHODS_MDL_READER_KEY_H

/*
 * The key of a reader identity (domain/trust/reader_identity.h), its
 * certification request to an authority, and the returned certificates.
 *
 * - A chain is the leaf, followed by the issuer of each; the self-signed anchor
 *   is omitted, as HAIP 1.0 (6.1.1) demands of requests.
 * - The leaf has the key's public part, may sign (digitalSignature, if it
 *   states a key usage), is not an authority, and is not self-signed.
 * - Kinds haip and eudi have a key on P-256; apple RSA of 2048 bits or P-256.
 * - Wallets decide which anchors they accept; the anchor is not checked here.
 *
 * Memory: results are in the pool; private keys are wiped with it. Threads:
 * pure except for randomness. Failures: `parameter_invalid` with a text for the
 * operator; internal ones of OpenSSL.
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

/* "haip"; "p256". The reverse gives -1 for unknown text. */
const char *idv_reader_kind_value(idv_reader_kind_t kind);
int idv_reader_kind_parse(const char *value);
const char *idv_reader_key_type_value(idv_reader_key_type_t type);

/* Non-zero if an identity of KIND may have a key of TYPE. */
int idv_reader_kind_allows(idv_reader_kind_t kind, idv_reader_key_type_t type);

/* A new key in the form of `private_key` of an identity. */
idv_error_t *idv_reader_key_create(idv_reader_key_type_t type,
                                   idv_bytes_t *private_key,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The subject of the request. Texts in UTF-8. */
typedef struct {
    const char *common_name;
    const char *organization; /* NULL: none, also for the next four */
    const char *country;      /* alpha-2 */
    const char *state;        /* or province, in words */
    const char *email;
    const char *dns_name;     /* subject alternative name */
    /* A further extension, such as that of a registrar: its object identifier in
     * numbers (NULL: none) and the DER of its value. Not critical. */
    const char *extension;
    idv_bytes_t extension_value;
} idv_reader_subject_t;

/* A certification request (PKCS #10) in PEM. A name that is too long, and an
 * extension that is no object identifier or no DER, are `parameter_invalid`. */
idv_error_t *idv_reader_request(idv_bytes_t private_key,
                                const idv_reader_subject_t *subject,
                                const char **request,
                                apr_pool_t *pool) IDV_CHECKED;

/* The COSE algorithm of an identity's key: ES256 (-7), or with an RSA key PS256
 * (-37, RFC 8230). */
idv_error_t *idv_reader_algorithm(idv_bytes_t private_key, int *algorithm,
                                  apr_pool_t *pool) IDV_CHECKED;

/* The signature over MESSAGE by that algorithm, in the form of COSE. */
idv_error_t *idv_reader_sign(idv_bytes_t private_key, idv_bytes_t message,
                             idv_bytes_t *signature,
                             apr_pool_t *pool) IDV_CHECKED;

/* Fills `chain`, `chain_length` and `not_after` of IDENTITY, whose `kind` and
 * `private_key` are set, from the certificates of FILE (PEM, or one in DER),
 * all of which must be valid at NOW. */
idv_error_t *idv_reader_chain_read(idv_bytes_t file, idv_time_t now,
                                   idv_reader_identity_t *identity,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
