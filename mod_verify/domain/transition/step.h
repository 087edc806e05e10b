/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_H
#define IDV_DOMAIN_TRANSITION_STEP_H

/*
 * A step of the state machine while its parts work on it, only for the files of
 * this folder.
 *
 * A step collects its results in `after` (a copy of `before`), `types` and
 * `effects`; they take effect only when session_step.c turns them into a
 * change. Functions idv_step_* work on it. Each part has its own file:
 *
 *     session_step    the table of inputs, and those that need no part
 *     step_submission submissions and their outcomes
 *     step_decision   flags and the decisions of reviewers
 *     step_handoff    the devices of a session
 *     step_outcome    what an outcome proves, and what follows from it
 *     step_demand     what an outcome must meet to count as passed
 *     step_walk       the way through the workflow
 *     step_law        the law of the day and the age that it demands
 *     step_end        the ends of a session
 *     step_hold       holding a session for review
 *
 * Memory: results live in the step's pool. Threads: pure. Failures: none,
 * except of handlers of inputs, which return the errors of session_step.h.
 */
#include "domain/transition/session_change.h"

typedef struct {
    const idv_session_t *before;
    const idv_workflow_t *workflow;
    const idv_session_input_t *input;
    idv_time_t now;
    idv_session_t *after;
    int touched;        /* zero: the input changes nothing */
    int is_held_to_law; /* the law of the day applies to AFTER */
    idv_event_type_t types[IDV_SESSION_EVENTS_MAX];
    int type_count;
    unsigned effects;
    const char *decided_by; /* of a review, or NULL */
    idv_review_entry_t reviews[IDV_SESSION_REVIEWS_MAX];
    int review_count;
    apr_pool_t *pool;
} idv_step_t;

/* Adds an event of TYPE about the session after the step. */
void idv_step_emit(idv_step_t *step, idv_event_type_t type);

/* An error with CODE. */
idv_error_t *idv_step_refuse(const idv_step_t *step,
                             idv_error_code_t code) IDV_CHECKED;

/* The internal error for a session that does not fit its workflow. */
idv_error_t *idv_step_misfit(const idv_step_t *step) IDV_CHECKED;

/* Non-zero if the session has ended, or its time is over. */
int idv_step_is_over(const idv_step_t *step);

/* The node of the session before the step if it is of TYPE; else NULL. */
const idv_workflow_node_t *idv_step_node(const idv_step_t *step,
                                         idv_node_type_t type);

/* Non-zero if METHOD, a name or NULL, is a primary method. */
int idv_step_is_primary(const char *method);

#endif
