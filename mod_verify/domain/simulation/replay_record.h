/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_SIMULATION_REPLAY_RECORD_H
#define IDV_DOMAIN_SIMULATION_REPLAY_RECORD_H

/*
 * What is kept of a session that has ended, as domain/simulation/session_replay.h reads
 * it: the outcomes of its submissions and its passive checks in their order,
 * and what was done about its reviews.
 *
 * The results of the session (domain/session/session_results.h) have the order; the
 * records of its decisions (store/session/decision_record.h) say what a method had
 * decided before the session's workflow made something of it: a pass that was
 * not worth enough stands in the results as a failure, a doubt that was merely
 * noted as a pass. What neither says is marked as not known, and never filled
 * in.
 *
 * Memory: everything lives in the given pool, and borrows from what was kept.
 * Threads: pure. Nothing fails: a record that cannot be read is empty.
 */
#include "core/json.h"
#include "domain/session/session_step.h"

/* Entries of the results at which older ones may be missing. */
#define IDV_REPLAY_EVENTS_MAX 50

/* What is kept. The arrays and the object may be NULL: nothing is kept. */
typedef struct {
    const idv_session_t *session;
    const idv_workflow_t *workflow; /* the version that it had */
    /* Of each submission that was decided, in their order: {"method",
     * "verdict", "decided", "doubts", "session_verdict"}; times in
     * milliseconds. */
    const json_t *decisions;
    const json_t *reviews;     /* in their order: {"action", "at"} */
    const json_t *assessments; /* bodies by id; only where one is looked at */
} idv_kept_session_t;

typedef struct {
    int is_checks; /* passive checks of a node; else the outcome of a method */
    idv_time_t at; /* to the second */

    /* Of checks. */
    idv_method_set_t checks;
    idv_risk_level_t level;
    const char *assessment_id; /* NULL: none */

    /* Of an outcome. */
    idv_method_t method;
    idv_method_outcome_t outcome; /* as the method had decided */
    int is_verdict_known; /* else it may have left doubts that were noted, or
                           * was not worth enough and left some besides */
    int has_passed; /* the session took it as a pass */
    int failed_for_age;
    int is_age_open; /* whether the age suffices was in doubt */
    int has_facts; /* the facts of the session are this outcome's */
    const char *statement, *statement_sha256; /* declared; NULL: nothing */
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
    int is_whole; /* zero: something of it is missing or cannot be read */
} idv_replay_record_t;

void idv_replay_record_read(const idv_kept_session_t *kept,
                            idv_replay_record_t *record, apr_pool_t *pool);

#endif
