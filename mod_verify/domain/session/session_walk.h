/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_WALK_H
#define IDV_DOMAIN_SESSION_SESSION_WALK_H

/*
 * Parts of a state machine step that several inputs share: advancing in the
 * workflow, ending, being held. Only for session_step.c.
 *
 * A step collects its results in `after` (a copy of `before`), `types` and
 * `effects`; they take effect only when session_step.c turns them into a
 * change.
 *
 * Memory: results live in the step's pool. Threads: pure. Failures: none.
 */
#include "domain/session/session_step.h"

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

/* Enters the node at INDEX and advances through nodes that need no person.
 * WAITING is the status for waiting: pending before the first submission,
 * requires_input after it. */
void idv_step_enter(idv_step_t *step, int index, idv_session_status_t waiting);

/* Non-zero if METHOD is requested at the session's current methods node and the
 * node can still be passed. */
int idv_step_is_asked(const idv_step_t *step, idv_method_t method);

/* At a methods node with a waiting person: requests the methods that the law of
 * the day still allows. If these cannot pass the node, leaves it as
 * exhausted. */
void idv_step_ask_anew(idv_step_t *step);

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

/* Records the result of the checks of NODE in the session's results. */
void idv_step_take_checks(idv_step_t *step, const idv_workflow_node_t *node);

/* Applies an outcome to the session and continues from NODE. */
void idv_step_take_outcome(idv_step_t *step, const idv_workflow_node_t *node,
                           const idv_method_outcome_t *found);

/* After an approval: the held evidence proves the age that was in doubt. */
void idv_step_approve_age(idv_step_t *step);

/* The age that an approval proves, after idv_step_approve_age(): the age read,
 * and at least the age required while the session was held. If no age was read,
 * only the reviewer's decision supports it, for the age required now. */
int idv_step_approved_age(const idv_step_t *step);

/* After an approval: the summary affirms what the session is about. */
void idv_step_accept_summary(idv_step_t *step);

/* After a reviewer accepted an outcome that was held at NODE for doubts: its
 * method counts as passed; its entry in the results has no checks. Call it
 * after idv_step_release(). */
void idv_step_take_held(idv_step_t *step, const idv_workflow_node_t *node);

#endif
