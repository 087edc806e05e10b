/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_ETSI_LIST_H
#define IDV_METHODS_TRUST_ETSI_LIST_H

/*
 * A trusted list in XML: ETSI TS 119 612, among them the list of issuers of
 * proofs of age of the European Union (AVTL).
 *
 * What is checked of its signature (XML Signature, by xmlsec): that it is the one
 * child of the root, covers the whole document but itself, and was made by the
 * key of a certificate that the operator gives or that one given certifies
 * (list_content.h). Only canonicalization, the enveloped signature and SHA-2 are
 * allowed as transforms, so that nothing can be taken out of what is signed;
 * RSA, RSA-PSS and ECDSA with SHA-2 as algorithms. What is not checked: the
 * properties of XAdES (the signed time, the reference to the certificate),
 * schemas, and revocation of the signer.
 *
 * Refused before it is read: a document type (entities), a NUL, another encoding
 * than UTF-8, nesting beyond the limits of libxml2. Nothing is ever loaded from
 * elsewhere; pointers to other lists are not followed.
 *
 * Memory: what is read is copied to the pool; the tree is freed with it.
 * Threads: one at a time, as xmlsec is initialized by the first call. Failures:
 * `parameter_invalid` with a text for the operator.
 */
#include "methods/trust/list_content.h"

/* Reads FILE; SIGNERS is an array of idv_bytes_t, the certificates given. */
idv_error_t *idv_etsi_list_read(idv_bytes_t file,
                                const apr_array_header_t *signers,
                                idv_time_t now, idv_trust_content_t **content,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
