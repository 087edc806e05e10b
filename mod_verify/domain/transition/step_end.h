/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_STEP_END_H
#define IDV_DOMAIN_TRANSITION_STEP_END_H

/*
 * The ends of a session, and of a hold, as parts of a step
 * (domain/transition/step.h).
 *
 * Memory and threads: as there. Failures: none.
 */
#include "domain/transition/step.h"

/* Clears what asks the person of SESSION for something. */
void idv_step_clear_prompts(idv_session_t *session);

/* Ends the session as verified, or as failed if its evidence contradicts that
 * (session_summary.h); last_error then says why. */
void idv_step_verify(idv_step_t *step);

/* Ends the session as failed for the reason in last_error, or as declined
 * without one. */
void idv_step_fail(idv_step_t *step);

/* Ends the session without an outcome, as cancelled or expired. */
void idv_step_abandon(idv_step_t *step, idv_session_status_t status);

/* Undoes the counting of the session's verification, if it was counted. Only
 * for a reviewer's rejection. */
void idv_step_give_back(idv_step_t *step);

/* After the customer cancelled the session: counts the verification if evidence
 * had passed, because the customer's operators may have seen the result. */
void idv_step_count_cancelled(idv_step_t *step);

/* After a review failed the session: it costs nothing, but if evidence had
 * passed, the ledger shows an entry. */
void idv_step_note_rejection(idv_step_t *step);

/* Ends the hold and adds its duration to the session's remaining time. */
void idv_step_release(idv_step_t *step);

/* After an approval: the summary affirms what the session is about. */
void idv_step_accept_summary(idv_step_t *step);

#endif
