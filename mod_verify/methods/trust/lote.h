/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_LOTE_H
#define IDV_METHODS_TRUST_LOTE_H

/*
 * A list of trusted entities in JSON: ETSI TS 119 602, signed as JAdES: a JSON
 * Web Signature in the compact form (RFC 7515) with the certificates of its
 * signer in the header.
 *
 * The signature must use ES256, ES384 or ES512 with a key on its curve, that of
 * a certificate that the operator gives or that a given one certifies.
 * JAdES-specific members of the header are ignored; a header that declares
 * members critical ("crit"), or a payload that is not encoded ("b64"), is
 * refused.
 *
 * Memory: the pool. Threads: pure. Failures: `parameter_invalid` with a text
 * for the operator.
 */
#include "methods/trust/list_content.h"

/* Non-zero if FILE begins like such a list. */
int idv_lote_is(idv_bytes_t file);

/* Reads FILE; SIGNERS is an array of idv_bytes_t, the operator's
 * certificates. */
idv_error_t *idv_lote_read(idv_bytes_t file, const apr_array_header_t *signers,
                           idv_time_t now, idv_trust_content_t **content,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
