/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_WALK_H
#define IDV_DOMAIN_SESSION_SESSION_WALK_H

/*
 * The parts of one step of the state machine that several inputs share: going
 * on in the workflow, ending, being held. For session_step.c alone.
 *
 * A step collects what happens in `after` (a copy of `before`), `types` and
 * `effects`; nothing of it counts until session_step.c makes the change of it.
 *
 * Memory: what a step makes lives in its pool. Threads: pure. Nothing fails.
 */
#include "domain/session/session_step.h"

typedef struct {
    const idv_session_t *before;
    const idv_workflow_t *workflow;
    const idv_session_input_t *input;
    idv_time_t now;
    idv_session_t *after;
    int touched; /* zero: the input changes nothing */
    int is_held_to_law; /* AFTER is held to the law of the day */
    idv_event_type_t types[IDV_SESSION_EVENTS_MAX];
    int type_count;
    unsigned effects;
    const char *decided_by; /* of a review, or NULL */
    idv_review_entry_t reviews[IDV_SESSION_REVIEWS_MAX];
    int review_count;
    apr_pool_t *pool;
} idv_step_t;

/* Announces an event of TYPE about the session after the step. */
void idv_step_emit(idv_step_t *step, idv_event_type_t type);

/* Enters the node at INDEX and goes on through those that need nobody.
 * WAITING is the status in which a person is waited for: pending before the
 * first submission, requires_input after it. */
void idv_step_enter(idv_step_t *step, int index, idv_session_status_t waiting);

/* Non-zero when METHOD is asked for at the node of methods that the session
 * stands at, and the node can be passed. */
int idv_step_is_asked(const idv_step_t *step, idv_method_t method);

/* Asks a person who is waited for at a node of methods for what the law of the
 * day leaves of it; leaves the node as exhausted where that cannot pass it. */
void idv_step_ask_anew(idv_step_t *step);

/* Ends the session as verified, or as failed when its evidence speaks against
 * that (session_summary.h): last_error says what. */
void idv_step_verify(idv_step_t *step);

/* Ends the session as failed, for the reason that stands in last_error, or as
 * declined when none does. */
void idv_step_fail(idv_step_t *step);

/* Ends the session without an outcome, as cancelled or expired. */
void idv_step_abandon(idv_step_t *step, idv_session_status_t status);

/* Gives back what the verification of the session took, if it was one: for a
 * reviewer's rejection alone. */
void idv_step_give_back(idv_step_t *step);

/* The customer has cancelled the session: counts the verification if evidence
 * had passed, as the customer's operators may have seen what it says. */
void idv_step_count_cancelled(idv_step_t *step);

/* A review has failed the session. It costs nothing; if evidence had passed, the
 * ledger shows it all the same. */
void idv_step_note_rejection(idv_step_t *step);

/* Lifts the hold and gives back the time that it took. */
void idv_step_release(idv_step_t *step);

/* Notes in the session's results what the checks of NODE came to. */
void idv_step_take_checks(idv_step_t *step, const idv_workflow_node_t *node);

/* Takes an outcome into the session, and goes on from NODE. */
void idv_step_take_outcome(idv_step_t *step, const idv_workflow_node_t *node,
                           const idv_method_outcome_t *found);

/* Non-zero when the review that the step ends is of a document, or of what a
 * chip or a wallet showed. */
int idv_step_is_evidence_held(const idv_step_t *step);

/* An approval was given: what is held proves the age that was in doubt. */
void idv_step_approve_age(idv_step_t *step);

/* The age that an approval of the session proves, after idv_step_approve_age():
 * what was read, and at least what was demanded while the session was held. Where
 * nothing was read, the reviewer's word is all there is, for what is demanded now. */
int idv_step_approved_age(const idv_step_t *step);

/* An approval was given: the summary claims what the session is about. */
void idv_step_accept_summary(idv_step_t *step);

/* A reviewer accepts the outcome that was held at NODE for its doubts: its
 * method was passed, which the results say without checks of their own. After
 * idv_step_release(). */
void idv_step_take_held(idv_step_t *step, const idv_workflow_node_t *node);

#endif
