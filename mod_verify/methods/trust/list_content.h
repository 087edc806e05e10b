/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_LIST_CONTENT_H
#define IDV_METHODS_TRUST_LIST_CONTENT_H

/*
 * Shared code of the readers of trust lists: the content that they fill, its
 * texts and certificates, and the check of a list's signer.
 *
 * A publisher is trusted through certificates that the operator gives: the one
 * that signed the list itself, or one above it. In the second case the signer's
 * certificate must state that it is for such lists, because the same authority
 * may certify others.
 *
 * Memory: everything added to a content is copied to its pool. Threads: pure.
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
 * NULL: all). One that is there already gains these types. Refused: an invalid
 * certificate, one more than IDV_TRUST_CERTIFICATES_MAX, too many types. */
idv_error_t *idv_trust_content_add(idv_trust_content_t *content,
                                   idv_bytes_t der,
                                   const char *const *doc_types,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Adds every certificate of a text in PEM (RFC 7468) or a file in DER to
 * CERTIFICATES, an array of idv_bytes_t; PEM blocks of other kinds are ignored.
 * Refused: a file without certificates. */
idv_error_t *idv_trust_certificates_read(idv_bytes_t file,
                                         apr_array_header_t *certificates,
                                         apr_pool_t *pool) IDV_CHECKED;

/* TEXT as a name of a list (domain/value/shown_name.h): without characters that
 * must not be in one and blanks at its ends, cut to IDV_TRUST_NAME_MAX
 * characters; NULL if nothing visible is left. */
const char *idv_trust_name(const char *text, apr_pool_t *pool);

/* Non-zero, with the time in *TIME, if TEXT is a time after 1970 in UTC as in
 * RFC 3339 (2026-01-31T12:00:00Z); fractions of a second are cut off. */
int idv_trust_time(const char *text, idv_time_t *time, apr_pool_t *pool);

/* The bytes of base64 (RFC 4648, 4) with blanks and line ends in between;
 * length 0 for anything else, and for more than LIMIT. */
idv_bytes_t idv_trust_base64(const char *text, apr_size_t limit,
                             apr_pool_t *pool);

/* --- the signer --- */

/* The certificates that came with a list: CHAIN[0] is the signer's. */
typedef struct {
    const idv_bytes_t *chain;
    int count;
    const char *purpose; /* object identifier of its extended key usage */
    idv_time_t now;      /* the time at which all of them must be valid */
} idv_trust_signer_t;

/* The public key of the signer if one of the certificates TRUSTED (array of
 * idv_bytes_t) is its own or certifies it, and in *FINGERPRINT the SHA-256 of
 * its certificate. */
idv_error_t *idv_trust_signer_key(const idv_trust_signer_t *signer,
                                  const apr_array_header_t *trusted,
                                  EVP_PKEY **key, const char **fingerprint,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
