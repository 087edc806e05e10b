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

idv_error_t *idv_session_doubts_keep(idv_db_t *db,
                                     const idv_session_doubts_t *doubts,
                                     int *kept, apr_pool_t *pool)
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

    idv_session_doubts_facts(session, &facts);
    idv_risk_assess(doubts->policy, &facts, &assessment, pool);
    *kept = any_fired(&assessment);
    if (!*kept)
        return NULL;
    record.tier = idv_risk_tier(&assessment);
    record.body =
        idv_risk_assessment_text(record.id, doubts->now, &assessment, pool);
    return idv_risk_insert(db, &scope, &record, &nobody, pool);
}
