/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_CHECKS_H
#define IDV_DOMAIN_SESSION_CHECKS_H

/*
 * The passive checks of a workflow's node, as facts for the risk engine:
 *
 * - ip_analysis: what kind of address the person comes from, how often it was
 *   seen, and whether it is where the session's creation declared it, or the
 *   document shown says;
 * - device_risk: whether a program led the browser, how often the device was
 *   seen and with how many persons, and whether the document shown before, if
 *   one was, is somebody else's;
 * - geolocation: whether the address is in the session's jurisdiction.
 *
 * Which signal belongs to which check stands in IDV_RISK_SIGNALS. The level of
 * the assessment is the exit of the node. Passive checks replace no method and
 * mint no credential.
 *
 * Threads: pure.
 */
#include "domain/risk.h"
#include "domain/session.h"

/* Fills FACTS with what is known without counting, for CHECKS of SESSION. The
 * strings are borrowed from it. */
void idv_session_checks_facts(const idv_session_t *session,
                              const idv_method_list_t *checks,
                              idv_risk_facts_t *facts);

#endif
