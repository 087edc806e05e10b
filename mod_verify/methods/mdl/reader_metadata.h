/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_MDL_READER_METADATA_H
#define IDV_METHODS_MDL_READER_METADATA_H

/*
 * The relying party metadata that Google Wallet shows to a person: name, logo
 * and privacy policy. Signed requests carry it (`gw_rp_metadata_bytes`).
 *
 * - It is CBOR: a map within a byte string of tag 24. The content of the map is
 *   Google's concern and is not read.
 * - A certificate of a verifier registrar names it in the extension
 *   IDV_READER_METADATA_EXTENSION: an OCTET STRING of the SHA-256 of the bytes.
 *   Such a certificate is useless with other metadata.
 *
 * Memory: the given pool. Threads: pure. Failures: `parameter_invalid` with a
 * text for the operator.
 */
#include "domain/trust/reader_identity.h"

#define IDV_READER_METADATA_EXTENSION "1.3.6.1.4.1.11129.10.1"
#define IDV_READER_METADATA_MAX 8192 /* bytes */

/* The metadata in FILE: its bytes, or their base64url. */
idv_error_t *idv_reader_metadata_read(idv_bytes_t file, idv_bytes_t *metadata,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The DER of the extension's value for METADATA. */
idv_bytes_t idv_reader_metadata_value(idv_bytes_t metadata, apr_pool_t *pool);

/* Compares the metadata of IDENTITY, which may be empty, with its leaf.
 * *IS_BOUND is non-zero if the certificate names it. */
idv_error_t *idv_reader_metadata_check(const idv_reader_identity_t *identity,
                                       int *is_bound,
                                       apr_pool_t *pool) IDV_CHECKED;

#endif
