/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/replay_record.h"

#include <string.h>

#include "domain/session/session_results.h"

static const char *const verdicts[] = {
    [IDV_METHOD_PASSED] = "passed",
    [IDV_METHOD_FAILED] = "failed",
    [IDV_METHOD_UNDETERMINED] = "undetermined",
    [IDV_METHOD_UNREADABLE] = "unreadable",
};
#define VERDICTS ((int)(sizeof(verdicts) / sizeof(*verdicts)))

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int is_text(const json_t *object, const char *key, const char *value)
{
    const char *text = text_of(object, key);

    return text && value && strcmp(text, value) == 0;
}

/* --- outcomes --- */

static int parse_verdict(const char *value, idv_method_verdict_t *verdict)
{
    for (int i = 0; value && i < VERDICTS; i++)
        if (strcmp(verdicts[i], value) == 0) {
            *verdict = (idv_method_verdict_t)i;
            return 1;
        }
    return 0;
}

/* Non-zero when ENTRY has a check with this RESULT; NAME, REASON: with that
 * name and reason; NULL: any. */
static int has_check(const json_t *entry, const char *result, const char *name,
                     const char *reason)
{
    const json_t *check;
    size_t i;

    json_array_foreach (json_object_get(entry, "checks"), i, check)
        if (is_text(check, "result", result)
            && (!name || is_text(check, "name", name))
            && (!reason || is_text(check, "reason", reason)))
            return 1;
    return 0;
}

static int is_under_age(const json_t *entry)
{
    const char *code = idv_session_error(IDV_SESSION_ERROR_UNDER_AGE)->code;

    return is_text(entry, "error_code", code)
        || has_check(entry, "failed", NULL, code);
}

static unsigned doubts_of(const json_t *decision)
{
    static const char *const reasons[IDV_DOUBT_COUNT] = {
#define X(name, setting, reason) [IDV_DOUBT_##name] = reason,
        IDV_METHOD_DOUBTS(X)
#undef X
    };
    const json_t *doubt;
    unsigned doubts = 0;
    size_t at;

    json_array_foreach (json_object_get(decision, "doubts"), at, doubt)
        for (int i = 0; i < IDV_DOUBT_COUNT; i++)
            if (json_is_string(doubt)
                && strcmp(json_string_value(doubt), reasons[i]) == 0)
                doubts |= 1u << i;
    return doubts;
}

/* The decision behind ENTRY, the first from *NEXT on; NULL: none is stored. */
static const json_t *decision_of(const json_t *decisions, const json_t *entry,
                                 size_t *next)
{
    json_int_t at = json_integer_value(json_object_get(entry, "completed_at"));

    for (size_t i = *next; i < json_array_size(decisions); i++) {
        const json_t *decision = json_array_get(decisions, i);
        json_int_t decided =
            json_integer_value(json_object_get(decision, "decided"));

        if (decided / IDV_SECOND != at
            || !is_text(decision, "method", text_of(entry, "method"))
            || !is_text(decision, "session_verdict", text_of(entry, "status")))
            continue;
        *next = i + 1;
        return decision;
    }
    return NULL;
}

/* Without the record of the decision. A pass without a check that remained
 * open had no doubts; of a failure for want of worth nothing else is known. A
 * sandbox's test value leaves one doubt alone. */
static void judge_by_entry(const idv_kept_session_t *kept, const json_t *entry,
                           idv_replay_event_t *event)
{
    const idv_method_check_t *worth =
        idv_session_check(IDV_SESSION_CHECK_ASSURANCE);
    idv_method_outcome_t *outcome = &event->outcome;

    event->is_verdict_known = 1;
    if (outcome->verdict == IDV_METHOD_PASSED)
        event->is_verdict_known = !has_check(entry, "undetermined", NULL, NULL);
    if (outcome->verdict == IDV_METHOD_FAILED
        && has_check(entry, "failed", worth->name, worth->reason)) {
        outcome->verdict = IDV_METHOD_PASSED;
        event->is_verdict_known = 0;
    }
    if (outcome->verdict == IDV_METHOD_UNDETERMINED) {
        outcome->doubts = 1u << IDV_DOUBT_UNDETERMINED;
        event->is_verdict_known = !kept->session->livemode;
    }
}

static int read_outcome(const idv_kept_session_t *kept, const json_t *entry,
                        size_t *next_decision, idv_replay_event_t *event)
{
    const json_t *statement = json_object_get(entry, "statement");
    idv_method_outcome_t *outcome = &event->outcome;
    const json_t *decision;

    event->method = idv_method_parse(text_of(entry, "method"));
    if (event->method == IDV_METHOD_NONE
        || !parse_verdict(text_of(entry, "status"), &outcome->verdict))
        return 0;
    outcome->assurance = idv_assurance_parse(text_of(entry, "assurance"));
    outcome->facts.age = -1;
    outcome->hint = text_of(entry, "hint");
    event->has_passed = outcome->verdict == IDV_METHOD_PASSED;
    event->failed_for_age = is_under_age(entry);
    event->is_age_open = has_check(entry, "undetermined", "age", NULL);
    if (event->failed_for_age)
        outcome->facts.younger_than =
            kept->session->runner.facts.younger_than;
    event->statement = text_of(statement, "name");
    event->statement_sha256 = text_of(statement, "sha256");
    decision = decision_of(kept->decisions, entry, next_decision);
    if (decision) {
        event->is_verdict_known = parse_verdict(text_of(decision, "verdict"),
                                                &outcome->verdict);
        outcome->doubts = doubts_of(decision);
    } else {
        judge_by_entry(kept, entry, event);
    }
    /* Where it is taken as a refusal, it has an error: which one does not
     * matter to the way of the session. */
    if (outcome->verdict == IDV_METHOD_FAILED
        || outcome->verdict == IDV_METHOD_UNDETERMINED)
        outcome->last_error = idv_session_error(IDV_SESSION_ERROR_DECLINED);
    return 1;
}

/* --- passive checks --- */

static int parse_level(const char *value, idv_risk_level_t *level)
{
    static const char *const levels[] = {[IDV_RISK_LOW] = "low",
                                         [IDV_RISK_MEDIUM] = "medium",
                                         [IDV_RISK_HIGH] = "high"};

    for (int i = 0; value && i < 3; i++)
        if (strcmp(levels[i], value) == 0) {
            *level = (idv_risk_level_t)i;
            return 1;
        }
    return 0;
}

/* ENTRY is a further check of the node whose checks LAST were. */
static int belongs_to(const idv_replay_event_t *last, const json_t *entry)
{
    return last && last->is_checks && last->assessment_id
        && is_text(entry, "risk_assessment_id", last->assessment_id);
}

/* --- the record --- */

static int was_approved_at(const idv_replay_record_t *record, json_int_t at)
{
    for (int i = 0; i < record->review_count; i++)
        if (record->reviews[i].action == IDV_REVIEW_APPROVED
            && record->reviews[i].at / IDV_SECOND == at)
            return 1;
    return 0;
}

/* Entries that are not events: the use of a token, and a doubt that a reviewer
 * accepted, which follows its outcome. */
static int is_no_event(const idv_replay_record_t *record, const json_t *entry,
                       const json_t *before)
{
    return is_text(entry, "method", "vp_token")
        || (is_text(entry, "status", "passed")
            && json_array_size(json_object_get(entry, "checks")) == 0
            && before && is_text(before, "status", "undetermined")
            && is_text(before, "method", text_of(entry, "method"))
            && was_approved_at(record, json_integer_value(json_object_get(
                                           entry, "completed_at"))));
}

static int read_entry(idv_replay_record_t *record, const json_t *entry,
                      size_t *next_decision)
{
    idv_replay_event_t *last =
        record->event_count ? &record->events[record->event_count - 1] : NULL;
    idv_replay_event_t *event = &record->events[record->event_count];
    idv_method_t method = idv_method_parse(text_of(entry, "method"));

    if (method == IDV_METHOD_NONE)
        return 0;
    if (idv_method_kind(method) != IDV_METHOD_SUPPLEMENTARY) {
        record->event_count++;
        event->at = IDV_SECOND
                  * json_integer_value(json_object_get(entry, "completed_at"));
        return read_outcome(record->kept, entry, next_decision, event);
    }
    if (belongs_to(last, entry)) {
        last->checks |= IDV_METHOD_BIT(method);
        return 1;
    }
    record->event_count++;
    event->at = IDV_SECOND
              * json_integer_value(json_object_get(entry, "completed_at"));
    event->is_checks = 1;
    event->method = IDV_METHOD_NONE;
    event->checks = IDV_METHOD_BIT(method);
    event->assessment_id = text_of(entry, "risk_assessment_id");
    return parse_level(text_of(entry, "status"), &event->level);
}

/* The facts of a session are those of the last of its outcomes that were worth
 * the most (step_outcome.c, keep_facts()), but for a match. A doubt may have had
 * some, too; then it is not known whose they are. */
static void find_facts(idv_replay_record_t *record)
{
    idv_replay_event_t *best = NULL;

    for (int i = 0; i < record->event_count; i++) {
        idv_replay_event_t *event = &record->events[i];

        if (event->is_checks
            || idv_method_kind(event->method) != IDV_METHOD_PRIMARY)
            continue;
        if (event->outcome.verdict == IDV_METHOD_UNDETERMINED)
            return;
        if (event->outcome.verdict == IDV_METHOD_PASSED && event->has_passed
            && event->is_verdict_known
            && (!best || event->outcome.assurance >= best->outcome.assurance))
            best = event;
    }
    if (!best)
        return;
    best->has_facts = 1;
    best->outcome.facts.age = record->kept->session->runner.facts.age;
}

static void read_results(idv_replay_record_t *record, apr_pool_t *pool)
{
    const char *text = record->kept->session->results;
    const json_t *results = text ? idv_json_load(text, pool) : NULL;
    const json_t *entry, *before = NULL;
    size_t i, next_decision = 0;

    if (text && !results)
        record->is_whole = 0;
    if (json_array_size(results) >= IDV_REPLAY_EVENTS_MAX) {
        record->is_whole = 0;
        return;
    }
    json_array_foreach (results, i, entry) {
        if (!is_no_event(record, entry, before)
            && !read_entry(record, entry, &next_decision))
            record->is_whole = 0;
        before = entry;
    }
    find_facts(record);
}

static void read_reviews(idv_replay_record_t *record, apr_pool_t *pool)
{
    const json_t *reviews = record->kept->reviews;
    const json_t *review;
    size_t i;

    record->reviews = apr_pcalloc(pool, (json_array_size(reviews) + 1)
                                            * sizeof(*record->reviews));
    json_array_foreach (reviews, i, review) {
        idv_replay_review_t *read = &record->reviews[record->review_count];
        int action = 0;

        while (action < IDV_REVIEW_ACTION_COUNT
               && !is_text(review, "action",
                           idv_review_action_value(
                               (idv_review_action_t)action)))
            action++;
        if (action == IDV_REVIEW_ACTION_COUNT) {
            record->is_whole = 0;
            continue;
        }
        if (action == IDV_REVIEW_ESCALATED)
            continue;
        read->action = (idv_review_action_t)action;
        read->at = json_integer_value(json_object_get(review, "at"));
        record->review_count++;
    }
}

void idv_replay_record_read(const idv_kept_session_t *kept,
                            idv_replay_record_t *record, apr_pool_t *pool)
{
    *record = (idv_replay_record_t){.kept = kept, .is_whole = 1};
    record->events =
        apr_pcalloc(pool, IDV_REPLAY_EVENTS_MAX * sizeof(*record->events));
    read_reviews(record, pool);
    read_results(record, pool);
}
