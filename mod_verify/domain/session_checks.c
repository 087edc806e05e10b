/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session_checks.h"

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
    if (!signals)
        return;
    facts->ip_reserved = signals->reserved;
    facts->ip_hosting = signals->hosting;
    facts->ip_anonymizer = signals->anonymizer;
    facts->ip_tor = signals->tor;
    facts->automated = signals->automated;
    facts->webdriver = signals->webdriver;
    facts->ip_country = signals->place;
}
