/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_DEMAND_H
#define IDV_DOMAIN_TRANSITION_STEP_DEMAND_H

/*
 * Requirements that an outcome must meet to count as passed: the assurance of
 * its node, the age required by the current law, and consistency with earlier
 * evidence. An outcome that falls short becomes a failure with a check that
 * says why. Only for step_outcome.c.
 *
 * Memory: the pool of the step. Threads: pure. Failures: none.
 */
#include "domain/transition/step.h"

/* OUTCOME itself, or the failure that replaces it. */
const idv_method_outcome_t *idv_step_demand(const idv_step_t *step,
                                            const idv_workflow_node_t *node,
                                            const idv_method_outcome_t *outcome);

#endif
