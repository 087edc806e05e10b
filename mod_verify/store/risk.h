/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_H
#define IDV_STORE_RISK_H

/*
 * Risk assessments as they are kept, and the counting of identifiers. What is
 * given of identifiers are HMACs; observations are forgotten after
 * IDV_RISK_OBSERVATION_DAYS, the longest window.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/risk.h"
#include "store/db.h"
#include "store/lookup.h"

#define IDV_RISK_OBSERVATION_DAYS 30

/* Digests of the identifiers of one assessment; those not given have no data.
 */
typedef struct {
    idv_bytes_t digests[IDV_RISK_KIND_COUNT];
    idv_bytes_t person; /* of the e-mail address, else of the phone number */
} idv_risk_identifiers_t;

/* Fills FACTS->seen and ->device_persons, this assessment included. What is
 * seen is counted no further than it takes to be more than POLICY's limit. */
idv_error_t *idv_risk_count(idv_db_t *db, const idv_scope_t *scope,
                            const idv_risk_identifiers_t *identifiers,
                            const idv_risk_policy_t *policy, idv_time_t now,
                            idv_risk_facts_t *facts,
                            apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;
    const char *session_id; /* NULL: none; has to exist in the scope */
    const char *tier;       /* for the session */
    const char *body;       /* as the interface shows it */
    idv_time_t created;
} idv_risk_record_t;

/* Keeps an assessment, observes its identifiers and raises the session's
 * risk_tier. Inside a transaction when there is a session. Without one, the
 * commit does not wait for the disk: an assessment is advice, and asking again
 * gives it again; when PostgreSQL crashes, those of the last moments (three
 * times its wal_writer_delay) are forgotten as a whole, with what they counted.
 */
idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool) IDV_CHECKED;

/* The body of an assessment, in POOL; `resource_missing` outside of the scope.
 */
idv_error_t *idv_risk_find(idv_db_t *db, const idv_scope_t *scope,
                           const char *id, const char **body,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
