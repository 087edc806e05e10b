/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_DECISION_H
#define IDV_DOMAIN_TRANSITION_STEP_DECISION_H

/*
 * Flags and the decisions of reviewers, as parts of a step
 * (domain/transition/step.h): handlers of the inputs FLAG and REVIEW_*.
 *
 * Memory, threads and failures: as in session_step.h.
 */
#include "domain/transition/step.h"

idv_error_t *idv_step_flag(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_approve(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_reject(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_escalate(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_time_out_review(idv_step_t *step) IDV_CHECKED;

#endif
