/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TEST_VALUE_H
#define IDV_METHODS_TEST_VALUE_H

/*
 * Test values: the outcome of a verification step as set by the server of a
 * sandbox organization, so that each outcome can be reached without a camera.
 * The state machine treats the outcome of a value like that of evidence
 * (domain/transition/session_step.h, TEST_OUTCOME), only for sessions of
 * sandboxes.
 *
 * Values are `passed`; `undetermined`, which the workflow's `on_undetermined`
 * decides about; every code with which a method fails or asks again, and no
 * other; and `review_approved` and `review_rejected` for a session under
 * review. They are part of the API: add, never rename.
 *
 * Memory: the given pool. Threads: pure.
 */
#include "domain/transition/session_step.h"

/* Sets the type and members of INPUT for VALUE as the outcome of a step of
 * SESSION by METHOD (IDV_METHOD_NONE: the first of CHOICES). An unknown value
 * is `parameter_invalid` at `value`, with the list of valid ones; a method that
 * is not among CHOICES is one at `method`. */
idv_error_t *idv_test_value_input(const char *value, idv_method_t method,
                                  const idv_session_t *session,
                                  const idv_method_list_t *choices,
                                  idv_session_input_t *input,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
