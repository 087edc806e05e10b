/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_HOLD_H
#define IDV_DOMAIN_TRANSITION_STEP_HOLD_H

/*
 * Holding a session for review, as part of a step
 * (domain/transition/step.h).
 *
 * Memory and threads: as there. Failures: none.
 */
#include "domain/transition/step.h"

/* Records in the session's review history that ACTOR (NULL: the workflow) took
 * ACTION for the reason NOTE (NULL: none). */
void idv_step_record(idv_step_t *step, idv_review_action_t action,
                     const char *actor, const char *note);

/* Holds the session for review until TIMEOUT has passed. */
void idv_step_hold(idv_step_t *step, idv_time_t timeout);

/* Holds a session at the end of its workflow, so that a reviewer decides
 * whether the product may be offered. */
void idv_step_hold_for_law(idv_step_t *step);

/* Non-zero if the review that this step ends is about unknown law, so that the
 * workflow is at its end. */
int idv_step_is_law_held(const idv_step_t *step);

#endif
