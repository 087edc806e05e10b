/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_STEP_H
#define IDV_DOMAIN_SESSION_SESSION_STEP_H

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
 * sandbox sessions (`livemode` false) accept it, whoever sends it.
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
 * outcome still counts against the age, although it proves nothing; evidence
 * that passes later settles the age anew, and nothing else does.
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
#include "domain/law/compliance_rules.h"
#include "domain/method/method_evidence.h"
#include "domain/method/method_outcome.h"
#include "domain/risk/risk.h"
#include "domain/session/review.h"
#include "domain/session/session.h"
#include "domain/session/session_law.h"
#include "domain/value/event_type.h"

#define IDV_SESSION_TECHNICAL_FAILURES_MAX 3 /* in a row; then it fails */
#define IDV_SESSION_SUBMISSIONS_MAX 50       /* an unreadable last one fails */
#define IDV_SESSION_EVENTS_MAX 2
#define IDV_SESSION_REVIEWS_MAX 2
/* After this many revisions consent can no longer be changed; it is the only
 * action that a person could repeat forever. */
#define IDV_SESSION_CONSENT_REVISION_MAX 1000

/* Name, and whether the input applies the law of the day: inputs with which the
 * person brings something, and decisions that make it count. */
#define IDV_SESSION_INPUTS(X)                                                  \
    X(OPEN, 0)            /* the widget was opened; idempotent */              \
    X(CONSENT, 0)         /* consent, share */                                 \
    X(SUBMIT, 1)          /* method, images */                                 \
    X(OUTCOME, 1)         /* submission, outcome */                            \
    X(TEST_OUTCOME, 1)    /* method, outcome; sandbox sessions only */         \
    X(ANALYSIS_FAILED, 0) /* submission; a technical failure */                \
    X(RESUME_CHECKS, 0)   /* timer; only at a checks node */                   \
    X(CHECKS_RESULT, 0)   /* checks_node, risk, assessment_id */               \
    X(CANCEL, 0)          /* by the server; decided_by; idempotent */          \
    X(LEAVE, 0)           /* by the person; idempotent */                      \
    X(EXPIRE, 0)          /* timer; no effect before expires_at */             \
    X(FLAG, 0)            /* decided_by, reason */                             \
    X(REVIEW_APPROVE, 1)  /* decided_by, reason */                             \
    X(REVIEW_REJECT, 0)   /* decided_by, reason */                             \
    X(REVIEW_ESCALATE, 0) /* decided_by, reason */                             \
    X(REVIEW_TIMEOUT, 0)  /* timer; no effect before review_deadline */        \
    X(SATISFY, 0)         /* path; at creation, which checks the law */        \
    X(REDEEM, 1)          /* a VP token instead of the awaited method */       \
    X(EMAIL_PROVEN, 0)    /* the code sent to the address was entered */       \
    X(ACT, 0)             /* a device does something stored elsewhere */       \
    X(HANDOFF_OFFER, 0)   /* a link for a phone; voids the previous */         \
    X(HANDOFF_SCAN, 0)    /* the link was opened; idempotent */                \
    X(HANDOFF_DECLINE, 0) /* wrong number chosen: the link is void */          \
    X(HANDOFF_TAKE, 0)    /* right number: the phone holds the session */      \
    X(HANDOFF_RETURN, 0)  /* back to the first device; idempotent */           \
    X(HANDOFF_IDLE, 0)    /* timer: the phone has fallen silent */

typedef enum {
#define X(name, is_held_to_law) IDV_INPUT_##name,
    IDV_SESSION_INPUTS(X)
#undef X
    IDV_INPUT_COUNT
} idv_session_input_type_t;

typedef struct {
    idv_session_input_type_t type;
    int consent;        /* CONSENT: must be true */
    int share;          /* CONSENT: share for cross-organization reuse */
    const char *consent_text; /* CONSENT: version of the text, or NULL */
    idv_method_t method; /* SUBMIT, TEST_OUTCOME */
    const char *images[IDV_METHOD_PARTS_MAX]; /* SUBMIT: their names */
    int image_count;    /* SUBMIT */
    const char *statement; /* SUBMIT of self_attestation: its name; else NULL */
    const char *language;  /* likewise: language of the text; NULL: its first */
    int submission;     /* OUTCOME, ANALYSIS_FAILED: the session's
                         * runner.submission when the job was queued */
    const idv_method_outcome_t *outcome;  /* OUTCOME, TEST_OUTCOME */
    const char *checks_node;              /* CHECKS_RESULT: runner.node of the
                                           * change that requested the checks */
    idv_risk_level_t risk;                /* CHECKS_RESULT */
    const char *assessment_id;            /* CHECKS_RESULT: its assessment */
    idv_device_t device; /* the person's; NONE: not from a person */
    const char *reason;                   /* FLAG, REVIEW_*; may be NULL */
    const char *reason_code;              /* REVIEW_APPROVE, _REJECT, _ESCALATE:
                                           * see session/review.h; or NULL */
    const char *decided_by;               /* REVIEW_*: the reviewer, not NULL;
                                           * CANCEL, FLAG: the API key, or
                                           * NULL */
    int is_test;                          /* REVIEW_REJECT: by the customer's
                                           * server, not a reviewer: a counted
                                           * verification stays counted */
    idv_verification_path_t path;         /* SATISFY */
    /* Signals from the person's request, with any of their inputs; NULL: not
     * from a person, or no signals. */
    const idv_session_signals_t *signals;
    /* For an input that applies the law: the current rule for the workflow's
     * use case; NULL: unknown, earlier requirements remain. */
    const idv_compliance_t *law;
    const char *law_text; /* OUTCOME: the same rule as JSON for the decision
                           * record; NULL: none */
} idv_session_input_t;

/* Further actions of the transaction. */
#define IDV_SESSION_EFFECTS(X)                                                 \
    X(QUEUE_ANALYSIS)      /* a job for runner.submission, current_method */   \
    X(RUN_CHECKS)          /* of runner.node, with runner.signals; answer      \
                            * with CHECKS_RESULT */                            \
    X(BELIEVE_EVIDENCE)    /* evidence that passed, for a later match */       \
    X(PURGE_FACES)         /* pictures of the person, after a decision */      \
    X(PURGE_EVIDENCE)      /* images and their key */                          \
    X(MINT_CREDENTIAL)     /* see credential.h */                              \
    X(REVOKE_CREDENTIAL)   /* minted by this session, and its tokens */        \
    X(COUNT_VERIFICATION)  /* billing or sandbox quota; once per session */    \
    X(UNCOUNT_VERIFICATION) /* a reviewer rejected it later */                 \
    X(NOTE_REJECTION)      /* failed in review after evidence passed */        \
    X(RESOLVE_REVIEW)      /* if both are set, this comes first, then */       \
    X(OPEN_REVIEW)         /* review_opened_at, review_deadline */             \
    X(KEEP_HANDOFF)        /* outside the session: which device holds it */

enum {
#define X(name) IDV_EFFECT_INDEX_##name,
    IDV_SESSION_EFFECTS(X)
#undef X
    IDV_EFFECT_COUNT
};
enum {
#define X(name) IDV_EFFECT_##name = 1 << IDV_EFFECT_INDEX_##name,
    IDV_SESSION_EFFECTS(X)
#undef X
};

/* An event to announce. */
typedef struct {
    idv_event_type_t type;
    const char *object; /* data.object, JSON text in the change's pool */
} idv_session_event_t;

/* Actions on a review and their values in the record. The last four end a
 * review. */
#define IDV_REVIEW_ACTIONS(X)                                                  \
    X(HELD, "held")           /* by the workflow */                            \
    X(FLAGGED, "flagged")     /* by the customer, after verification */        \
    X(ESCALATED, "escalated")                                                  \
    X(APPROVED, "approved")                                                    \
    X(REJECTED, "rejected")                                                    \
    X(TIMED_OUT, "timed_out")                                                  \
    X(CANCELLED, "cancelled") /* with its session, by the customer */

typedef enum {
#define X(name, value) IDV_REVIEW_##name,
    IDV_REVIEW_ACTIONS(X)
#undef X
    IDV_REVIEW_ACTION_COUNT
} idv_review_action_t;

/* An entry in a session's review record, which outlives the reviews. */
typedef struct {
    idv_review_action_t action;
    const char *actor;   /* NULL: the workflow */
    const char *note;    /* the reason; NULL: none given */
    idv_time_t deadline; /* of a review that was opened, else 0 */
    const char *reason_code; /* of a decision; NULL: none given */
} idv_review_entry_t;

typedef struct {
    int changed;                  /* zero: nothing to write */
    const idv_session_t *session; /* after; BEFORE itself when unchanged */
    idv_session_event_t events[IDV_SESSION_EVENTS_MAX]; /* in order */
    int event_count;
    idv_review_entry_t reviews[IDV_SESSION_REVIEWS_MAX]; /* in order */
    int review_count;
    unsigned effects; /* IDV_EFFECT_* */
} idv_session_change_t;

/*
 * Applies INPUT to BEFORE at NOW. Errors, which change nothing:
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
idv_error_t *idv_session_step(const idv_session_t *before,
                              const idv_workflow_t *workflow,
                              const idv_session_input_t *input, idv_time_t now,
                              idv_session_change_t **change,
                              apr_pool_t *pool) IDV_CHECKED;

/* Non-zero if inputs of TYPE apply the law of the day. */
int idv_session_input_is_held_to_law(idv_session_input_type_t type);

/* The value of an action in the record. */
const char *idv_review_action_value(idv_review_action_t action);

/* A review decision: by whom, when and why. */
typedef struct {
    const char *by;
    idv_time_t at;
    const char *note;        /* NULL: none given */
    const char *reason_code; /* NULL: none given */
} idv_review_decision_t;

/* `data.object` of a session_review.* event of TYPE about the held SESSION, as
 * text. DECISION is NULL before a decision. */
const char *idv_session_review_text(const idv_session_t *session,
                                    idv_event_type_t type,
                                    const idv_review_decision_t *decision,
                                    apr_pool_t *pool);

#endif
