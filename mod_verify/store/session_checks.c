/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session_checks.h"

#include <string.h>

#include "core/id.h"
#include "domain/session_risk.h"
#include "store/risk.h"

/* What is counted and observed is what one of the checks looks at. */
static void identify(const idv_session_record_t *record,
                     const idv_method_list_t *checks,
                     idv_risk_identifiers_t *identifiers)
{
    const idv_session_signals_t *signals = record->session->runner.signals;

    memset(identifiers, 0, sizeof(*identifiers));
    identifiers->person =
        record->email_digest.data ? record->email_digest : record->phone_digest;
    if (!signals)
        return;
    if (idv_method_list_has(checks, IDV_METHOD_IP_ANALYSIS))
        identifiers->digests[IDV_RISK_KIND_IP] = signals->address;
    if (idv_method_list_has(checks, IDV_METHOD_DEVICE_RISK))
        identifiers->digests[IDV_RISK_KIND_DEVICE] = signals->device;
}

idv_error_t *idv_session_checks_run(idv_db_t *db,
                                    const idv_session_checks_t *checks,
                                    idv_session_input_t *result,
                                    apr_pool_t *pool)
{
    const idv_session_t *session = checks->record->session;
    const idv_workflow_node_t *node =
        idv_workflow_node(checks->workflow, session->runner.node);
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    idv_risk_record_t record = {
        .id = idv_id_new(IDV_ID_RISK_ASSESSMENT, checks->now, pool),
        .session_id = session->id,
        .created = checks->now,
    };
    idv_risk_identifiers_t identifiers;
    idv_risk_assessment_t assessment;
    idv_risk_facts_t facts;

    idv_session_checks_facts(session, &node->methods, &facts);
    identify(checks->record, &node->methods, &identifiers);
    IDV_TRY(idv_risk_count(db, &scope, &identifiers, checks->policy,
                           checks->now, &facts, pool));
    idv_risk_assess(checks->policy, &facts, &assessment, pool);
    record.tier = idv_risk_tier(&assessment);
    record.body =
        idv_risk_assessment_text(record.id, checks->now, &assessment, pool);
    IDV_TRY(idv_risk_insert(db, &scope, &record, &identifiers, pool));
    *result = (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                                    .checks_node = node->id,
                                    .risk = assessment.level,
                                    .assessment_id = record.id};
    return NULL;
}

idv_error_t *idv_session_checks_note_reuse(idv_db_t *db,
                                           idv_session_record_t *after,
                                           const idv_risk_policy_t *policy,
                                           idv_time_t now, apr_pool_t *pool)
{
    const idv_session_t *session = after->session;
    const idv_scope_t scope = {session->organization_id,
                               session->application_id};
    const idv_risk_identifiers_t none = {0};
    idv_risk_record_t record = {
        .id = idv_id_new(IDV_ID_RISK_ASSESSMENT, now, pool),
        .session_id = session->id,
        .created = now,
    };
    idv_risk_assessment_t assessment;
    idv_session_record_t *raised;
    idv_risk_facts_t facts;

    if (!policy)
        return NULL;
    idv_risk_facts_init(&facts);
    facts.document_reused = 1;
    idv_risk_assess(policy, &facts, &assessment, pool);
    record.tier = idv_risk_tier(&assessment);
    record.body = idv_risk_assessment_text(record.id, now, &assessment, pool);
    IDV_TRY(idv_risk_insert(db, &scope, &record, &none, pool));
    IDV_TRY(idv_session_find(db, &scope, session->id, &raised, pool));
    after->risk_tier = raised->risk_tier;
    return NULL;
}
