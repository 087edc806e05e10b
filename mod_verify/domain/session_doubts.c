/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session_doubts.h"

int idv_session_is_elsewhere(const idv_session_t *session)
{
    return session->identifiers_claimed && session->jurisdiction.mismatch > 0;
}

void idv_session_doubts_facts(const idv_session_t *session,
                              idv_risk_facts_t *facts)
{
    idv_risk_facts_init(facts);
    if (!idv_session_is_elsewhere(session))
        return;
    facts->claimed = session->jurisdiction.declared;
    facts->ip_country = session->jurisdiction.ip_derived;
}
