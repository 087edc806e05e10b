/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_LAW_H
#define IDV_DOMAIN_SESSION_SESSION_LAW_H

/*
 * The law that a session is decided by.
 *
 * Memory: the given pool. Threads: pure. Nothing fails.
 */
#include "domain/law/compliance_rules.h"
#include "domain/session/session.h"

/* What RULES (NULL: none) say at NOW of what SESSION, of WORKFLOW, verifies
 * for; NULL where nothing is known. */
const idv_compliance_t *idv_session_law(const idv_compliance_rules_t *rules,
                                        const idv_session_t *session,
                                        const idv_workflow_t *workflow,
                                        idv_time_t now, apr_pool_t *pool);

/* All that those rules say of it, as a JSON object with the parts that the rule is
 * put together of; NULL where nothing is asked. */
const char *idv_session_law_text(const idv_compliance_rules_t *rules,
                                 const idv_session_t *session,
                                 const idv_workflow_t *workflow,
                                 idv_time_t now, apr_pool_t *pool);

/* Makes LAW the one that SESSION is decided by: its rule, the higher of the ages
 * that it and WORKFLOW demand, and the workflow's methods that it accepts. */
void idv_session_hold_to_law(idv_session_t *session,
                             const idv_workflow_t *workflow,
                             const idv_compliance_t *law);

#endif
