/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_SUBMISSION_H
#define IDV_DOMAIN_TRANSITION_STEP_SUBMISSION_H

/*
 * Submissions and their outcomes, as parts of a step
 * (domain/transition/step.h): handlers, named after their inputs.
 *
 * Memory, threads and failures: as in session_step.h.
 */
#include "domain/transition/step.h"

idv_error_t *idv_step_submit(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_outcome(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_test_outcome(idv_step_t *step) IDV_CHECKED;
idv_error_t *idv_step_analysis_failed(idv_step_t *step) IDV_CHECKED;

#endif
