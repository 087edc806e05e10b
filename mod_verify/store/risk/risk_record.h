/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_RISK_RECORD_H
#define IDV_STORE_RISK_RISK_RECORD_H

/*
 * Risk assessments as they are stored, and the counting of persons before one.
 * domain/risk/risk.h decides what an assessment says; store/session/session_risk.h assesses
 * sessions.
 *
 * Identifiers are given as HMACs, and what was observed of them is deleted after
 * IDV_RISK_OBSERVATION_DAYS, the longest window.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an assessment outside of the scope is
 * `resource_missing`.
 */
#include "domain/risk/risk.h"
#include "store/db/lookup.h"

#define IDV_RISK_OBSERVATION_DAYS 30

/* Digests of the identifiers of one assessment; those not given have no data.
 */
typedef struct {
    idv_bytes_t digests[IDV_RISK_KIND_COUNT];
    idv_bytes_t person; /* digest of the e-mail address, else of the number */
    /* What is looked for in the operator's lists; an address has an entry of
     * its own before that of its domain. */
    idv_bytes_t listed[IDV_RISK_KIND_COUNT];
    idv_bytes_t email_domain;
} idv_risk_identifiers_t;

/* Fills FACTS with what the store knows of IDENTIFIERS: ->seen and
 * ->device_persons, this assessment included, failures for age and what the
 * operator's lists say. Who is seen is counted no further than it takes to be
 * more than POLICY's limit. */
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

/* Stores an assessment and observes its identifiers; the tier of its session is
 * the caller's to raise (idv_session_risk_insert()). Outside of a transaction, the
 * commit does not wait for the disk: an assessment is advice, and asking again
 * gives it again; when PostgreSQL crashes, those of the last moments (three times
 * its wal_writer_delay) are lost as a whole, with what they counted. */
idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool) IDV_CHECKED;

/* The body of an assessment; `resource_missing` outside of the scope. */
idv_error_t *idv_risk_find(idv_db_t *db, const idv_scope_t *scope,
                           const char *id, const char **body,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
