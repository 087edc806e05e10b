/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_OUTCOME_H
#define IDV_DOMAIN_TRANSITION_STEP_OUTCOME_H

/*
 * The outcomes of submissions and checks, and what follows from them for the
 * session, as part of a step (domain/transition/step.h).
 *
 * Memory and threads: as there. Failures: none.
 */
#include "domain/transition/step.h"

/* Records the result of the checks of NODE in the session's results. */
void idv_step_take_checks(idv_step_t *step, const idv_workflow_node_t *node);

/* Applies an outcome to the session and continues from NODE. */
void idv_step_take_outcome(idv_step_t *step, const idv_workflow_node_t *node,
                           const idv_method_outcome_t *found);

/* After a reviewer accepted an outcome that was held at NODE for doubts: its
 * method counts as passed; its entry in the results has no checks. Call it
 * after idv_step_release(). */
void idv_step_take_held(idv_step_t *step, const idv_workflow_node_t *node);

#endif
