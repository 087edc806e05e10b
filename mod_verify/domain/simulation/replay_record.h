/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_REPLAY_RECORD_H
#define IDV_DOMAIN_SIMULATION_REPLAY_RECORD_H

/*
 * The stored record of a session that has ended, as read by
 * domain/simulation/session_replay.h: the outcomes of its submissions and its
 * passive checks, in order, and the actions on its reviews.
 *
 * The session's results (domain/session/session_results.h) give the order. The
 * decision records (store/session/decision_record.h) say what a method decided
 * before the session's workflow applied it: a pass of insufficient assurance is
 * a failure in the results, and a doubt that was only noted is a pass. What
 * neither says is marked as unknown and never filled in.
 *
 * Memory: everything lives in the given pool and borrows from the stored data.
 * Threads: pure. Failures: none; an unreadable record is empty.
 */
#include "core/json.h"
#include "domain/transition/session_step.h"

/* At this many entries the results may lack older ones. */
#define IDV_REPLAY_EVENTS_MAX 50

/* The stored data. The arrays and the object may be NULL: not stored. */
typedef struct {
    const idv_session_t *session;
    const idv_workflow_t *workflow; /* the session's version */
    /* Of each decided submission, in order: {"method", "verdict", "decided",
     * "doubts", "session_verdict"}; times in milliseconds. */
    const json_t *decisions;
    const json_t *reviews;     /* in order: {"action", "at"} */
    const json_t *assessments; /* bodies by id; only where one is used */
} idv_kept_session_t;

typedef struct {
    int is_checks; /* passive checks of a node; else a method outcome */
    idv_time_t at; /* in full seconds */

    /* For checks. */
    idv_method_set_t checks;
    idv_risk_level_t level;
    const char *assessment_id; /* NULL: none */

    /* For an outcome. */
    idv_method_t method;
    idv_method_outcome_t outcome; /* as decided by the method */
    int is_verdict_known; /* else it may have left doubts that were noted, or
                           * was of insufficient assurance with further
                           * doubts */
    int has_passed;       /* the session accepted it as passed */
    int failed_for_age;
    int is_age_open; /* it was in doubt whether the age suffices */
    int has_facts;   /* the session's facts come from this outcome */
    const char *statement, *statement_sha256; /* of a declaration; NULL: none */
} idv_replay_event_t;

typedef struct {
    idv_review_action_t action;
    idv_time_t at;
} idv_replay_review_t;

typedef struct {
    const idv_kept_session_t *kept;
    idv_replay_event_t *events;
    int event_count;
    idv_replay_review_t *reviews;
    int review_count;
    int is_whole; /* zero: part of it is missing or unreadable */
} idv_replay_record_t;

void idv_replay_record_read(const idv_kept_session_t *kept,
                            idv_replay_record_t *record, apr_pool_t *pool);

#endif
