/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_TRUST_REUSE_RECORD_H
#define IDV_STORE_SESSION_TRUST_REUSE_RECORD_H

/*
 * Trust reuse as it is stored: the settings of applications, and the credentials
 * that persons share. domain/session/trust_reuse.h decides what satisfies whom,
 * store/transaction/trust_reuse_grant.h accepts a shared credential, and
 * store/session/attempt_limit.h limits how often an application may ask.
 *
 * Looking for shared credentials is the only statement of a request that sees
 * more than one organization.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h.
 */
#include "domain/session/trust_reuse.h"
#include "store/db/lookup.h"
#include "store/session/credential_record.h"

/* --- settings --- */

/* The settings of the scope's application; the defaults when none were set. */
idv_error_t *
idv_trust_reuse_settings_find(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* Like idv_trust_reuse_settings_find(), with the settings locked until the end
 * of the transaction. */
idv_error_t *
idv_trust_reuse_settings_lock(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* Writes SETTINGS for the scope's application, which they replace, with
 * SETTINGS->updated as the time of the change. LIABILITY non-zero: the customer
 * accepted the liability for trust reuse with this change, and its time is kept
 * as that of the acceptance; 0 leaves an earlier acceptance as it is. */
idv_error_t *
idv_trust_reuse_settings_save(idv_db_t *db, const idv_scope_t *scope,
                              const idv_trust_reuse_settings_t *settings,
                              int liability, apr_pool_t *pool) IDV_CHECKED;

/* --- sharing --- */

/* Shares a credential of a session under the digests of its RECORD. Without a
 * person, or an application, there is nothing to share. */
idv_error_t *idv_trust_reuse_share(idv_db_t *db,
                                   const idv_session_record_t *record,
                                   const char *credential_id, idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

/* What the person of QUERY shares with the scope's application, as an array of
 * const idv_shared_credential_t *, and that application's settings (defaults
 * when there is nothing). */
idv_error_t *idv_trust_reuse_find(idv_db_t *db, const idv_scope_t *scope,
                                  const idv_person_query_t *query,
                                  idv_time_t now,
                                  idv_trust_reuse_settings_t *settings,
                                  apr_array_header_t **shared,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
