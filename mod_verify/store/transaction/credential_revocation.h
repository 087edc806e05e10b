/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_TRANSACTION_CREDENTIAL_REVOCATION_H
#define IDV_STORE_TRANSACTION_CREDENTIAL_REVOCATION_H

/*
 * An operator revokes a credential, with everything that rests on it. No scope
 * bounds this: an operator sees every organization.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; a credential that does not exist is
 * `resource_missing`.
 */
#include "store/session/credential_record.h"

/* Revokes a credential and its tokens at NOW: nothing rests on it any longer.
 * In the same transaction the grants of trust reuse that were derived from it
 * end with SOURCE_CREDENTIAL_REVOKED and are announced; their number goes to
 * *GRANTS. A second time there is nothing left to do. */
idv_error_t *idv_credential_revoke(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_credential_record_t **credential,
                                   int *grants, apr_pool_t *pool) IDV_CHECKED;

#endif
