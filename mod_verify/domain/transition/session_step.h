/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_SESSION_STEP_H
#define IDV_DOMAIN_TRANSITION_SESSION_STEP_H

/*
 * The state machine of verification sessions; no other code decides their
 * transitions (interface, "Session transitions").
 *
 * idv_session_step() takes the current session, its workflow version, an input
 * and the time. It returns the next session, the events to announce and the
 * effects to carry out. The store writes all of this in the transaction in
 * which it read the session with a lock.
 *
 *     created -OPEN-> pending -SUBMIT-> processing -OUTCOME-> requires_input,
 *     the next node, or an end; any open -CANCEL-> cancelled; any open but
 *     under_review -LEAVE-> cancelled; created, pending,
 *     processing, requires_input -EXPIRE-> expired; under_review -REVIEW_*->
 *     failed, verified or requires_input; verified -FLAG-> under_review;
 *     created, pending, requires_input -REDEEM-> verified.
 *
 * Devices: while a phone holds the session (`active_device`), the first device
 * can only LEAVE and HANDOFF_RETURN; anything else is
 * session_locked_to_other_device, as it is for a phone that returned the
 * session. A phone that falls silent loses the session but regains it with its
 * next input, unless the first device has acted in between; then the phone has
 * lost it for good. OFFER, SCAN, DECLINE and TAKE follow each other; the
 * validity of a link is checked outside the session.
 *
 * TEST_OUTCOME combines a submission and its outcome, without evidence. Only
 * sandbox sessions (`livemode` false) accept it, from any sender.
 *
 * Law: a submission, its outcome and a reviewer's approval apply the law of
 * that day.
 * - A person fails if the proved age no longer suffices or the product is now
 *   prohibited.
 * - An outcome decided under an earlier law fails (`under_age`) if it does not
 *   prove the age required when it is recorded.
 * - Methods that the law no longer accepts are no longer requested. A
 *   submission of one is not accepted; the session shows what is requested
 *   instead. A node that cannot be passed without them is left as exhausted.
 * - The approval of a session that was flagged after being verified follows the
 *   law of its verification.
 * - If the law is unknown, a session about to be verified is first held for a
 *   reviewer, or fails at the next input, as the operator configured
 *   (VerifyComplianceUnknown). Law that has become unknown cancels no earlier
 *   requirement.
 *
 * Age: an approval settles an age that the evidence leaves open. Held evidence
 * then proves exactly the age that the session required when it was held. If
 * the evidence clearly shows that the person is too young, at any node and
 * whatever else is wrong with it, the approval fails the session, with or
 * without a law. A declaration or a VP token makes nobody older. A failed
 * outcome still counts against the age, although it proves nothing. Only evidence
 * that passes later decides about the age again.
 *
 * A session is never verified against its evidence (session_summary.h): if its
 * summary denies the age or the identity that the session is about, the session
 * fails instead, whatever led there.
 *
 * Billing: a verification is counted once, when the session is first verified,
 * or when CANCEL ends it after evidence of a method passed. LEAVE, EXPIRE and
 * failures count nothing; a review that fails such a session leaves a line in
 * the ledger (NOTE_REJECTION).
 *
 * Timing: a session under review does not expire, but its review does; the
 * session's remaining time resumes after an approval. At a node of passive
 * checks a session is `pending` before the first submission, and `processing`
 * after that or after an approval, without a current method. Only in the latter
 * case does it wait for the timer to resume it: the sender of OPEN, REDEEM or
 * CHECKS_RESULT runs the following checks in the same transaction. Late inputs
 * (an outcome for an older submission, a timer of a session that has ended)
 * change nothing and are not errors: `change->changed` is zero and there are no
 * events.
 *
 * Memory: the change lives in POOL and borrows from BEFORE. Threads: pure.
 */
#include "domain/transition/session_change.h"

/* A session, its workflow version, and the time of an input. */
typedef struct {
    const idv_session_t *before;
    const idv_workflow_t *workflow;
    idv_time_t now;
} idv_session_moment_t;

/*
 * Applies INPUT to the session of MOMENT. Errors, which change nothing:
 *
 * - session_terminal: CANCEL, LEAVE, CONSENT, SUBMIT on a session that has
 *   ended (CANCEL and LEAVE of a cancelled one: no error, no change);
 * - session_state_conflict: SUBMIT if nothing is awaited or a required consent
 *   is missing; LEAVE under review; CONSENT under a flag, because the session
 *   had ended before; REVIEW_APPROVE, _REJECT, _ESCALATE without a review;
 * - session_terminal: HANDOFF_OFFER and HANDOFF_RETURN on a session that has
 *   ended; session_state_conflict: HANDOFF_OFFER by a phone; handoff_invalid:
 *   HANDOFF_SCAN, _DECLINE and _TAKE if no link is offered;
 * - session_locked_to_other_device: as described above;
 * - session_terminal: TEST_OUTCOME on a session that has ended;
 *   session_state_conflict: if no method is requested; internal_error in a live
 *   session;
 * - session_not_flaggable: FLAG on anything but a verified session;
 * - session_not_redeemable: EMAIL_PROVEN, see idv_session_check_otp();
 * - use_case_prohibited: REDEEM if the law now prohibits it;
 * - compliance_unknown: REDEEM if the law is unknown, unless that is allowed;
 * - session_not_redeemable: SATISFY on anything but a new session; REDEEM if no
 *   method is awaited, nor would be after OPEN, and for a person whom evidence
 *   has shown to be too young;
 * - parameter_invalid at `statement`, `language` if it cannot be declared;
 * - parameter_invalid at `method`, `images`, `images[n]`, `consent`, `reason`,
 *   `by`, `note`, `reason_code`;
 * - internal_error for a session that does not fit its workflow.
 */
idv_error_t *idv_session_step(const idv_session_moment_t *moment,
                              const idv_session_input_t *input,
                              idv_session_change_t **change,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
