/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_LIST_CONTENT_H
#define IDV_METHODS_TRUST_LIST_CONTENT_H

/*
 * What the readers of trust lists share: the content that they fill, the texts
 * and certificates of which it is made, and who has signed a list.
 *
 * A publisher is trusted by certificates that the operator gives: the one that
 * signed the list itself, or one above it. In the second case the signer's
 * certificate has to say that it is for such lists, because the same authority
 * may certify others.
 *
 * Memory: what goes into a content is copied to its pool. Threads: pure.
 * Failures: `parameter_invalid` with a text for the operator, without any bytes
 * of the file.
 */
#include <openssl/evp.h>

#include "domain/trust/trust_list.h"
#include "methods/trust/x509_certificate.h"

/* An empty content of KIND. */
idv_trust_content_t *idv_trust_content_create(idv_trust_kind_t kind,
                                              apr_pool_t *pool);

/* Adds the certificate in DER for documents of DOC_TYPES (NULL-terminated;
 * NULL: all). One that is there already gains these types. Refused: what is no
 * certificate, one more than IDV_TRUST_CERTIFICATES_MAX, too many types. */
idv_error_t *idv_trust_content_add(idv_trust_content_t *content,
                                   idv_bytes_t der,
                                   const char *const *doc_types,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Adds every certificate of a text in PEM (RFC 7468) or a file in DER to
 * CERTIFICATES, an array of idv_bytes_t; blocks of other kinds in PEM are passed
 * over. Refused: a file without any. */
idv_error_t *idv_trust_certificates_read(idv_bytes_t file,
                                         apr_array_header_t *certificates,
                                         apr_pool_t *pool) IDV_CHECKED;

/* TEXT as a name of a list: without control characters and blanks at its ends,
 * cut at IDV_TRUST_NAME_MAX characters; NULL when nothing is left. */
const char *idv_trust_name(const char *text, apr_pool_t *pool);

/* Non-zero, and the time in *TIME, when TEXT is a time after 1970 in UTC as RFC
 * 3339 has it (2026-01-31T12:00:00Z); fractions of a second are cut off. */
int idv_trust_time(const char *text, idv_time_t *time, apr_pool_t *pool);

/* The bytes of base64 (RFC 4648, 4) with blanks and ends of lines between;
 * length 0 for anything else, and for more than LIMIT. */
idv_bytes_t idv_trust_base64(const char *text, apr_size_t limit,
                             apr_pool_t *pool);

/* --- who signed --- */

/* The certificates that came with a list: CHAIN[0] is the signer's. */
typedef struct {
    const idv_bytes_t *chain;
    int count;
    const char *purpose; /* object identifier of its extended key usage */
    idv_time_t now;      /* when all of them have to be valid */
} idv_trust_signer_t;

/* The public key of the signer, if one of the certificates TRUSTED (array of
 * idv_bytes_t) is its own or certifies it, and *FINGERPRINT, the SHA-256 of its
 * certificate. */
idv_error_t *idv_trust_signer_key(const idv_trust_signer_t *signer,
                                  const apr_array_header_t *trusted,
                                  EVP_PKEY **key, const char **fingerprint,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
