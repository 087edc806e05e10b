/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_SIGNED_DATA_H
#define IDV_METHODS_PASSPORT_SIGNED_DATA_H

/*
 * SignedData of the Cryptographic Message Syntax (RFC 5652, 5), the form of
 * chips' security objects and of master lists: with the content and the
 * certificates of its signers inside. ICAO Doc 9303-10, 4.6.2.2, recommends one
 * signer and allows several, any of which suffices; the signer members are
 * those of the chosen one, initially the first.
 *
 * The signature is checked here and not by OpenSSL's CMS_verify(), which
 * refuses genuine passports whose signer's digest algorithm is not the hash
 * function of the signature. As in RFC 5652, 5.4, the content is hashed by the
 * digest algorithm, the result is a signed attribute, and the signature covers
 * the attributes' DER encoding as a SET OF, with the hash function of the
 * signature algorithm.
 *
 * Only DER is parsed. Other encodings are converted by OpenSSL's decoder first,
 * because some states' lists have indefinite lengths.
 *
 * Memory: all byte strings point into the input, or into the pool. Threads:
 * pure.
 */
#include "core/clock.h"
#include "methods/passport/public_key.h"

/* Maximum of stored certificates. */
#define IDV_SIGNED_DATA_CERTIFICATES_MAX 16

/* More signers are malformed. */
#define IDV_SIGNED_DATA_SIGNERS_MAX 8

typedef struct {
    int version;
    idv_bytes_t content_type; /* object identifier, content bytes */
    idv_bytes_t content;
    idv_bytes_t certificates[IDV_SIGNED_DATA_CERTIFICATES_MAX]; /* DER */
    int certificate_count;
    idv_bytes_t signers[IDV_SIGNED_DATA_SIGNERS_MAX]; /* SignerInfo, DER */
    int signer_count;                                 /* 1 or more */
    /* The chosen signer, from its SignerInfo. */
    idv_bytes_t issuer;        /* Name, DER; length 0: identified by its key */
    idv_bytes_t serial;        /* content bytes */
    idv_bytes_t key_id;        /* subject key identifier; else length 0 */
    idv_bytes_t digest_algorithm;    /* AlgorithmIdentifier, DER */
    idv_bytes_t signature_algorithm; /* AlgorithmIdentifier, DER */
    idv_bytes_t signed_attributes;   /* as a SET OF; length 0: none */
    idv_bytes_t signed_type;   /* attribute content-type: identifier */
    idv_bytes_t signed_digest; /* attribute message-digest */
    idv_time_t signing_time;   /* attribute signing-time; 0: none */
    idv_bytes_t signature;
} idv_signed_data_t;

/* The result of checking a signature. */
typedef enum {
    IDV_SIGNATURE_RIGHT,
    IDV_SIGNATURE_OTHER_SCHEME,    /* right, but by a scheme that the key is not
                                    * for: PKCS #1 v1.5 with a key for
                                    * RSA-PSS */
    IDV_SIGNATURE_TYPE_MISMATCH,   /* another type of content was signed */
    IDV_SIGNATURE_DIGEST_MISMATCH, /* another content was signed */
    IDV_SIGNATURE_WRONG,           /* not by this key, or altered */
    IDV_SIGNATURE_UNSUPPORTED      /* unknown algorithm */
} idv_signature_result_t;

/* Parses a ContentInfo. `parameter_invalid` if it is malformed, has no signer
 * or too many, or no content; its parameter is "content_type" if it is a
 * ContentInfo of another type than SignedData. */
idv_error_t *idv_signed_data_read(idv_bytes_t bytes, idv_signed_data_t *data,
                                  apr_pool_t *result) IDV_CHECKED;

/* Chooses the signer at INDEX (below signer_count). */
void idv_signed_data_choose(idv_signed_data_t *data, int index,
                            apr_pool_t *result);

/* The signer's certificate: the one that the signer names, or else, with one
 * signer, the only one inside, because some issuers name it wrongly; the
 * signature has to prove it anyway. Length 0: none. */
idv_bytes_t idv_signed_data_signer(const idv_signed_data_t *data,
                                   apr_pool_t *scratch);

/* Checks the signature of the content with the signer's KEY. */
idv_signature_result_t idv_signed_data_verify(const idv_signed_data_t *data,
                                              EVP_PKEY *key, apr_pool_t *pool);

#endif
