/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_TEST_VALUE_H
#define IDV_METHODS_TEST_VALUE_H

/*
 * Test values: what the server of a sandbox organization says that a step of a
 * verification comes to, so that each outcome is reached without a camera. The
 * state machine takes what comes of a value as it takes what comes of evidence
 * (domain/session/session_step.h, TEST_OUTCOME), of sandboxes' sessions alone.
 *
 * Values are `passed`; `undetermined`, which the workflow's `on_undetermined`
 * decides about; every code with which a method fails or asks again, and no
 * other; and `review_approved` and `review_rejected` of a session under review.
 * They are part of the API: add, never rename.
 *
 * Memory: the given pool. Threads: pure.
 */
#include "domain/session/session_step.h"

/* Sets the type of INPUT, and what belongs to it, to what VALUE says of a step
 * of SESSION by METHOD (IDV_METHOD_NONE: the first of CHOICES). An unknown value
 * is `parameter_invalid` at `value`, with all that there are, a method that is not among CHOICES at
 * `method`. */
idv_error_t *idv_test_value_input(const char *value, idv_method_t method,
                                  const idv_session_t *session,
                                  const idv_method_list_t *choices,
                                  idv_session_input_t *input,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
