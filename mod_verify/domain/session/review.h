/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_REVIEW_H
#define IDV_DOMAIN_SESSION_REVIEW_H

/*
 * Review decisions on a held session, the reason codes of each, and how they are
 * recorded and announced.
 * domain/transition/session_step.h applies a decision, store/session/review_work.h
 * assigns sessions to reviewers, store/session/second_review.h handles second
 * reviews.
 *
 * Codes are part of the record of reviews and of its events: add, never rename.
 *
 * Threads: pure, constant data. Failures: only idv_review_reason_check().
 */
#include "domain/session/session.h"
#include "domain/value/event_type.h"

/* How long a claim reserves a session for one reviewer. */
#define IDV_REVIEW_CLAIM_TIME (10 * IDV_MINUTE)
/* Maximum total time of an extended claim, and the pause after it during which
 * only others can claim. */
#define IDV_REVIEW_CLAIM_LONGEST (30 * IDV_MINUTE)
#define IDV_REVIEW_CLAIM_PAUSE IDV_MINUTE

/* Name, value. */
#define IDV_REVIEW_DECISIONS(X)                                                \
    X(APPROVE, "approve")                                                      \
    X(REJECT, "reject")                                                        \
    X(ESCALATE, "escalate")

typedef enum {
#define X(name, value) IDV_DECISION_##name,
    IDV_REVIEW_DECISIONS(X)
#undef X
    IDV_DECISION_COUNT,
    IDV_DECISION_NONE = -1
} idv_decision_t;

/* Name, value, the decision that it belongs to. */
#define IDV_REVIEW_REASONS(X)                                                  \
    X(EVIDENCE_CONVINCING, "evidence_convincing", APPROVE)                     \
    X(SIGNAL_EXPLAINED, "signal_explained", APPROVE)                           \
    X(PERSON_KNOWN, "person_known", APPROVE)                                   \
    X(OTHER_APPROVAL, "other_approval", APPROVE)                               \
    X(DOCUMENT_FORGED, "document_forged", REJECT)                              \
    X(DOCUMENT_OF_ANOTHER, "document_of_another", REJECT)                      \
    X(DOCUMENT_NOT_ACCEPTED, "document_not_accepted", REJECT)                  \
    X(FACE_DIFFERS, "face_differs", REJECT)                                    \
    X(PERSON_NOT_PRESENT, "person_not_present", REJECT)                        \
    X(EVIDENCE_UNREADABLE, "evidence_unreadable", REJECT)                      \
    X(TOO_YOUNG, "too_young", REJECT)                                          \
    X(FRAUD_SUSPECTED, "fraud_suspected", REJECT)                              \
    X(OTHER_REJECTION, "other_rejection", REJECT)                              \
    X(SECOND_OPINION, "second_opinion", ESCALATE)                              \
    X(LEGAL_QUESTION, "legal_question", ESCALATE)                              \
    X(OTHER_ESCALATION, "other_escalation", ESCALATE)

/* All values, NULL-terminated, in the order of the lists. */
extern const char *const idv_review_decisions[];
extern const char *const idv_review_reasons[];

/* The decision named VALUE; IDV_DECISION_NONE for anything else. */
idv_decision_t idv_decision_parse(const char *value);

/* Non-zero if TEXT shows more than spaces and line ends. */
int idv_review_is_said(const char *text);

/* `parameter_invalid` at `reason_code` unless CODE (NULL: none) belongs to
 * DECISION, and at `note` if an `other_...` code comes without a NOTE that
 * explains it. */
idv_error_t *idv_review_reason_check(idv_decision_t decision, const char *code,
                                     const char *note,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- the record and the events of reviews --- */

/* Actions on a review and their values in the record. Notes and assignments do
 * not change the review, and only operators see them. */
#define IDV_REVIEW_ACTIONS(X)                                                  \
    X(HELD, "held")           /* by the workflow */                            \
    X(FLAGGED, "flagged")     /* by the customer, after verification */        \
    X(ESCALATED, "escalated")                                                  \
    X(APPROVED, "approved")                                                    \
    X(REJECTED, "rejected")                                                    \
    X(TIMED_OUT, "timed_out")                                                  \
    X(CANCELLED, "cancelled") /* with its session, by the customer */          \
    X(NOTED, "noted")                                                          \
    X(ASSIGNED, "assigned")   /* to a reviewer, or to nobody */

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
    const char *const *overruled; /* of an approval: the failed checks that it
                                   * overrules, NULL-terminated; NULL: not
                                   * stated */
    const char *assignee; /* of an assignment; NULL: nobody */
} idv_review_entry_t;

/* The value of an action in the record. */
const char *idv_review_action_value(idv_review_action_t action);

/* A review decision: by whom, when and why. */
typedef struct {
    const char *by;
    idv_time_t at;
    const char *note;        /* NULL: none given */
    const char *reason_code; /* NULL: none given */
    const char *const *overruled; /* failed checks that an approval overrules,
                                   * NULL-terminated; NULL: not stated */
} idv_review_decision_t;

/* `data.object` of a session_review.* event of TYPE about the held SESSION, as
 * text. DECISION is NULL before a decision. */
const char *idv_session_review_text(const idv_session_t *session,
                                    idv_event_type_t type,
                                    const idv_review_decision_t *decision,
                                    apr_pool_t *pool);

/* --- agreement of two reviewers --- */

/* Approved and rejected: the first two decisions, which end a review. */
#define IDV_REVIEW_OUTCOMES 2

/* Counts of first decision by second decision. */
typedef struct {
    apr_int64_t counts[IDV_REVIEW_OUTCOMES][IDV_REVIEW_OUTCOMES];
} idv_review_matrix_t;

/* The total number of pairs; *AGREED is the number of equal ones. */
apr_int64_t idv_review_matrix_total(const idv_review_matrix_t *matrix,
                                    apr_int64_t *agreed);

/* Cohen's kappa: agreement beyond chance, given the shares of each decision; at
 * most 1. NAN without any pair, or if chance alone already gives full
 * agreement, for which kappa is undefined. */
double idv_review_kappa(const idv_review_matrix_t *matrix);

#endif
