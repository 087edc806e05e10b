/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/simulation/session_replay.h"

#include <stdint.h>
#include <string.h>

#include "domain/session/session_view.h"
#include "domain/simulation/risk_replay.h"
#include "domain/transition/session_create.h"

#define HOLDS_MAX 40
#define STEPS_MAX 250 /* more than events, holds and nodes can make */
#define REVIEWER "simulator"
#define NO_PORTRAIT (-1)

/* A review of a way, and what it was about. */
typedef struct {
    uint64_t shown; /* bits of the outcomes that had been taken */
    int is_flag;    /* somebody flagged a verified session */
    int is_doubt;   /* of an outcome; else a node holds */
    idv_review_action_t end;
    idv_time_t time; /* from hold to end */
} hold_t;

/* The state of the session's own path at an event. */
typedef struct {
    uint64_t shown; /* outcomes that were taken before */
    int portrait;   /* index of the primary outcome passed last */
    const idv_workflow_node_t *node;
    idv_time_t active; /* when it came, without the time of holds before */
} about_t;

typedef struct walk_t {
    const idv_replay_record_t *record;
    const idv_replay_plan_t *plan; /* NULL: the session's own way */
    const idv_workflow_t *workflow;
    const struct walk_t *own; /* the session's own way; NULL: this is it */
    const idv_session_t *session;
    about_t *about; /* by event; of the own way alone */
    uint64_t taken; /* bits of events */
    uint64_t shown; /* of these, outcomes */
    int portrait;
    int next_review; /* of the own way */
    hold_t holds[HOLDS_MAX];
    uint64_t holds_used; /* bits of the own way's */
    idv_replay_reviews_t reviews;
    idv_method_list_t end_choices; /* when the person left */
    int has_left;
    const char *end; /* NULL: not known */
    idv_replay_reason_t reason;
    int has_ended;
    apr_pool_t *pool;
} walk_t;

static const char *const reasons[] = {
    [IDV_REPLAY_DETERMINED] = NULL,
#define X(name, code) [IDV_REPLAY_##name] = code,
    IDV_REPLAY_REASONS(X)
#undef X
};
static const char *const results[] = {
#define X(name, value) [IDV_REPLAY_IS_##name] = value,
    IDV_REPLAY_RESULTS(X)
#undef X
};

const char *idv_replay_reason_value(idv_replay_reason_t reason)
{
    return reasons[reason];
}

const char *idv_replay_result_value(idv_replay_result_t result)
{
    return results[result];
}

/* --- ends --- */

static void stop(walk_t *walk, idv_replay_reason_t reason)
{
    walk->has_ended = 1;
    walk->reason = reason;
    walk->end = NULL;
}

static void end(walk_t *walk, const char *status)
{
    walk->has_ended = 1;
    walk->end = status;
}

static void end_as(walk_t *walk, idv_session_status_t status)
{
    end(walk, idv_session_status_value(status));
}

static const idv_session_t *kept_session(const walk_t *walk)
{
    return walk->record->kept->session;
}

/* The time of the way at which something comes that came, without holds, at
 * ACTIVE. */
static idv_time_t time_of(const walk_t *walk, idv_time_t active)
{
    return active + walk->reviews.time;
}

/* --- steps --- */

static void give(walk_t *walk, idv_session_input_t input, idv_time_t now)
{
    idv_session_change_t *change;
    idv_error_t *error = idv_session_step(
        &(const idv_session_moment_t){
            .before = walk->session, .workflow = walk->workflow, .now = now},
        &input, &change, walk->pool);

    if (error || !change->changed)
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
    else
        walk->session = change->session;
}

/* Whether the session's time had run out before something came within the
 * second from NOW on; ends it then. */
static int expires(walk_t *walk, idv_time_t now)
{
    const idv_session_t *session = walk->session;

    if (session->status == IDV_STATUS_UNDER_REVIEW
        || session->expires_at >= now + IDV_SECOND)
        return 0;
    if (session->expires_at > now)
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
    else
        end_as(walk, IDV_STATUS_EXPIRED);
    return 1;
}

/* --- reviews --- */

static const idv_session_input_type_t review_inputs[IDV_REVIEW_ACTION_COUNT] = {
    [IDV_REVIEW_APPROVED] = IDV_INPUT_REVIEW_APPROVE,
    [IDV_REVIEW_REJECTED] = IDV_INPUT_REVIEW_REJECT,
    [IDV_REVIEW_TIMED_OUT] = IDV_INPUT_REVIEW_TIMEOUT,
    [IDV_REVIEW_CANCELLED] = IDV_INPUT_CANCEL,
};

/* The session is held: what is held, without its end. */
static hold_t hold_of(const walk_t *walk)
{
    return (hold_t){
        .shown = walk->shown,
        .is_flag = walk->session->runner.review_flagged,
        .is_doubt = walk->session->runner.held_method != NULL,
    };
}

/* Ends the hold as HOLD says. If a review took longer than this workflow allows,
 * a timeout is the only end that is certain. */
static void end_hold(walk_t *walk, const hold_t *hold)
{
    const idv_session_t *session = walk->session;
    idv_time_t given = session->review_deadline - session->review_opened_at;
    idv_review_action_t action = hold->end;
    idv_time_t took = hold->time;

    if (action != IDV_REVIEW_CANCELLED && took >= given) {
        action = IDV_REVIEW_TIMED_OUT;
        took = given;
    }
    give(walk,
         (idv_session_input_t){.type = review_inputs[action],
                               .decided_by = REVIEWER},
         session->review_opened_at + took);
    walk->reviews.time += took;
}

/* On the own way: the entry of the record that opened the hold, and the one
 * that ended it. */
static void review_own(walk_t *walk)
{
    const idv_replay_record_t *record = walk->record;
    const idv_replay_review_t *opened = &record->reviews[walk->next_review];
    hold_t *hold = &walk->holds[walk->reviews.holds];

    if (walk->next_review + 1 >= record->review_count
        || walk->reviews.holds == HOLDS_MAX
        || (opened->action != IDV_REVIEW_HELD
            && opened->action != IDV_REVIEW_FLAGGED)
        || !review_inputs[opened[1].action] || opened[1].at < opened->at) {
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
        return;
    }
    *hold = hold_of(walk);
    hold->end = opened[1].action;
    hold->time = opened[1].at - opened->at;
    walk->next_review += 2;
    walk->reviews.holds++;
    end_hold(walk, hold);
}

/* On another way: the decision about the same, if there was one. */
static void review_again(walk_t *walk)
{
    const walk_t *own = walk->own;
    const hold_t wanted = hold_of(walk);
    idv_time_t given =
        walk->session->review_deadline - walk->session->review_opened_at;

    walk->reviews.holds++;
    for (int i = 0; i < own->reviews.holds; i++) {
        const hold_t *hold = &own->holds[i];

        if (hold->shown != wanted.shown || hold->is_flag != wanted.is_flag
            || hold->is_doubt != wanted.is_doubt
            || walk->holds_used & UINT64_C(1) << i
            || (hold->end == IDV_REVIEW_TIMED_OUT && given > hold->time))
            continue;
        walk->holds_used |= UINT64_C(1) << i;
        end_hold(walk, hold);
        return;
    }
    walk->reviews.undecided++;
    end_as(walk, IDV_STATUS_UNDER_REVIEW);
}

/* A verified session that was flagged then is flagged now. */
static int is_flagged(const walk_t *walk)
{
    if (!walk->own)
        return walk->next_review < walk->record->review_count
            && walk->record->reviews[walk->next_review].action
                   == IDV_REVIEW_FLAGGED;
    for (int i = 0; i < walk->own->reviews.holds; i++)
        if (walk->own->holds[i].is_flag
            && !(walk->holds_used & UINT64_C(1) << i))
            return 1;
    return 0;
}

/* The flag of somebody who had been shown the same or something else: what was
 * decided about it counts only of the same. */
static void at_verified(walk_t *walk)
{
    if (is_flagged(walk))
        give(walk, (idv_session_input_t){.type = IDV_INPUT_FLAG},
             walk->session->completed_at);
    else
        end_as(walk, IDV_STATUS_VERIFIED);
}

/* --- who is waited for --- */

static int same_methods(const idv_method_list_t *a, const idv_method_list_t *b)
{
    for (int i = 0; i < a->count; i++)
        if (!idv_method_list_has(b, a->items[i]))
            return 0;
    return a->count == b->count;
}

/* On the recorded path: the person did not come back. */
static void leave_own(walk_t *walk, const idv_method_list_t *choices)
{
    idv_session_status_t status = kept_session(walk)->status;

    if (status != IDV_STATUS_CANCELLED && status != IDV_STATUS_EXPIRED) {
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
        return;
    }
    walk->has_left = 1;
    walk->end_choices = *choices;
    end_as(walk, status);
}

/* On a different path: a person from whom the same methods are requested and
 * who has no time left abandons as in the original run. */
static void leave_again(walk_t *walk, const idv_method_list_t *choices,
                        idv_replay_reason_t otherwise)
{
    const walk_t *own = walk->own;
    const idv_session_t *kept = kept_session(walk);
    idv_time_t longer = walk->session->expires_at - walk->reviews.time
                      - (own->session->expires_at - own->reviews.time);
    idv_time_t now = time_of(walk, kept->ended_at - own->reviews.time);

    if (!own->has_left) {
        stop(walk, otherwise);
        return;
    }
    if (own->session->status != walk->session->status
        || own->shown != walk->shown
        || !same_methods(&own->end_choices, choices)
        || (kept->status == IDV_STATUS_EXPIRED && longer > 0)) {
        stop(walk, IDV_REPLAY_PERSON_LEFT);
        return;
    }
    if (kept->status == IDV_STATUS_EXPIRED || walk->session->expires_at <= now)
        end_as(walk, IDV_STATUS_EXPIRED);
    else
        end_as(walk, kept->status);
}

/* --- events --- */

/* The law demands another age than the outcome was decided by. */
static idv_replay_reason_t check_age(const walk_t *walk,
                                     const idv_replay_event_t *event)
{
    const idv_session_t *then = kept_session(walk), *now = walk->session;
    const char *born_then = then->compliance.born_before;
    const char *born_now = now->compliance.born_before;
    idv_method_verdict_t verdict = event->outcome.verdict;
    int is_higher = now->required_age > then->required_age;

    if (idv_method_kind(event->method) != IDV_METHOD_PRIMARY
        || verdict == IDV_METHOD_UNREADABLE)
        return IDV_REPLAY_DETERMINED;
    if ((born_then || born_now)
        && (!born_then || !born_now || strcmp(born_then, born_now) != 0))
        return IDV_REPLAY_AGE_NOT_KEPT;
    if (now->required_age == then->required_age)
        return IDV_REPLAY_DETERMINED;
    if (verdict == IDV_METHOD_FAILED)
        return is_higher || !event->failed_for_age ? IDV_REPLAY_DETERMINED
                                                   : IDV_REPLAY_AGE_NOT_KEPT;
    if (!is_higher && !event->failed_for_age && !event->is_age_open)
        return IDV_REPLAY_DETERMINED;
    /* The age that is kept is the least that the evidence shows: it proves the
     * higher one, and disproves nothing. */
    return is_higher && verdict == IDV_METHOD_PASSED && event->has_facts
                && event->outcome.facts.age >= now->required_age
             ? IDV_REPLAY_DETERMINED
             : IDV_REPLAY_AGE_NOT_KEPT;
}

/* Unknown doubts matter only if their consequences differ. */
static idv_replay_reason_t check_doubts(const walk_t *walk,
                                        const idv_replay_event_t *event)
{
    const idv_workflow_t *then = walk->record->kept->workflow;
    int noted = 0;

    if (event->is_verdict_known)
        return IDV_REPLAY_DETERMINED;
    for (int i = 0; i < IDV_DOUBT_COUNT; i++)
        noted |= then->on_doubt[i] == IDV_ON_DOUBT_NOTED;
    if (event->outcome.verdict == IDV_METHOD_PASSED && event->has_passed
        && (!noted
            || memcmp(then->on_doubt, walk->workflow->on_doubt,
                      sizeof(then->on_doubt)) == 0))
        return IDV_REPLAY_DETERMINED;
    return IDV_REPLAY_DOUBTS_NOT_KEPT;
}

static idv_replay_reason_t check_statement(const walk_t *walk,
                                           const idv_replay_event_t *event)
{
    const idv_statement_t *asked =
        idv_statement_for(&walk->workflow->statements,
                          walk->session->jurisdiction.resolved);
    idv_attestation_t agreed;

    if (event->method != IDV_METHOD_SELF_ATTESTATION || !event->statement)
        return IDV_REPLAY_DETERMINED;
    if (!asked || strcmp(asked->name, event->statement) != 0)
        return IDV_REPLAY_OTHER_STATEMENT;
    for (int i = 0; i < asked->text_count; i++)
        if (idv_statement_agree(asked, asked->texts[i].language, &agreed,
                                walk->pool)
            && event->statement_sha256
            && strcmp(agreed.sha256, event->statement_sha256) == 0)
            return IDV_REPLAY_DETERMINED;
    return IDV_REPLAY_OTHER_STATEMENT;
}

/* Whether the outcome would have been the same on this way. */
static idv_replay_reason_t check_outcome(const walk_t *walk, int index)
{
    const idv_replay_event_t *event = &walk->record->events[index];
    const about_t *about = &walk->own->about[index];
    const idv_workflow_node_t *node =
        idv_workflow_node(walk->workflow, walk->session->runner.node);
    idv_replay_reason_t reason = check_age(walk, event);

    if (!reason)
        reason = check_doubts(walk, event);
    if (!reason)
        reason = check_statement(walk, event);
    if (!reason && event->method == IDV_METHOD_SELFIE_MATCH
        && about->portrait != walk->portrait)
        reason = IDV_REPLAY_OTHER_PORTRAIT;
    if (!reason && event->method == IDV_METHOD_NFC_PASSPORT
        && (about->node->require_genuine_chip != node->require_genuine_chip
            || about->node->accept_unknown_revocation
                   != node->accept_unknown_revocation))
        reason = IDV_REPLAY_OTHER_SETTINGS;
    return reason;
}

/* The moment of event INDEX on this way. */
static idv_time_t moment(const walk_t *walk, int index)
{
    return walk->own ? time_of(walk, walk->own->about[index].active)
                     : walk->record->events[index].at;
}

static void mark(walk_t *walk, int index)
{
    const idv_replay_event_t *event = &walk->record->events[index];

    if (!walk->own)
        walk->about[index] = (about_t){
            .shown = walk->shown,
            .portrait = walk->portrait,
            .node = idv_workflow_node(walk->workflow,
                                      walk->session->runner.node),
            .active = event->at - walk->reviews.time,
        };
    walk->taken |= UINT64_C(1) << index;
    if (!event->is_checks)
        walk->shown |= UINT64_C(1) << index;
}

static void take_outcome(walk_t *walk, int index)
{
    const idv_replay_event_t *event = &walk->record->events[index];
    idv_replay_reason_t reason =
        walk->own ? check_outcome(walk, index) : IDV_REPLAY_DETERMINED;
    idv_time_t now = moment(walk, index);
    int verified;

    if (reason) {
        stop(walk, reason);
        return;
    }
    if (expires(walk, now))
        return;
    mark(walk, index);
    verified = idv_method_list_has(&walk->session->runner.verified,
                                   event->method);
    give(walk,
         (idv_session_input_t){.type = IDV_INPUT_TEST_OUTCOME,
                               .method = event->method,
                               .outcome = &event->outcome},
         now);
    if (!verified && idv_method_kind(event->method) == IDV_METHOD_PRIMARY
        && (idv_method_list_has(&walk->session->runner.verified, event->method)
            || walk->session->runner.held_method))
        walk->portrait = index;
}

static int next_event(const walk_t *walk, int is_checks,
                      const idv_method_list_t *choices)
{
    for (int i = 0; i < walk->record->event_count; i++) {
        const idv_replay_event_t *event = &walk->record->events[i];

        if (!(walk->taken & UINT64_C(1) << i) && event->is_checks == is_checks
            && (is_checks || idv_method_list_has(choices, event->method)))
            return i;
    }
    return -1;
}

/* --- where the session stands --- */

static int was_run(const walk_t *walk, const idv_method_list_t *choices)
{
    for (int i = 0; i < walk->record->event_count; i++)
        if (!walk->record->events[i].is_checks
            && idv_method_list_has(choices, walk->record->events[i].method))
            return 1;
    return 0;
}

static void at_methods(walk_t *walk)
{
    idv_method_list_t choices;
    int index;

    idv_session_choices(walk->session, walk->workflow, &choices);
    index = next_event(walk, 0, &choices);
    if (choices.count == 0)
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
    else if (index >= 0)
        take_outcome(walk, index);
    else if (!walk->own)
        leave_own(walk, &choices);
    else
        leave_again(walk, &choices,
                    was_run(walk, &choices) ? IDV_REPLAY_ATTEMPT_NOT_MADE
                                            : IDV_REPLAY_METHOD_NOT_RUN);
}

static int assess(walk_t *walk, const idv_replay_event_t *event,
                  idv_risk_level_t *level)
{
    const idv_risk_policy_t *policy = walk->plan ? walk->plan->risk : NULL;

    *level = event->level;
    if (!policy)
        return 1;
    return event->assessment_id
        && idv_risk_replay(policy,
                           json_object_get(walk->record->kept->assessments,
                                           event->assessment_id),
                           level);
}

static void at_checks(walk_t *walk, const idv_workflow_node_t *node)
{
    static const idv_method_list_t none = {0};
    int index = next_event(walk, 1, NULL);
    const idv_replay_event_t *event;
    idv_method_set_t wanted = 0;
    idv_risk_level_t level;

    if (index < 0) {
        if (walk->own)
            leave_again(walk, &none, IDV_REPLAY_CHECKS_NOT_RUN);
        else
            leave_own(walk, &none);
        return;
    }
    event = &walk->record->events[index];
    for (int i = 0; i < node->methods.count; i++)
        wanted |= IDV_METHOD_BIT(node->methods.items[i]);
    if (event->checks != wanted
        || (walk->own && walk->own->about[index].shown != walk->shown)) {
        stop(walk, walk->own ? IDV_REPLAY_CHECKS_NOT_RUN
                             : IDV_REPLAY_RECORD_INCOMPLETE);
        return;
    }
    if (!assess(walk, event, &level)) {
        stop(walk, IDV_REPLAY_RISK_NOT_KEPT);
        return;
    }
    if (expires(walk, moment(walk, index)))
        return;
    mark(walk, index);
    give(walk,
         (idv_session_input_t){.type = IDV_INPUT_CHECKS_RESULT,
                               .checks_node = node->id,
                               .risk = level},
         moment(walk, index));
}

static void at_beginning(walk_t *walk)
{
    static const idv_method_list_t none = {0};
    const idv_session_t *kept = kept_session(walk);

    if (kept->runner.node)
        give(walk, (idv_session_input_t){.type = IDV_INPUT_OPEN},
             kept->created);
    else if (walk->own)
        leave_again(walk, &none, IDV_REPLAY_RECORD_INCOMPLETE);
    else
        leave_own(walk, &none);
}

static void go_on(walk_t *walk)
{
    const idv_session_t *session = walk->session;
    const idv_workflow_node_t *node =
        idv_workflow_node(walk->workflow, session->runner.node);

    if (session->status == IDV_STATUS_CREATED)
        at_beginning(walk);
    else if (session->status == IDV_STATUS_VERIFIED)
        at_verified(walk);
    else if (session->status == IDV_STATUS_UNDER_REVIEW && walk->own)
        review_again(walk);
    else if (session->status == IDV_STATUS_UNDER_REVIEW)
        review_own(walk);
    else if (!idv_session_status_open(session->status))
        end_as(walk, session->status);
    else if (node && node->type == IDV_NODE_CHECKS)
        at_checks(walk, node);
    else
        at_methods(walk);
}

/* --- the beginning --- */

typedef struct {
    const walk_t *walk;
} law_t;

static int asks_the_same(const walk_t *walk)
{
    const idv_workflow_t *then = walk->record->kept->workflow;

    return walk->workflow->use_case == then->use_case
        && walk->workflow->article == then->article
        && walk->workflow->channel == then->channel;
}

/* An idv_compliance_lookup_t. */
static void look_up(const void *baton, const idv_compliance_question_t *question,
                    idv_compliance_t *out, apr_pool_t *pool)
{
    const walk_t *walk = ((const law_t *)baton)->walk;
    const idv_session_t *kept = kept_session(walk);
    idv_compliance_question_t asked;

    if (!walk->plan
        || (!walk->plan->is_law_of_day && asks_the_same(walk)
            && strcmp(question->jurisdiction, kept->jurisdiction.resolved)
                   == 0)) {
        *out = kept->compliance;
        return;
    }
    asked = *question;
    if (walk->plan->is_law_of_day)
        asked = idv_workflow_question(walk->workflow, question->jurisdiction,
                                      walk->plan->day);
    idv_compliance_rules_look_up(walk->plan->rules, &asked, out, pool);
}

/* Creates the session. A jurisdiction that nobody but the workflow had named is
 * the other workflow's to name. */
static void begin(walk_t *walk)
{
    static const idv_session_create_caller_t caller = {.sandbox = 1};
    const idv_session_t *kept = kept_session(walk);
    const law_t law = {walk};
    const idv_session_create_params_t params = {
        .type = kept->type,
        .workflow_id = kept->workflow_id,
        .jurisdiction = kept->jurisdiction.source == IDV_JURISDICTION_WORKFLOW
                          ? NULL
                          : kept->jurisdiction.resolved,
    };
    const idv_session_create_context_t context = {
        .session_id = kept->id,
        .organization_id = kept->organization_id,
        .caller = &caller,
        .workflow_id = kept->workflow_id,
        .workflow_version_id = kept->workflow_version_id,
        .workflow = walk->workflow,
        .standing.has_webhook_endpoint = 1,
        .compliance = look_up,
        .compliance_baton = &law,
    };
    idv_session_change_t *change;
    idv_error_t *error = idv_session_create(&params, &context, kept->created,
                                            &change, walk->pool);

    if (!error)
        walk->session = change->session;
    else if (walk->own)
        end(walk, IDV_REPLAY_REFUSED);
    else
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
}

static void run(walk_t *walk)
{
    walk->portrait = NO_PORTRAIT;
    begin(walk);
    for (int i = 0; !walk->has_ended && i < STEPS_MAX; i++)
        go_on(walk);
    if (!walk->has_ended)
        stop(walk, IDV_REPLAY_RECORD_INCOMPLETE);
}

/* --- the comparison --- */

static int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether the session was last at NODE, reached on its own path. Releases that
 * did not record the exit of a rejection left it at the review. */
static int stands_at(const idv_session_t *kept, const idv_workflow_t *workflow,
                     const char *node)
{
    const idv_workflow_node_t *last =
        idv_workflow_node(workflow, kept->runner.node);

    return same_text(node, kept->runner.node)
        || (node && last && last->type == IDV_NODE_REVIEW
            && kept->status == IDV_STATUS_FAILED
            && last->next[IDV_EXIT_REJECTED] != IDV_WORKFLOW_NO_NODE
            && strcmp(workflow->nodes[last->next[IDV_EXIT_REJECTED]].id, node)
                   == 0);
}

/* The session's own way has to use all that is kept, and end where it ended. A
 * submission without an outcome is one that failed on our side, or is erased. */
static int is_faithful(const walk_t *own)
{
    const idv_session_t *kept = kept_session(own);
    const idv_replay_record_t *record = own->record;
    int events = 0, outcomes = 0;

    for (int i = 0; i < record->event_count; i++) {
        events += (own->taken >> i & 1) != 0;
        outcomes += !record->events[i].is_checks;
    }
    return record->is_whole && own->end && events == record->event_count
        && outcomes == kept->runner.submission
        && stands_at(kept, own->workflow, own->session->runner.node)
        && strcmp(own->end, idv_session_status_value(kept->status)) == 0;
}

static void undetermined(idv_replay_t *replay, idv_replay_reason_t reason)
{
    replay->result = IDV_REPLAY_IS_UNDETERMINED;
    replay->reason = reason;
    replay->after = NULL;
    replay->counted_after = -1;
}

/* Whether a way that ended so counts as a verification: one that was verified
 * stays counted unless a reviewer rejects it. A way that is left without a step
 * counts if the customer's cancel of the session counted. */
static int is_counted(const walk_t *walk)
{
    const idv_session_t *kept = kept_session(walk);

    if (walk->end && kept->status == IDV_STATUS_CANCELLED
        && kept->runner.counted
        && walk->session->status != IDV_STATUS_CANCELLED
        && strcmp(walk->end, idv_session_status_value(kept->status)) == 0)
        return idv_session_has_passed_evidence(walk->session);
    if (walk->end && strcmp(walk->end, IDV_REPLAY_REFUSED) == 0)
        return 0;
    if (walk->session->status == IDV_STATUS_UNDER_REVIEW)
        return walk->session->runner.counted ? 1 : -1;
    return walk->session->runner.counted != 0;
}

void idv_session_replay(const idv_kept_session_t *kept,
                        const idv_replay_plan_t *plan, idv_replay_t *replay,
                        apr_pool_t *pool)
{
    idv_replay_record_t record;
    walk_t own = {.record = &record, .workflow = kept->workflow, .pool = pool};
    walk_t other = {.record = &record,
                    .plan = plan,
                    .workflow = plan->workflow,
                    .own = &own,
                    .pool = pool};

    *replay = (idv_replay_t){
        .before = idv_session_status_value(kept->session->status),
        .counted_before = kept->session->runner.counted != 0,
    };
    if (kept->session->verification_path != IDV_PATH_FRESH) {
        undetermined(replay, IDV_REPLAY_EARLIER_VERIFICATION);
        return;
    }
    if (!kept->session->jurisdiction.resolved) {
        undetermined(replay, IDV_REPLAY_RECORD_INCOMPLETE);
        return;
    }
    idv_replay_record_read(kept, &record, pool);
    own.about = apr_pcalloc(pool, IDV_REPLAY_EVENTS_MAX * sizeof(*own.about));
    run(&own);
    if (!is_faithful(&own)) {
        undetermined(replay, IDV_REPLAY_RECORD_INCOMPLETE);
        return;
    }
    replay->reviews_before = own.reviews;
    run(&other);
    replay->reviews_after = other.reviews;
    if (other.reason) {
        undetermined(replay, other.reason);
        return;
    }
    replay->after = other.end;
    replay->counted_after = is_counted(&other);
    replay->result = strcmp(replay->before, replay->after) == 0
                       ? IDV_REPLAY_IS_SAME
                       : IDV_REPLAY_IS_CHANGED;
}
