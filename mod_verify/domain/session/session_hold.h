/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_HOLD_H
#define IDV_DOMAIN_SESSION_SESSION_HOLD_H

/*
 * Holding a session for review, as a part of a step (domain/session/session_walk.h).
 *
 * Memory and threads: as there. Nothing fails.
 */
#include "domain/session/session_walk.h"

/* Notes in the record of the session's reviews that ACTION was done by ACTOR
 * (NULL: the workflow) for the reason NOTE (NULL: none). */
void idv_step_record(idv_step_t *step, idv_review_action_t action,
                     const char *actor, const char *note);

/* Holds the session for review, for TIMEOUT. */
void idv_step_hold(idv_step_t *step, idv_time_t timeout);

/* Holds the session, whose workflow has come to its end, for a reviewer to
 * decide whether what it verifies for may be offered. */
void idv_step_hold_for_law(idv_step_t *step);

/* Non-zero when the review that the step ends is of what the law says, which is
 * not known: the workflow has come to its end. */
int idv_step_is_law_held(const idv_step_t *step);

#endif
