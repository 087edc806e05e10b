/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_LAW_H
#define IDV_DOMAIN_SESSION_SESSION_LAW_H

/*
 * The law that applies to a session.
 *
 * Memory: the given pool. Threads: pure. Failures: none.
 */
#include "domain/law/compliance_rules.h"
#include "domain/session/session.h"

/* The rule in RULES (NULL: none) at NOW for the product of SESSION, of
 * WORKFLOW; NULL if unknown. */
const idv_compliance_t *idv_session_law(const idv_compliance_rules_t *rules,
                                        const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now, apr_pool_t *pool);

/* The complete rule as a JSON object with the parts that it is composed of;
 * NULL if there is nothing to look up. */
const char *idv_session_law_text(const idv_compliance_rules_t *rules,
                                 const idv_session_t *session,
                                 const idv_workflow_t *workflow,
                                 idv_time_t now, apr_pool_t *pool);

/* Applies LAW to SESSION: its rule, the higher of the ages that LAW and
 * WORKFLOW require, and those workflow methods that it accepts. */
void idv_session_hold_to_law(idv_session_t *session,
                             const idv_workflow_t *workflow,
                             const idv_compliance_t *law);

#endif
