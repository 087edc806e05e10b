/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/session_risk.h"

#include "domain/session/session_results.h"

/* --- who uses a VP token --- */

idv_same_person_t idv_same_person(const idv_same_person_facts_t *facts)
{
    if (facts->different > 0)
        return IDV_SAME_PERSON_NO;
    return facts->equal > 0 && !facts->claimed ? IDV_SAME_PERSON_YES
                                               : IDV_SAME_PERSON_UNKNOWN;
}

const char *idv_vp_token_results(const char *results, idv_same_person_t same,
                                 idv_time_t now, apr_pool_t *pool)
{
    idv_method_check_t check =
        *idv_session_check(IDV_SESSION_CHECK_VP_TOKEN_SAME_PERSON);
    const idv_session_result_t result = {
        .method = "vp_token",
        .status = "passed",
        .checks = &check,
        .check_count = same != IDV_SAME_PERSON_UNKNOWN,
        .completed_at = now,
    };

    if (same == IDV_SAME_PERSON_YES)
        check = (idv_method_check_t){.name = check.name, .result = 1};
    return idv_session_results_add(results, &result, pool);
}

/* --- doubts at the beginning --- */

int idv_session_is_elsewhere(const idv_session_t *session)
{
    return session->identifiers_claimed && session->jurisdiction.mismatch > 0;
}

void idv_session_doubts_facts(const idv_session_t *session,
                              const idv_session_token_t *token,
                              idv_risk_facts_t *facts)
{
    idv_risk_facts_init(facts);
    if (idv_session_is_elsewhere(session)) {
        facts->claimed = session->jurisdiction.declared;
        facts->ip_country = session->jurisdiction.ip_derived;
    }
    if (!token->credential_id)
        return;
    facts->vp_token_sessions = token->sessions;
    if (token->same_person != IDV_SAME_PERSON_UNKNOWN)
        facts->vp_token_other_person = token->same_person == IDV_SAME_PERSON_NO;
}

/* --- the checks of a node --- */

void idv_session_picture_facts(const idv_session_t *session,
                               idv_risk_facts_t *facts)
{
    int traces = session->runner.document_traces;

    /* That no trace was seen says nothing: many leave none. */
    if (traces & 1 << IDV_TRACE_RECAPTURED)
        facts->document_recaptured = 1;
    if (traces & 1 << IDV_TRACE_PASTED)
        facts->document_pasted = 1;
}

void idv_session_checks_facts(const idv_session_t *session,
                              const idv_method_list_t *checks,
                              idv_risk_facts_t *facts)
{
    const idv_session_signals_t *signals = session->runner.signals;

    idv_risk_facts_init(facts);
    for (int i = 0; i < checks->count; i++)
        facts->checks |= IDV_METHOD_BIT(checks->items[i]);
    facts->claimed = session->jurisdiction.declared;
    facts->document = session->runner.facts.jurisdiction;
    facts->jurisdiction = session->jurisdiction.resolved;
    if (session->runner.verified.count || session->runner.document_reused)
        facts->document_reused = session->runner.document_reused;
    idv_session_picture_facts(session, facts);
    if (!signals)
        return;
    facts->ip_reserved = signals->reserved;
    facts->ip_hosting = signals->hosting;
    facts->ip_anonymizer = signals->anonymizer;
    facts->ip_tor = signals->tor;
    facts->automated = signals->automated;
    facts->webdriver = signals->webdriver;
    facts->virtual_camera = signals->virtual_camera;
    facts->ip_country = signals->place;
    facts->time_zone = signals->time_zone;
}
