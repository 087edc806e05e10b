/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_METHOD_MDL_REVOCATION_H
#define IDV_WORKER_METHOD_MDL_REVOCATION_H

/*
 * Revocation status of a mobile document and its signer's certificate, from the
 * copies of the lists that its issuer names (store/trust/revocation_list.h);
 * for the rule in methods/mdl/mdl_decision.h. A list counts if it is signed
 * under the authority by which the signer itself is trusted.
 *
 * Memory: the pool. Threads: the watchdog's loop. Failures: of the database; a
 * list that is missing or inconclusive gives UNKNOWN.
 */
#include "domain/trust/trust_list.h"
#include "methods/mdl/mdl_findings.h"
#include "store/db/db.h"
#include "worker/method/revocation_fetcher.h"

/* Writes the addresses of the lists that FINDINGS name and returns their
 * number, for the method's entry in worker/method/analysis_method.h. None for an
 * unproved document. */
int idv_mdl_revocation_lists(const idv_mdl_findings_t *findings,
                             const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);

typedef struct {
    idv_revocation_t issuer;   /* from the CRLs: revoked if one says so, good if
                                * one says so and none says revoked */
    idv_revocation_t document; /* from the status or identifier list that it
                                * names */
} idv_mdl_revocation_t;

/* What the signer of findings is looked up by. */
typedef struct {
    const idv_mdl_findings_t *findings;
    const idv_trust_anchors_t *anchors;
    idv_time_t now;
} idv_mdl_revocation_question_t;

/* The status in the copies at NOW; ANCHORS are those given to the analysis. */
idv_error_t *idv_mdl_revocation_find(
    idv_db_t *db, const idv_mdl_revocation_question_t *question,
    idv_mdl_revocation_t *revocation, apr_pool_t *pool) IDV_CHECKED;

#endif
