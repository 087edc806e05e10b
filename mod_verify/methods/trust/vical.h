/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_VICAL_H
#define IDV_METHODS_TRUST_VICAL_H

/*
 * A verified issuer certificate authority list: ISO/IEC 18013-5, annex C. A
 * COSE_Sign1, with or without its tag, over a map of certificates and the types
 * of documents that each may sign.
 *
 * - The signer must be, or be certified by, one that the operator gives
 *   (list_content.h); its purpose is 1.0.18013.5.1.8.
 * - Additional data about a certificate (names, key identifiers, validity) is
 *   also in the certificate, and ignored.
 * - Certificates that are not authorities are ignored.
 * - Revocation of the signer is not checked.
 *
 * Limits: those of methods/mdl/cbor.h. Memory: the pool. Threads: pure.
 * Failures: `parameter_invalid` with a text for the operator.
 */
#include "methods/trust/list_content.h"

#define IDV_VICAL_SIGNER_PURPOSE "1.0.18013.5.1.8"

/* Reads FILE; SIGNERS is an array of idv_bytes_t, the operator's
 * certificates. */
idv_error_t *idv_vical_read(idv_bytes_t file, const apr_array_header_t *signers,
                            idv_time_t now, idv_trust_content_t **content,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
