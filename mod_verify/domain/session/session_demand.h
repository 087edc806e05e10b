/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_DEMAND_H
#define IDV_DOMAIN_SESSION_SESSION_DEMAND_H

/*
 * What a session demands of an outcome before it counts as passed: the assurance of
 * its node, the age of the law of the day, and that it does not contradict earlier
 * evidence. An outcome that falls short of this is a failure with a check that says
 * why. For session_walk.c alone.
 *
 * Memory: the pool of the step. Threads: pure. Nothing fails.
 */
#include "domain/session/session_walk.h"

/* OUTCOME itself, or a failure in its place. */
const idv_method_outcome_t *idv_step_demand(const idv_step_t *step,
                                            const idv_workflow_node_t *node,
                                            const idv_method_outcome_t *outcome);

#endif
