/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_WALK_H
#define IDV_DOMAIN_TRANSITION_STEP_WALK_H

/*
 * The way through the workflow, as part of a step (domain/transition/step.h).
 *
 * Memory and threads: as there. Failures: none.
 */
#include "domain/transition/step.h"

/* Enters the node at INDEX and advances through nodes that need no person.
 * WAITING is the status for waiting: pending before the first submission,
 * requires_input after it. */
void idv_step_enter(idv_step_t *step, int index, idv_session_status_t waiting);

/* The next method that NODE still asks for; NONE if it cannot be done in this
 * session (jurisdiction rules took methods out), or is done. */
idv_method_t idv_step_next_method(const idv_session_t *session,
                                  const idv_workflow_node_t *node);

/* Non-zero if METHOD is requested at the session's current methods node and the
 * node can still be passed. */
int idv_step_is_asked(const idv_step_t *step, idv_method_t method);

/* At a methods node with a waiting person: requests the methods that the law of
 * the day still allows. If these cannot pass the node, leaves it as
 * exhausted. */
void idv_step_ask_anew(idv_step_t *step);

#endif
