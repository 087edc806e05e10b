/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_SESSION_REPLAY_H
#define IDV_DOMAIN_SIMULATION_SESSION_REPLAY_H

/*
 * Replays a session that has ended: its outcome if it had used another
 * workflow, law or risk policy.
 *
 * The premise: the person presents the same evidence for the same method, in
 * the same order, and takes the same time. On this premise a session is created
 * and stepped by the real functions (domain/transition/session_create.h,
 * session_step.h), with its stored record (domain/simulation/replay_record.h).
 * Nothing missing from the record is guessed; the result is then UNDETERMINED,
 * with a reason.
 *
 * First the session is replayed in its own workflow. If that does not reach the
 * stored end, the record is incomplete and nothing follows from it. Otherwise
 * it shows what each outcome, check and decision was about. A reviewer's
 * decision is reused only if the reviewer saw the same, a match only with the
 * same portrait, and checks only at the same point.
 *
 * A hold that nobody decided on is a known result: `under_review`. So is a
 * creation that would have been refused: `refused`.
 *
 * Memory: everything lives in the given pool. Threads: pure. Failures: none.
 */
#include "domain/law/compliance_rules.h"
#include "domain/risk/risk.h"
#include "domain/simulation/replay_record.h"

/* Reasons for an undetermined result: name, code; codes are part of the API. */
#define IDV_REPLAY_REASONS(X)                                                  \
    X(METHOD_NOT_RUN, "method_not_run")   /* a requested one was never run */  \
    X(ATTEMPT_NOT_MADE, "attempt_not_made") /* one more than were made */      \
    X(CHECKS_NOT_RUN, "checks_not_run")   /* other checks, or another node */  \
    X(PERSON_LEFT, "person_left")         /* asked for something else now */   \
    X(AGE_NOT_KEPT, "age_not_kept")       /* a different age is required */    \
    X(DOUBTS_NOT_KEPT, "doubts_not_kept") /* consequences differ now */        \
    X(RISK_NOT_KEPT, "risk_not_kept")     /* purged, or counted differently */ \
    X(OTHER_PORTRAIT, "other_portrait")   /* a face was matched with it */     \
    X(OTHER_SETTINGS, "other_settings")   /* requirements on a passport */     \
    X(OTHER_STATEMENT, "other_statement") /* than the accepted one */          \
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

/* `after` of a session whose creation would be refused. */
#define IDV_REPLAY_REFUSED "refused"

/* The plan of a replay. */
typedef struct {
    const idv_workflow_t *workflow;
    const idv_risk_policy_t *risk; /* NULL: keep the results of the checks */
    const idv_compliance_rules_t *rules; /* NULL: none */
    /* Flag: apply the law of `day` according to the rules. Otherwise apply the
     * law by which the session was decided; the rules are used only if the
     * workflow is for a different product. */
    int is_law_of_day;
    idv_time_t day;
} idv_replay_plan_t;

/* Reviews of one session in one run. */
typedef struct {
    int holds;
    int undecided;   /* holds of a kind that nobody decided on */
    idv_time_t time; /* from hold to decision, of the decided ones */
} idv_replay_reviews_t;

typedef struct {
    idv_replay_result_t result;
    idv_replay_reason_t reason;
    const char *before; /* a status */
    const char *after;  /* a status or IDV_REPLAY_REFUSED; NULL: unknown */
    /* `reviews_after` may be partly known for an undetermined session, too. */
    idv_replay_reviews_t reviews_before, reviews_after;
    int counted_before; /* flag: a counted verification */
    int counted_after;  /* flag; -1: unknown */
} idv_replay_t;

void idv_session_replay(const idv_kept_session_t *kept,
                        const idv_replay_plan_t *plan, idv_replay_t *replay,
                        apr_pool_t *pool);

/* The API values; NULL for DETERMINED. */
const char *idv_replay_result_value(idv_replay_result_t result);
const char *idv_replay_reason_value(idv_replay_reason_t reason);

#endif
