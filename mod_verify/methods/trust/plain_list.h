/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TRUST_PLAIN_LIST_H
#define IDV_METHODS_TRUST_PLAIN_LIST_H

/*
 * Lists of plain certificates, which nobody signed: in PEM, or one in DER. They
 * need no reader of XML, so that also the module may read them.
 *
 * Memory: results are copied to the pool. Threads: pure. Failures:
 * `parameter_invalid` with a text for the operator; nothing is ever read
 * partially.
 */
#include "methods/passport/csca_list.h"
#include "methods/trust/list_content.h"

/* The certificates of FILE as a list of KIND, a plain one. */
idv_error_t *idv_trust_plain_read(idv_bytes_t file, idv_trust_kind_t kind,
                                  idv_trust_content_t **content,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Adds the entries of LIST after the first BEFORE. */
idv_error_t *idv_trust_content_add_csca(idv_trust_content_t *content,
                                        const idv_csca_list_t *list,
                                        int before,
                                        apr_pool_t *pool) IDV_CHECKED;

#endif
