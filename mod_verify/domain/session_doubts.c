/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session_doubts.h"

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
        facts->vp_token_other_person =
            token->same_person == IDV_SAME_PERSON_NO;
}
