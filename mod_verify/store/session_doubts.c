/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session_doubts.h"

#include "core/id.h"
#include "store/risk.h"

static int any_fired(const idv_risk_assessment_t *assessment)
{
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            return 1;
    return 0;
}

static idv_error_t *count_use(idv_db_t *db, idv_session_doubts_t *doubts,
                              apr_pool_t *pool)
{
    const idv_risk_policy_t *policy = doubts->policy;
    idv_db_result_t *rows;

    if (!doubts->token.credential_id)
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_VP_TOKEN_PRESENTATION_INSERT,
        IDV_DB_PARAMS(idv_db_text(doubts->session->organization_id),
                      idv_db_text(doubts->token.credential_id),
                      idv_db_text(doubts->session->id),
                      idv_db_time(doubts->now),
                      idv_db_int(doubts->now - policy->vp_token_days * IDV_DAY),
                      idv_db_int(policy->vp_token_sessions)),
        &rows, pool));
    doubts->token.sessions = idv_db_get_int(rows, 0, 0);
    return NULL;
}

idv_error_t *idv_session_doubts_keep(idv_db_t *db,
                                     idv_session_doubts_t *doubts, int *kept,
                                     apr_pool_t *pool)
{
    static const idv_risk_identifiers_t nobody;
    const idv_session_t *session = doubts->session;
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    idv_risk_record_t record = {
        .id = idv_id_new(IDV_ID_RISK_ASSESSMENT, doubts->now, pool),
        .session_id = session->id,
        .created = doubts->now,
    };
    idv_risk_assessment_t assessment;
    idv_risk_facts_t facts;

    IDV_TRY(count_use(db, doubts, pool));
    idv_session_doubts_facts(session, &doubts->token, &facts);
    idv_risk_assess(doubts->policy, &facts, &assessment, pool);
    *kept = any_fired(&assessment);
    if (!*kept)
        return NULL;
    record.tier = idv_risk_tier(&assessment);
    record.body =
        idv_risk_assessment_text(record.id, doubts->now, &assessment, pool);
    return idv_risk_insert(db, &scope, &record, &nobody, pool);
}
