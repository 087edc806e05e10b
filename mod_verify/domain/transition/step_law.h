/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_LAW_H
#define IDV_DOMAIN_TRANSITION_STEP_LAW_H

/*
 * The law of the day and the age that it demands, as parts of a step
 * (domain/transition/step.h); session_step.h states the rules.
 *
 * Memory and threads: as there. Failures: none.
 */
#include "domain/transition/step.h"

/* Holds the session to the law of the day, unless it has ended or had been
 * verified by that of an earlier day. */
void idv_step_hold_to_law(idv_step_t *step);

/* Ends the session as failed if the law of the day leaves no other end.
 * Non-zero if this failed the session. */
int idv_step_fails_by_law(idv_step_t *step);

/* Ends the session as failed if the evidence surely shows that the person is
 * too young, which no approval can change, or if it was held when no age was
 * required, but one is now. Non-zero if this failed the session. */
int idv_step_fails_by_age(idv_step_t *step);

/* After an approval: the held evidence proves the age that was in doubt. */
void idv_step_approve_age(idv_step_t *step);

/* The age that an approval proves, after idv_step_approve_age(): the age read,
 * and at least the age required while the session was held. If no age was read,
 * only the reviewer's decision supports it, for the age required now. */
int idv_step_approved_age(const idv_step_t *step);

#endif
