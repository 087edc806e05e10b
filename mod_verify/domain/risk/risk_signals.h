/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_RISK_SIGNALS_H
#define IDV_DOMAIN_RISK_RISK_SIGNALS_H

/*
 * Which signals fire for given facts, one function for each. Only for
 * risk_assessment.c.
 *
 * Memory: the pool of the view's writer. Threads: pure. Failures: none.
 */
#include "core/json_writer.h"
#include "domain/risk/risk.h"

/* The facts being assessed, and the details that a signal shows. */
typedef struct {
    const idv_risk_policy_t *policy;
    const idv_risk_facts_t *facts;
    idv_json_writer_t metadata; /* of the signal at hand */
} idv_risk_view_t;

/* Evaluates signal I. -1: takes no part, 0: did not fire, 1: fired. Its
 * metadata are then in VIEW, with their object open. */
int idv_risk_judge(idv_risk_view_t *view, int i);

#endif
