/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_TRUST_FILE_H
#define IDV_METHODS_TRUST_TRUST_FILE_H

/*
 * A file of trusted certificates, of any kind that domain/trust/trust_list.h lists:
 * one reader for all, which asks those of the formats.
 *
 * Lists of others (VICAL, ETSI, master lists) are taken only with a signature by
 * somebody whom the operator names: the certificate of the signer, or of who
 * certifies it. A master list may instead be signed under a country signing
 * certificate that is trusted already. Plain certificates are the operator's own
 * word and need none.
 *
 * Memory: what is read is in the pool, or points into the file. Threads: one at
 * a time for lists in XML, else pure. Failures: `parameter_invalid` with a text
 * for the operator; nothing is ever read in part.
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

/* The kind that FILE can only be, -1 when it may be several: plain certificates
 * do not say whose they are. */
int idv_trust_file_kind(idv_bytes_t file);

#endif
