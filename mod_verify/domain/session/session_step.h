/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_SESSION_STEP_H
#define IDV_DOMAIN_SESSION_SESSION_STEP_H

/*
 * The state machine of verification sessions: the only place that decides what
 * happens to one (interface, "Session transitions").
 *
 * idv_session_step() takes the session as it is, its workflow version, what
 * happened and the time, and gives the session as it is to be, the events to
 * announce and what else must be done. The store writes all of it in one
 * transaction in which it read the session with a lock.
 *
 *     created -OPEN-> pending -SUBMIT-> processing -OUTCOME-> requires_input,
 *     the next node, or an end; any open -CANCEL-> cancelled; any open but
 *     under_review -LEAVE-> cancelled; created, pending,
 *     processing, requires_input -EXPIRE-> expired; under_review -REVIEW_*->
 *     failed, verified or requires_input; verified -FLAG-> under_review;
 *     created, pending, requires_input -REDEEM-> verified.
 *
 * While a phone holds the session (`active_device`), the first device changes
 * nothing but by LEAVE and HANDOFF_RETURN: session_locked_to_other_device, also
 * for a phone that has given it back. A phone that fell silent has it no longer,
 * and has it again with what it does next, unless the first device has done
 * something before: then it is the phone's no more. OFFER, SCAN, DECLINE and
 * TAKE follow each other; whether a link is good is known beside the session.
 *
 * TEST_OUTCOME stands for a submission and what comes of it at once, without
 * evidence. Only a session of a sandbox takes it (`livemode` false), whoever
 * gives it.
 *
 * With a submission, with what comes of it and with a reviewer's approval, the
 * session is held to the law of that day: who proved an age that does no longer
 * suffice, or wants what is prohibited meanwhile, has failed. An outcome that was
 * decided on by an earlier law, and does not prove the age that is demanded when
 * it is recorded, is a failure (`under_age`). Methods that the law does not accept
 * any more are asked for no longer; a submission of one is not taken, and the
 * session shows what is asked for instead. A node that cannot be passed without
 * them is left as exhausted. The approval of a session that was flagged after it
 * had been verified stands by the law of its verification.
 *
 * Where it is not known what the law says, a session that would be verified is
 * held for a reviewer first, or fails with what is brought next, as the operator
 * wants it (VerifyComplianceUnknown). A law that is not known any more takes back
 * nothing that was demanded before.
 *
 * An approval decides an age that the evidence leaves open: held evidence proves
 * the age then that the session demanded when it was held, and no more. Whom the
 * evidence shows to be too young for sure, at whatever node and whatever else is
 * wrong with it, has failed by the approval, with a law or without; a declaration
 * and a VP token make nobody older either. A failure tells of that, although it proves
 * nothing; evidence that passes later settles the age anew, and nothing else.
 *
 * No session is verified against its evidence (session_summary.h): where its
 * summary denies the age or the identity that the session is about, it fails in
 * place of being verified, whatever led there.
 *
 * A verification is counted once, when the session is verified first, or when
 * CANCEL ends it after evidence of a method had passed. LEAVE and EXPIRE count
 * nothing. A failure counts nothing either, as the interface says; a review that
 * fails such a session leaves a line in the ledger (NOTE_REJECTION).
 *
 * A session under review does not expire, its review does; the rest of the
 * session's time goes on after an approval. A session at a node of passive checks
 * is `pending` before the first submission and `processing` after that or after
 * an approval, without a current method. Only the latter rests there for the
 * timer to resume it: whoever gives OPEN, REDEEM or CHECKS_RESULT runs the checks
 * that follow in the same transaction. Inputs that come too late
 * (an outcome for an older submission, a timer of a session that has ended)
 * change nothing and are no error: `change->changed` is zero and there are no
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

#define IDV_SESSION_TECHNICAL_FAILURES_MAX 3 /* in a row; then it failed */
#define IDV_SESSION_SUBMISSIONS_MAX 50       /* the last unread one fails */
#define IDV_SESSION_EVENTS_MAX 2
#define IDV_SESSION_REVIEWS_MAX 2
/* From this revision on, minds are changed no more: of what a person may do,
 * that alone could change a session without end. */
#define IDV_SESSION_CONSENT_REVISION_MAX 1000

/* Name, and whether the input is held to the law of the day: what the person
 * brings, and every decision that lets it count. */
#define IDV_SESSION_INPUTS(X)                                                  \
    X(OPEN, 0)            /* the widget was opened; idempotent */              \
    X(CONSENT, 0)         /* consent, share */                                 \
    X(SUBMIT, 1)          /* method, images */                                 \
    X(OUTCOME, 1)         /* submission, outcome */                            \
    X(TEST_OUTCOME, 1)    /* method, outcome; of a sandbox's session alone */  \
    X(ANALYSIS_FAILED, 0) /* submission; nobody's fault but ours */            \
    X(RESUME_CHECKS, 0)   /* the timer; nothing but at a node of checks */     \
    X(CHECKS_RESULT, 0)   /* checks_node, risk, assessment_id */               \
    X(CANCEL, 0)          /* the server's; decided_by; idempotent */           \
    X(LEAVE, 0)           /* the person's cancel; idempotent */                \
    X(EXPIRE, 0)          /* the timer; nothing before expires_at */           \
    X(FLAG, 0)            /* decided_by, reason */                             \
    X(REVIEW_APPROVE, 1)  /* decided_by, reason */                             \
    X(REVIEW_REJECT, 0)   /* decided_by, reason */                             \
    X(REVIEW_ESCALATE, 0) /* decided_by, reason */                             \
    X(REVIEW_TIMEOUT, 0)  /* the timer; nothing before review_deadline */      \
    X(SATISFY, 0)         /* path; at creation, which asked the law itself */  \
    X(REDEEM, 1)          /* a VP token, in place of what is awaited */        \
    X(EMAIL_PROVEN, 0)    /* the code was typed that was sent there */         \
    X(ACT, 0)             /* a device does what is kept elsewhere */           \
    X(HANDOFF_OFFER, 0)   /* a link for a phone; the last one is void */       \
    X(HANDOFF_SCAN, 0)    /* the link was opened; idempotent */                \
    X(HANDOFF_DECLINE, 0) /* the wrong number was chosen: the link is void */  \
    X(HANDOFF_TAKE, 0)    /* the right one: the phone has the session */       \
    X(HANDOFF_RETURN, 0)  /* back to the first device; idempotent */           \
    X(HANDOFF_IDLE, 0)    /* the timer: nothing was heard of the phone */

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
    const char *statement; /* SUBMIT, self_attestation: its name; else NULL */
    const char *language;  /* SUBMIT, the same: of the text; NULL: its first */
    int submission;     /* OUTCOME, ANALYSIS_FAILED: the session's
                         * runner.submission when the job was queued */
    const idv_method_outcome_t *outcome;  /* OUTCOME, TEST_OUTCOME */
    const char *checks_node;              /* CHECKS_RESULT: runner.node of the
                                           * change that asked for the checks */
    idv_risk_level_t risk;                /* CHECKS_RESULT */
    const char *assessment_id;            /* CHECKS_RESULT: where it stands */
    idv_device_t device; /* of a person's; NONE: it is nobody's */
    const char *reason;                   /* FLAG, REVIEW_*; may be NULL */
    const char *reason_code;              /* REVIEW_APPROVE, _REJECT, _ESCALATE:
                                           * domain/session/review.h; may be NULL */
    const char *decided_by;               /* REVIEW_*: who, not NULL; CANCEL,
                                           * FLAG: the API key, or NULL */
    int is_test;                          /* REVIEW_REJECT: the customer's server
                                           * says so, not a reviewer: what was
                                           * counted stays counted */
    idv_verification_path_t path;         /* SATISFY */
    /* What the person's request showed, with any input of theirs; NULL: it is
     * not a person's, or shows nothing. */
    const idv_session_signals_t *signals;
    /* Of an input that is held to it: what the law says today of the workflow's
     * use case; NULL: nothing is known of it, what was demanded before stands. */
    const idv_compliance_t *law;
    const char *law_text; /* OUTCOME: the same rule, JSON, for the record of the
                           * decision; NULL: none */
} idv_session_input_t;

/* What else the transaction does. */
#define IDV_SESSION_EFFECTS(X)                                                 \
    X(QUEUE_ANALYSIS)      /* a job for runner.submission, current_method */   \
    X(RUN_CHECKS)          /* of runner.node, with runner.signals; answer      \
                            * with CHECKS_RESULT */                            \
    X(BELIEVE_EVIDENCE)    /* what a method was passed with, for a match */    \
    X(PURGE_FACES)         /* pictures of the person, decided on */            \
    X(PURGE_EVIDENCE)      /* images and their key */                          \
    X(MINT_CREDENTIAL)     /* see credential.h */                              \
    X(REVOKE_CREDENTIAL)   /* what this session minted, and its tokens */      \
    X(COUNT_VERIFICATION)  /* billing or sandbox quota; once a session */      \
    X(UNCOUNT_VERIFICATION) /* a reviewer rejected it later */                 \
    X(NOTE_REJECTION)      /* failed in review, after evidence had passed */   \
    X(RESOLVE_REVIEW)      /* when both are set: first this, then */           \
    X(OPEN_REVIEW)         /* review_opened_at, review_deadline */             \
    X(KEEP_HANDOFF)        /* beside the session: who holds it */

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

/* What is done about a review: the action, its value in the record. The last
 * four end it. */
#define IDV_REVIEW_ACTIONS(X)                                                  \
    X(HELD, "held")           /* opened by the workflow */                     \
    X(FLAGGED, "flagged")     /* opened by the customer, once verified */      \
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

/* A line of the record of a session's reviews, which outlives them. */
typedef struct {
    idv_review_action_t action;
    const char *actor;   /* who; NULL: the workflow */
    const char *note;    /* why; NULL: not said */
    idv_time_t deadline; /* of what was opened, else 0 */
    const char *reason_code; /* of a decision; NULL: not said */
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
 * Applies INPUT to BEFORE at NOW. Errors, which leave everything as it is:
 *
 * - session_terminal: CANCEL, LEAVE, CONSENT, SUBMIT on a session that has
 *   ended (CANCEL and LEAVE of a cancelled one are no error and no change);
 * - session_state_conflict: SUBMIT while nothing waits for it or before a
 *   required consent; LEAVE under review; CONSENT under a flag, before which
 *   the session had ended; REVIEW_APPROVE, _REJECT, _ESCALATE without a review;
 * - session_terminal: HANDOFF_OFFER and HANDOFF_RETURN on a session that has
 *   ended; session_state_conflict: HANDOFF_OFFER by a phone; handoff_invalid:
 *   HANDOFF_SCAN, _DECLINE and _TAKE where no link is offered;
 * - session_locked_to_other_device: as said above;
 * - session_terminal: TEST_OUTCOME on a session that has ended;
 *   session_state_conflict: where no method is asked for; internal_error in a
 *   live session;
 * - session_not_flaggable: FLAG on anything but a verified session;
 * - session_not_redeemable: EMAIL_PROVEN, by idv_session_check_otp();
 * - use_case_prohibited: REDEEM where the law prohibits it meanwhile;
 * - compliance_unknown: REDEEM where it is not known, unless that is allowed;
 * - session_not_redeemable: SATISFY on anything but a new session; REDEEM where
 *   no method is awaited, nor would be after OPEN, and for somebody whom evidence
 *   has shown to be too young;
 * - parameter_invalid at `statement`, `language` of what is not to be declared;
 * - parameter_invalid at `method`, `images`, `images[n]`, `consent`,
 *   `reason`, `by`, `note`, `reason_code`;
 * - internal_error for a session that does not fit its workflow.
 */
idv_error_t *idv_session_step(const idv_session_t *before,
                              const idv_workflow_t *workflow,
                              const idv_session_input_t *input, idv_time_t now,
                              idv_session_change_t **change,
                              apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when inputs of TYPE are held to the law of the day. */
int idv_session_input_is_held_to_law(idv_session_input_type_t type);

/* The value of an action in the record. */
const char *idv_review_action_value(idv_review_action_t action);

/* Who decided on a review, when and why. */
typedef struct {
    const char *by;
    idv_time_t at;
    const char *note;        /* NULL: not said */
    const char *reason_code; /* NULL: not said */
} idv_review_decision_t;

/* `data.object` of a session_review.* event of TYPE about SESSION while it is
 * held, as text. DECISION is NULL as long as nobody decided. */
const char *idv_session_review_text(const idv_session_t *session,
                                    idv_event_type_t type,
                                    const idv_review_decision_t *decision,
                                    apr_pool_t *pool);

#endif
