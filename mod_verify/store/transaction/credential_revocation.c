/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/credential_revocation.h"

#include "store/transaction/trust_reuse_grant.h"

static idv_error_t *revoke_all(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_credential_revocation_t *work = baton;
    idv_grant_revoking_t revoking = {
        .id = work->id,
        .reason = IDV_GRANT_SOURCE_CREDENTIAL_REVOKED,
        .now = work->now,
    };

    IDV_TRY(idv_credential_find(db, work->id, &work->credential, pool));
    revoking.organization_id = work->credential->organization_id;
    IDV_TRY(idv_trust_reuse_revoke_credential(db, &revoking, pool));
    work->grants = revoking.revoked;
    IDV_TRY(idv_db_execute(db, IDV_SQL_CREDENTIAL_REVOKE,
                           IDV_DB_PARAMS(idv_db_text(revoking.organization_id),
                                         idv_db_text(work->id),
                                         idv_db_time(work->now)),
                           NULL, pool));
    return idv_credential_find(db, work->id, &work->credential, pool);
}

idv_error_t *idv_credential_revoke(idv_db_t *db,
                                   idv_credential_revocation_t *revocation,
                                   apr_pool_t *pool)
{
    return idv_db_transaction(db, revoke_all, revocation, pool);
}
