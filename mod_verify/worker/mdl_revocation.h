/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_MDL_REVOCATION_H
#define IDV_WORKER_MDL_REVOCATION_H

/*
 * Whether a mobile document and the certificate of its signer were revoked, by
 * the copies of the lists that its issuer names (store/trust/revocation_list.h): for
 * the rule of methods/mdl/mdl_decision.h. Lists are believed when they are signed
 * under the authority by which the signer itself is trusted.
 *
 * Memory: the pool. Threads: the watchdog's loop. Failures: of the database; a
 * list that is not there, or says nothing certain, is UNKNOWN.
 */
#include "domain/trust/trust_list.h"
#include "methods/mdl/mdl_findings.h"
#include "store/db/db.h"
#include "worker/revocation_fetcher.h"

/* The addresses of the lists that FINDINGS name, for the entry of the method in
 * worker/analysis_method.h; how many. None of a document that is not proved. */
int idv_mdl_revocation_lists(const idv_mdl_findings_t *findings,
                             const char *addresses[IDV_REVOCATION_ADDRESSES_MAX]);

typedef struct {
    idv_revocation_t issuer;   /* by the CRLs: revoked when one says so, good when
                                  one says so and none says revoked */
    idv_revocation_t document; /* by the list that it names, of statuses or
                                   identifiers */
} idv_mdl_revocation_t;

/* What the copies say at NOW; ANCHORS are those that the analysis was given. */
idv_error_t *idv_mdl_revocation_find(idv_db_t *db,
                                     const idv_mdl_findings_t *findings,
                                     const idv_trust_anchors_t *anchors,
                                     idv_time_t now,
                                     idv_mdl_revocation_t *revocation,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
