/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_RISK_RISK_RECORD_H
#define IDV_STORE_RISK_RISK_RECORD_H

/*
 * Stored risk assessments, and the counting of persons for them.
 * domain/risk/risk.h decides the content of an assessment;
 * store/session/session_risk.h assesses sessions.
 *
 * Identifiers are passed as HMACs; observations of them are deleted after
 * IDV_RISK_OBSERVATION_DAYS, the longest window.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an assessment outside of the scope is
 * `resource_missing`.
 */
#include "domain/risk/risk.h"
#include "store/db/lookup.h"

#define IDV_RISK_OBSERVATION_DAYS 30

/* Digests of an assessment's identifiers; absent ones have no data. */
typedef struct {
    idv_bytes_t digests[IDV_RISK_KIND_COUNT];
    idv_bytes_t person; /* of the e-mail address, else of the phone number */
    /* To be looked up in the operator's lists; an entry for an e-mail address
     * takes precedence over one for its domain. */
    idv_bytes_t listed[IDV_RISK_KIND_COUNT];
    idv_bytes_t email_domain;
} idv_risk_identifiers_t;

/* What is counted of a session that is about to be assessed. */
typedef struct {
    idv_scope_t scope;
    const idv_risk_identifiers_t *identifiers;
    const idv_risk_policy_t *policy;
    idv_time_t now;
} idv_risk_question_t;

/* Fills FACTS from the store for IDENTIFIERS: ->seen and ->device_persons
 * (including this assessment), failed age checks, and the operator's lists.
 * Persons are counted only until the count exceeds POLICY's limit. */
idv_error_t *idv_risk_count(idv_db_t *db, const idv_risk_question_t *question,
                            idv_risk_facts_t *facts,
                            apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const char *id;
    const char *session_id; /* NULL: none; must exist in the scope */
    const char *tier;       /* for the session */
    const char *body;       /* as the API returns it */
    idv_time_t created;
} idv_risk_record_t;

/* Stores an assessment and records observations of its identifiers; raising the
 * session's tier is up to the caller (idv_session_risk_insert()). Outside of a
 * transaction the commit does not wait for the disk: an assessment is advice
 * and can be requested again. If PostgreSQL crashes, the most recent ones
 * (three times its wal_writer_delay) are lost completely, with their
 * observations. */
idv_error_t *idv_risk_insert(idv_db_t *db, const idv_scope_t *scope,
                             const idv_risk_record_t *record,
                             const idv_risk_identifiers_t *identifiers,
                             apr_pool_t *pool) IDV_CHECKED;

/* The body of an assessment; `resource_missing` outside of the scope. */
idv_error_t *idv_risk_find(idv_db_t *db, const idv_scope_t *scope,
                           const char *id, const char **body,
                           apr_pool_t *pool) IDV_CHECKED;

#endif
