/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_TRUST_REUSE_RECORD_H
#define IDV_STORE_SESSION_TRUST_REUSE_RECORD_H

/*
 * Stored data of trust reuse: the settings of applications, and the credentials
 * that persons share. domain/session/trust_reuse.h decides what satisfies whom,
 * store/transaction/trust_reuse_grant.h accepts a shared credential, and
 * store/session/attempt_limit.h limits an application's lookups.
 *
 * The lookup of shared credentials is the only statement of a request that sees
 * more than one organization.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include "domain/session/trust_reuse.h"
#include "store/db/lookup.h"
#include "store/session/credential_record.h"

/* --- settings --- */

/* The settings of the scope's application; the defaults if none were set. */
idv_error_t *
idv_trust_reuse_settings_find(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* Likewise, with the settings locked until the end of the transaction. */
idv_error_t *
idv_trust_reuse_settings_lock(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* Replaces the settings of the scope's application; SETTINGS->updated is the
 * time of the change. LIABILITY non-zero: with this change the customer
 * accepted the liability for trust reuse, and its time is stored as that of the
 * acceptance; 0 leaves an earlier acceptance unchanged. */
idv_error_t *
idv_trust_reuse_settings_save(idv_db_t *db, const idv_scope_t *scope,
                              const idv_trust_reuse_settings_t *settings,
                              int liability, apr_pool_t *pool) IDV_CHECKED;

/* --- sharing --- */

/* Shares a session's credential under the digests of its RECORD. No effect
 * without a person or an application. */
idv_error_t *idv_trust_reuse_share(idv_db_t *db,
                                   const idv_session_record_t *record,
                                   const char *credential_id, idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

/* A person whom an application looks up at other organizations. */
typedef struct {
    idv_scope_t scope;
    const idv_person_query_t *person;
    idv_time_t now;
} idv_trust_reuse_query_t;

/* The credentials that the person in QUERY shares with the scope's application,
 * an array of const idv_shared_credential_t *, and the application's settings
 * (defaults if there is nothing). */
idv_error_t *idv_trust_reuse_find(idv_db_t *db,
                                  const idv_trust_reuse_query_t *wanted,
                                  idv_trust_reuse_settings_t *settings,
                                  apr_array_header_t **shared,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
