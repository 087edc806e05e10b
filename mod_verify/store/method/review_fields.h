/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_METHOD_REVIEW_FIELDS_H
#define IDV_STORE_METHOD_REVIEW_FIELDS_H

/*
 * The data read from a document, kept for the reviewer: from a photographed one, who
 * compares it with the pictures; from a passport's chip or a wallet, who has nothing
 * else to see.
 *
 * The findings are sealed under the data key of the session and stored in the record
 * of the decision (store/session/decision_record.h). They are purged with the
 * evidence, whose key they need.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool and is
 * wiped with it. Failures: those of store/method/evidence.h.
 */
#include "methods/document/document_findings.h"
#include "methods/mdl/mdl_findings.h"
#include "store/method/evidence.h"

/* Seals FINDINGS for the session of OWNER; *SEALED is empty if they are not
 * readable. */
idv_error_t *idv_review_fields_seal(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    const idv_document_findings_t *findings,
                                    idv_bytes_t *sealed,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Seals DOCUMENT, from a chip, likewise; NULL: *SEALED is empty. */
idv_error_t *idv_review_fields_seal_chip(idv_db_t *db,
                                         const idv_evidence_owner_t *owner,
                                         const idv_document_t *document,
                                         idv_bytes_t *sealed,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Seals the elements of FINDINGS, from a wallet, likewise, except the portrait, as the
 * `sealed_fields` of their OUTCOME; nothing if they are not proved. */
idv_error_t *idv_review_fields_seal_wallet(idv_db_t *db,
                                           const idv_evidence_owner_t *owner,
                                           const idv_mdl_findings_t *findings,
                                           idv_method_outcome_t *outcome,
                                           apr_pool_t *pool) IDV_CHECKED;

/* Finds the data of the last documents of the session of OWNER: {"source", "side",
 * "fields", "print", "places", "signed"}; all but `signed` are null unless one was
 * photographed. `side` is the picture with the code; `fields` has the values
 * of the code by name, null if it has none; `print` says whether the front agrees
 * with each (print_comparison.h); `places` says where on that picture each value is
 * (document_area.h), null if that is unknown. `signed` lists {"method", "fields", "ages"}
 * for the last chip and the last wallet; `ages` has the wallet's statements by age, null
 * for a chip. `resource_missing` if nothing is stored. Owned by POOL. */
idv_error_t *idv_review_fields_find(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    json_t **fields,
                                    apr_pool_t *pool) IDV_CHECKED;

#endif
