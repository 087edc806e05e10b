/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_RISK_ASSESSMENT_H
#define IDV_DOMAIN_RISK_RISK_ASSESSMENT_H

/*
 * Assesses facts under a policy: which signals have fired
 * (domain/risk/risk_signals.h), what each adds, and the score and level of all.
 *
 * Memory: details live in the given pool. Threads: pure. Failures: none.
 */
#include "domain/risk/risk.h"

/* Assesses FACTS under POLICY. The details in ASSESSMENT live in POOL. */
void idv_risk_assess(const idv_risk_policy_t *policy,
                     const idv_risk_facts_t *facts,
                     idv_risk_assessment_t *assessment, apr_pool_t *pool);

/* Computes score, level and the final points of ASSESSMENT. On entry `points`
 * holds what each signal would add on its own and the score is 0. */
void idv_risk_add_up(const idv_risk_policy_t *policy,
                     idv_risk_assessment_t *assessment);

/* The assessment as the API returns it, JSON in POOL. */
const char *idv_risk_assessment_text(const char *id, idv_time_t created,
                                     const idv_risk_assessment_t *assessment,
                                     apr_pool_t *pool);

#endif
