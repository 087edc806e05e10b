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

/* The revocation of a credential, and its result. */
typedef struct {
    const char *id;
    idv_time_t now;
    /* Set by idv_credential_revoke(). */
    idv_credential_record_t *credential; /* after the revocation */
    int grants;                          /* number of revoked grants */
} idv_credential_revocation_t;

/* Revokes a credential and its tokens. In the same transaction the trust
 * reuse grants derived from it end with SOURCE_CREDENTIAL_REVOKED and are
 * announced. Idempotent. */
idv_error_t *idv_credential_revoke(idv_db_t *db,
                                   idv_credential_revocation_t *revocation,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
