/* SPDX-License-Identifier: Apache-2.0 */
#include "store/transaction/retention.h"

idv_error_t *idv_retention_purge(idv_db_t *db,
                                 const idv_retention_purge_t *purge,
                                 apr_int64_t *removed, apr_pool_t *pool)
{
    static const idv_sql_t statements[] = {
        [IDV_RETENTION_IDEMPOTENCY] = IDV_SQL_RETENTION_PURGE_IDEMPOTENCY,
        [IDV_RETENTION_DELIVERY] = IDV_SQL_RETENTION_PURGE_DELIVERIES,
        [IDV_RETENTION_EVENT] = IDV_SQL_RETENTION_PURGE_EVENTS,
        [IDV_RETENTION_RECOVERY] = IDV_SQL_RETENTION_PURGE_RECOVERIES,
        [IDV_RETENTION_SECOND_REVIEW] = IDV_SQL_RETENTION_PURGE_SECOND_REVIEWS,
        [IDV_RETENTION_EVIDENCE] = IDV_SQL_RETENTION_PURGE_EVIDENCE,
        [IDV_RETENTION_ATTEMPT] = IDV_SQL_RETENTION_PURGE_ATTEMPTS,
        [IDV_RETENTION_RISK_OBSERVATION] =
            IDV_SQL_RETENTION_PURGE_RISK_OBSERVATIONS,
        [IDV_RETENTION_MAIL] = IDV_SQL_RETENTION_PURGE_MAIL,
        [IDV_RETENTION_DOCUMENT_SIGHTING] =
            IDV_SQL_RETENTION_PURGE_DOCUMENT_SIGHTINGS,
        [IDV_RETENTION_RISK_ASSESSMENT] =
            IDV_SQL_RETENTION_PURGE_RISK_ASSESSMENTS,
        [IDV_RETENTION_TRUST_REUSE_TALLY] =
            IDV_SQL_RETENTION_PURGE_TRUST_REUSE_TALLIES,
        [IDV_RETENTION_VP_TOKEN_PRESENTATION] =
            IDV_SQL_RETENTION_PURGE_VP_TOKEN_PRESENTATIONS,
        [IDV_RETENTION_EMAIL_OTP] = IDV_SQL_RETENTION_PURGE_EMAIL_OTPS,
        [IDV_RETENTION_PASSKEY_CHALLENGE] =
            IDV_SQL_RETENTION_PURGE_PASSKEY_CHALLENGES,
        [IDV_RETENTION_HANDOFF] = IDV_SQL_RETENTION_PURGE_HANDOFFS,
        [IDV_RETENTION_AGE_FAILURE] = IDV_SQL_RETENTION_PURGE_AGE_FAILURES,
        [IDV_RETENTION_REVOCATION_LIST] =
            IDV_SQL_RETENTION_PURGE_REVOCATION_LISTS,
        [IDV_RETENTION_WORKFLOW_REPLAY] =
            IDV_SQL_RETENTION_PURGE_WORKFLOW_REPLAYS,
        [IDV_RETENTION_SHADOW_SESSION] =
            IDV_SQL_RETENTION_PURGE_SHADOW_SESSIONS,
        [IDV_RETENTION_FORMER_SECRET] = IDV_SQL_RETENTION_PURGE_FORMER_SECRETS,
        [IDV_RETENTION_LAW] = IDV_SQL_RETENTION_PURGE_BY_LAW,
        [IDV_RETENTION_OIDC_LOGIN] = IDV_SQL_RETENTION_PURGE_OIDC_LOGINS,
        [IDV_RETENTION_REMOVED_SESSION] =
            IDV_SQL_RETENTION_PURGE_REMOVED_SESSIONS,
    };
    idv_db_result_t *rows;

    if (purge->kind != IDV_RETENTION_EVIDENCE
        && purge->kind != IDV_RETENTION_LAW)
        return idv_db_execute(
            db, statements[purge->kind],
            IDV_DB_PARAMS(idv_db_int(purge->cutoff), idv_db_int(purge->limit)),
            removed, pool);
    IDV_TRY(idv_db_query(
        db, statements[purge->kind],
        IDV_DB_PARAMS(idv_db_int(purge->cutoff), idv_db_int(purge->limit)),
        &rows, pool));
    *removed = idv_db_get_int(rows, 0, 0);
    return NULL;
}
