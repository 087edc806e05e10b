/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_ETSI_LIST_H
#define IDV_METHODS_TRUST_ETSI_LIST_H

/*
 * A trusted list in XML: ETSI TS 119 612, among them the list of issuers of
 * proofs of age of the European Union (AVTL).
 *
 * The signature (XML Signature, by xmlsec) must be the only one, be a child of
 * the root, cover the whole document except itself, and be made by the key of a
 * certificate that the operator gives, or that a given one certifies
 * (list_content.h). Allowed transforms are canonicalization, the enveloped
 * signature and SHA-2, so that nothing can be excluded from the signature;
 * allowed algorithms are RSA, RSA-PSS and ECDSA with SHA-2. Not checked: the
 * properties of XAdES (the signed time, the reference to the certificate),
 * schemas, and revocation of the signer.
 *
 * Refused before parsing: a document type (entities), a NUL, an encoding other
 * than UTF-8, nesting beyond the limits of libxml2. Nothing external is ever
 * loaded; pointers to other lists are not followed.
 *
 * Memory: results are copied to the pool; the tree is freed with it. Threads:
 * one at a time, because the first call initializes xmlsec. Failures:
 * `parameter_invalid` with a text for the operator.
 */
#include "methods/trust/list_content.h"

/* Reads FILE; SIGNERS is an array of idv_bytes_t, the operator's
 * certificates. */
idv_error_t *idv_etsi_list_read(idv_bytes_t file,
                                const apr_array_header_t *signers,
                                idv_time_t now, idv_trust_content_t **content,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
