/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_TRUST_FILE_H
#define IDV_METHODS_TRUST_TRUST_FILE_H

/*
 * Reads a file of trusted certificates, of any kind in
 * domain/trust/trust_list.h, with the reader of its format.
 *
 * Third-party lists (VICAL, ETSI, master lists) need a signature that the
 * operator trusts: by the certificate of the signer, or of its issuer. A master
 * list may instead be signed under a country signing certificate that is
 * trusted already. Plain certificates are the operator's own and need no
 * signature.
 *
 * Memory: results are in the pool, or point into the file. Threads: one at a
 * time for lists in XML, else pure. Failures: `parameter_invalid` with a text
 * for the operator; nothing is ever read partially.
 */
#include "methods/trust/list_content.h"

typedef struct {
    idv_trust_kind_t kind;
    const apr_array_header_t *signers; /* of idv_bytes_t, DER; may be empty */
    const idv_trust_anchors_t *anchors; /* for passports: trusted already */
    idv_time_t now;
} idv_trust_reading_t;

idv_error_t *idv_trust_file_read(idv_bytes_t file,
                                 const idv_trust_reading_t *reading,
                                 idv_trust_content_t **content,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The only possible kind of FILE; -1 if there are several: plain certificates
 * do not state their purpose. */
int idv_trust_file_kind(idv_bytes_t file);

#endif
