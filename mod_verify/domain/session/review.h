/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SESSION_REVIEW_H
#define IDV_DOMAIN_SESSION_REVIEW_H

/*
 * What a reviewer may say of a held session: the decisions, and the codes of
 * the reasons for each. What a decision does is domain/session/session_step.h's, who
 * works on which session store/session/review_work.h's, who decides again
 * store/session/second_review.h's.
 *
 * Codes are part of the record of reviews and of its events: add, never rename.
 *
 * Threads: pure, constant data. Nothing fails but idv_review_reason_check().
 */
#include "core/clock.h"
#include "core/error.h"

/* How long a claim keeps a session from other reviewers. */
#define IDV_REVIEW_CLAIM_TIME (10 * IDV_MINUTE)
/* How long one can be prolonged in all, and for how long others come first then. */
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

/* Name, value, decision that it is given for. */
#define IDV_REVIEW_REASONS(X)                                                  \
    X(EVIDENCE_CONVINCING, "evidence_convincing", APPROVE)                     \
    X(SIGNAL_EXPLAINED, "signal_explained", APPROVE)                           \
    X(PERSON_KNOWN, "person_known", APPROVE)                                   \
    X(OTHER_APPROVAL, "other_approval", APPROVE)                               \
    X(DOCUMENT_FORGED, "document_forged", REJECT)                              \
    X(DOCUMENT_OF_ANOTHER, "document_of_another", REJECT)                      \
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

/* `parameter_invalid` at `reason_code` unless CODE (NULL: none is given) is one
 * of DECISION's; at `note` when an `other_...` comes without a NOTE, which is
 * what then says why. */
idv_error_t *idv_review_reason_check(idv_decision_t decision, const char *code,
                                     const char *note,
                                     apr_pool_t *pool) IDV_CHECKED;

/* --- how far two reviewers agree --- */

/* Approved, rejected: what ends a review, the first of the decisions. */
#define IDV_REVIEW_OUTCOMES 2

/* How often which second decision followed which first one. */
typedef struct {
    apr_int64_t counts[IDV_REVIEW_OUTCOMES][IDV_REVIEW_OUTCOMES];
} idv_review_matrix_t;

/* How many there are, and of these how many are the same (*AGREED). */
apr_int64_t idv_review_matrix_total(const idv_review_matrix_t *matrix,
                                    apr_int64_t *agreed);

/* Cohen's kappa: how far the two agree beyond what chance alone would make of
 * their shares, 1 at most. NAN without any, or when chance alone makes all the
 * same, as there kappa is not defined. */
double idv_review_kappa(const idv_review_matrix_t *matrix);

#endif
