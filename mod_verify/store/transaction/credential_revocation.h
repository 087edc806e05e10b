/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_CREDENTIAL_REVOCATION_H
#define IDV_STORE_TRANSACTION_CREDENTIAL_REVOCATION_H

/*
 * Revocation of a credential by an operator, with everything that depends on
 * it. It has no scope: an operator sees every organization.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; an unknown credential is
 * `resource_missing`.
 */
#include "store/session/credential_record.h"

/* Revokes a credential and its tokens at NOW. In the same transaction the trust
 * reuse grants derived from it end with SOURCE_CREDENTIAL_REVOKED and are
 * announced; their number is stored in *GRANTS. Idempotent. */
idv_error_t *idv_credential_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_credential_record_t **credential,
                                   int *grants, apr_pool_t *pool) IDV_CHECKED;

#endif
