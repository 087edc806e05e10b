/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_SESSION_REPLAY_H
#define IDV_DOMAIN_SIMULATION_SESSION_REPLAY_H

/*
 * What would have become of a session that has ended, had it begun in another
 * workflow, or under another law or risk policy.
 *
 * The premise: the person shows the same for the same method, in the same
 * order, and takes as long for it. Under it a session is created and stepped by
 * the functions that real ones use (domain/session/session_create.h, session_step.h),
 * with what is kept of it (domain/simulation/replay_record.h). Whatever that does not
 * carry is not guessed: the result is UNDETERMINED then, with a reason.
 *
 * A session is led through its own workflow first. Where that does not come to
 * the end that is kept, the record is not whole and nothing follows from it;
 * where it does, it says what each outcome, check and decision was about: a
 * reviewer's decision counts again only where the same had been shown to him, a
 * match only with the same portrait, checks only at the same moment.
 *
 * A hold that nobody has decided on is an end that can be told: `under_review`.
 * So is a creation that would have been refused: `refused`.
 *
 * Memory: everything lives in the given pool. Threads: pure. Nothing fails.
 */
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "domain/simulation/replay_record.h"

/* Why a result is not determined: name, code, which is part of the API. */
#define IDV_REPLAY_REASONS(X)                                                  \
    X(METHOD_NOT_RUN, "method_not_run")   /* one is asked for that was not */  \
    X(ATTEMPT_NOT_MADE, "attempt_not_made") /* one more than were made */      \
    X(CHECKS_NOT_RUN, "checks_not_run")   /* other checks, or elsewhere */     \
    X(PERSON_LEFT, "person_left")         /* who is asked otherwise now */     \
    X(AGE_NOT_KEPT, "age_not_kept")       /* another age is demanded */        \
    X(DOUBTS_NOT_KEPT, "doubts_not_kept") /* of which others follow now */     \
    X(RISK_NOT_KEPT, "risk_not_kept")     /* purged, or counted otherwise */   \
    X(OTHER_PORTRAIT, "other_portrait")   /* a face was matched with that */   \
    X(OTHER_SETTINGS, "other_settings")   /* of what a passport must prove */  \
    X(OTHER_STATEMENT, "other_statement") /* was agreed to */                  \
    X(EARLIER_VERIFICATION, "earlier_verification") /* satisfied it */         \
    X(RECORD_INCOMPLETE, "record_incomplete") /* erased, purged or too long */

typedef enum {
    IDV_REPLAY_DETERMINED,
#define X(name, code) IDV_REPLAY_##name,
    IDV_REPLAY_REASONS(X)
#undef X
    IDV_REPLAY_REASON_COUNT
} idv_replay_reason_t;

#define IDV_REPLAY_RESULTS(X)                                                  \
    X(SAME, "same")                                                            \
    X(CHANGED, "changed")                                                      \
    X(UNDETERMINED, "undetermined")

typedef enum {
#define X(name, value) IDV_REPLAY_IS_##name,
    IDV_REPLAY_RESULTS(X)
#undef X
    IDV_REPLAY_RESULT_COUNT
} idv_replay_result_t;

/* `after` of a session that would not have been created. */
#define IDV_REPLAY_REFUSED "refused"

/* What sessions are led through. */
typedef struct {
    const idv_workflow_t *workflow;
    const idv_risk_policy_t *risk; /* NULL: checks came to what they came to */
    const idv_compliance_rules_t *rules; /* NULL: none */
    /* Flag: the law is what the rules say on `day`; else it is the law that the
     * session was decided by, and the rules are asked only where the workflow
     * is for something else. */
    int is_law_of_day;
    idv_time_t day;
} idv_replay_plan_t;

/* Reviews of one session on one way. */
typedef struct {
    int holds;
    int undecided;   /* of the holds: nobody has decided on such a one */
    idv_time_t time; /* of the decided ones, from hold to decision */
} idv_replay_reviews_t;

typedef struct {
    idv_replay_result_t result;
    idv_replay_reason_t reason;
    const char *before; /* a status */
    const char *after;  /* a status or IDV_REPLAY_REFUSED; NULL: unknown */
    /* What is known of `reviews_after` of an undetermined session, too. */
    idv_replay_reviews_t reviews_before, reviews_after;
    int counted_before; /* flag: a verification that counts */
    int counted_after;  /* likewise; -1: unknown */
} idv_replay_t;

void idv_session_replay(const idv_kept_session_t *kept,
                        const idv_replay_plan_t *plan, idv_replay_t *replay,
                        apr_pool_t *pool);

/* Values of the interface; NULL for DETERMINED. */
const char *idv_replay_result_value(idv_replay_result_t result);
const char *idv_replay_reason_value(idv_replay_reason_t reason);

#endif
