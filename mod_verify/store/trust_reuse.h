/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRUST_REUSE_H
#define IDV_STORE_TRUST_REUSE_H

/*
 * Trust reuse as it is kept: the settings of applications, and the credentials
 * that persons share. Looking these up is the one statement of a request that
 * sees more than one organization.
 *
 * Memory: everything lives in the given pool.
 */
#include "domain/trust_reuse.h"
#include "store/credential_record.h"
#include "store/session_lookup.h"

/* The settings of the scope's application; the defaults when none were set. */
idv_error_t *
idv_trust_reuse_settings_find(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* The same, locked until the end of the transaction. */
idv_error_t *
idv_trust_reuse_settings_lock(idv_db_t *db, const idv_scope_t *scope,
                              idv_trust_reuse_settings_t *settings,
                              apr_pool_t *pool) IDV_CHECKED;

/* Writes them, as of settings->updated; LIABILITY: accepted with this. */
idv_error_t *
idv_trust_reuse_settings_save(idv_db_t *db, const idv_scope_t *scope,
                              const idv_trust_reuse_settings_t *settings,
                              int liability, apr_pool_t *pool) IDV_CHECKED;

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
