/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TRANSITION_SESSION_CHANGE_H
#define IDV_DOMAIN_TRANSITION_SESSION_CHANGE_H

/*
 * What moves a session and what follows from it: the inputs of the state
 * machine (domain/transition/session_step.h) and the changes that it returns.
 *
 * Memory: inputs and changes borrow what they point to. Threads: pure.
 * Failures: none.
 */
#include "domain/law/compliance.h"
#include "domain/method/method_evidence.h"
#include "domain/method/method_outcome.h"
#include "domain/risk/risk.h"
#include "domain/session/review.h"
#include "domain/session/session.h"
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
    const char *const *overruled;         /* REVIEW_APPROVE: the failed checks
                                           * that it overrules, ended by NULL;
                                           * NULL: not stated */
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
    X(PURGE_FACES)         /* pictures of the person, after a decision; during \
                            * a review, all but the still */                   \
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

typedef struct {
    int changed;                  /* zero: nothing to write */
    const idv_session_t *session; /* after; BEFORE itself when unchanged */
    idv_session_event_t events[IDV_SESSION_EVENTS_MAX]; /* in order */
    int event_count;
    idv_review_entry_t reviews[IDV_SESSION_REVIEWS_MAX]; /* in order */
    int review_count;
    unsigned effects; /* IDV_EFFECT_* */
} idv_session_change_t;

/* Non-zero if inputs of TYPE apply the law of the day. */
int idv_session_input_is_held_to_law(idv_session_input_type_t type);

#endif
