/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No session and no event is verified against its own evidence: workflows,
 * outcomes, laws and decisions are enumerated, and every state on the way is held
 * to that. A trace of what the evidence showed is kept next to the session, so
 * that no summary agrees only because it was rewritten.
 */
#include "unit/session_run.h"

#include "domain/session/session_summary.h"
#include "domain/session/session_view.h"

#define REQUIRED 18
#define TOO_YOUNG 15
#define ADULT 34

/* --- workflows: %s is a primary method --- */

#define NODE(id, more, passed, exhausted)                                      \
    "\"" id "\":{\"type\":\"methods\",\"max_attempts\":1," more                \
    ",\"next\":{\"passed\":\"" passed "\",\"exhausted\":\"" exhausted "\"}},"
#define LOOK(id, approved)                                                     \
    "\"" id "\":{\"type\":\"review\",\"next\":{\"approved\":\"" approved       \
    "\",\"rejected\":\"no\"}},"
#define CHECKS(id, low, medium)                                                \
    "\"" id "\":{\"type\":\"checks\",\"checks\":[\"ip_analysis\"],\"next\":{"  \
    "\"low\":\"" low "\",\"medium\":\"" medium "\",\"high\":\"no\"}},"
#define FLOW(start, nodes)                                                     \
    "{\"name\":\"N\",\"start\":\"" start "\",\"nodes\":{" nodes                \
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"                  \
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}"
#define ONE "\"methods\":[\"%s\"]"
#define DECODED "\"min_assurance\":\"decoded\"," ONE
#define WITH(other) "\"methods\":[\"%s\",\"" other "\"]"
#define BOTH(other) "\"mode\":\"all_of\"," WITH(other)

static const char *const workflows[] = {
    FLOW("id", NODE("id", ONE, "yes", "no")),
    FLOW("id", NODE("id", DECODED, "yes", "no")),
    FLOW("id", NODE("id", ONE, "look", "look") LOOK("look", "yes")),
    FLOW("id", NODE("id", DECODED, "yes", "look") LOOK("look", "yes")),
    FLOW("id", NODE("id", ONE, "look", "look") LOOK("look", "face")
                   NODE("face", "\"methods\":[\"selfie_liveness\"]", "yes",
                        "yes")),
    FLOW("id", NODE("id", ONE, "two", "look") LOOK("look", "two")
                   NODE("two", ONE, "yes", "yes")),
    FLOW("id", NODE("id", WITH("selfie_liveness"), "look", "look")
                   LOOK("look", "two")
                       NODE("two", WITH("selfie_liveness"), "yes", "no")),
    FLOW("screen", CHECKS("screen", "id", "hold") LOOK("hold", "id")
                       NODE("id", BOTH("selfie_liveness"), "yes", "late")
                           LOOK("late", "yes")),
    FLOW("id", NODE("id", ONE, "check", "check") CHECKS("check", "hold", "hold")
                   LOOK("hold", "yes")),
    FLOW("id", NODE("id", "\"max_unreadable\":1," ONE, "yes", "no")),
    FLOW("id", NODE("id", ONE, "two", "two")
                   NODE("two", "\"max_unreadable\":1," ONE, "yes", "look")
                       LOOK("look", "yes")),
};
#define WORKFLOWS ((int)(sizeof(workflows) / sizeof(*workflows)))
/* Those with more states than all others together. */
#define IS_LARGE(workflow) ((workflow) == 6 || (workflow) == 7)

static const char *const primaries[] = {"document_capture", "mdl",
                                        "nfc_passport"};

/* --- what a method may say --- */

/* What the evidence shows of the age: what a method derives from that. */
typedef enum { OF_AGE, YOUNG, OPEN, AGELESS, AGE_COUNT } shown_t;

typedef struct {
    idv_method_verdict_t verdict;
    unsigned doubts;
    shown_t shown;
    idv_assurance_t assurance;
    int is_wrong; /* passed, but denies everything: no method does that */
} variant_t;

#define REUSED (1u << IDV_DOUBT_DOCUMENT_REUSED)
#define UNDECIDED (1u << IDV_DOUBT_UNDETERMINED)
#define BARE IDV_ASSURANCE_DECODED
#define TWICE IDV_ASSURANCE_CONSISTENT
#define SIGNED IDV_ASSURANCE_SIGNED

static const variant_t variants[] = {
    {IDV_METHOD_PASSED, 0, OF_AGE, BARE, 0},
    {IDV_METHOD_PASSED, 0, OF_AGE, SIGNED, 0},
    {IDV_METHOD_PASSED, 0, AGELESS, TWICE, 0},
    {IDV_METHOD_PASSED, 0, OF_AGE, TWICE, 1},
    {IDV_METHOD_FAILED, 0, OF_AGE, TWICE, 0},
    {IDV_METHOD_FAILED, 0, YOUNG, BARE, 0},
    {IDV_METHOD_FAILED, 0, YOUNG, SIGNED, 0},
    {IDV_METHOD_FAILED, 0, OPEN, TWICE, 0},
    {IDV_METHOD_FAILED, 0, AGELESS, IDV_ASSURANCE_NONE, 0},
    {IDV_METHOD_UNDETERMINED, UNDECIDED, OF_AGE, TWICE, 0},
    {IDV_METHOD_UNDETERMINED, UNDECIDED, OPEN, SIGNED, 0},
    {IDV_METHOD_UNDETERMINED, UNDECIDED | REUSED, AGELESS, TWICE, 0},
    {IDV_METHOD_UNDETERMINED, REUSED, OF_AGE, SIGNED, 0},
    {IDV_METHOD_UNDETERMINED, REUSED, OPEN, BARE, 0},
    {IDV_METHOD_UNREADABLE, 0, AGELESS, IDV_ASSURANCE_NONE, 0},
};
#define VARIANTS ((int)(sizeof(variants) / sizeof(*variants)))

static json_t *summary(idv_method_t method, const variant_t *variant,
                       apr_pool_t *pool)
{
    static const int estimates[AGE_COUNT] = {ADULT, TOO_YOUNG, REQUIRED - 1, 0};
    int is_passed = variant->verdict == IDV_METHOD_PASSED && !variant->is_wrong;

    return idv_json_own(
        json_pack("{s:s, s:f, s:b, s:i, s:b, s:i}", "method",
                  idv_method_value(method), "confidence", 0.5, "age_verified",
                  is_passed && variant->shown != AGELESS, "age_estimate",
                  estimates[variant->shown], "identity_verified",
                  is_passed && idv_assurance_identifies(variant->assurance),
                  "liveness_score", 0),
        pool);
}

static const int younger[AGE_COUNT] = {0, TOO_YOUNG + 1, REQUIRED + 1, 0};

static const idv_method_outcome_t *outcome_of(idv_method_t method,
                                              const variant_t *variant,
                                              apr_pool_t *pool)
{
    static const idv_method_error_t failed = {"document_unverified", "No.",
                                              "verification_declined"};
    static const int ages[AGE_COUNT] = {ADULT, TOO_YOUNG, REQUIRED - 1, -1};
    idv_method_outcome_t *outcome = apr_pcalloc(pool, sizeof(*outcome));
    int is_layer = idv_method_kind(method) == IDV_METHOD_LAYER;

    outcome->verdict = variant->verdict;
    outcome->facts.age = -1;
    if (variant->verdict == IDV_METHOD_UNREADABLE) {
        outcome->hint = "blurred";
        return outcome;
    }
    outcome->doubts = variant->doubts;
    outcome->verification_result = summary(method, variant, pool);
    if (variant->verdict != IDV_METHOD_PASSED)
        outcome->last_error = &failed;
    if (is_layer)
        return outcome;
    outcome->assurance = variant->assurance;
    outcome->facts.younger_than = younger[variant->shown];
    if (variant->verdict != IDV_METHOD_FAILED)
        outcome->facts.age = ages[variant->shown];
    return outcome;
}

/* --- the property --- */

/* What happened on the way to a state, known without the session. */
typedef struct {
    int is_of_age;     /* evidence that was not refused showed the age ... */
    int is_any_age;    /* ... or an age, where none is demanded */
    int is_identified; /* ... and the person */
    int is_approved;   /* a reviewer has decided */
    int limit;         /* the age that the person surely has not; 0: unknown */
} trace_t;

typedef struct {
    const idv_workflow_t *workflow;
    const idv_compliance_t *law; /* of every day; NULL: as it was */
    int is_wrong_allowed;
    int is_live; /* outcomes come by a submission */
    long verified, reviewed, failed, held_for_law, states;
    trace_t trace;
} search_t;

static const idv_compliance_t of_21 = {.age_tier = IDV_TIER_MIN_AGE_21,
                                       .required_age = 21,
                                       .rule_version = "2"};
static const idv_compliance_t for_review = {.on_unknown = IDV_UNKNOWN_REVIEW};
static const idv_compliance_t refused = {.on_unknown = IDV_UNKNOWN_REFUSE};

/* Adds to the trace what METHOD is to bring SESSION. By what fails or is in doubt
 * nobody gets older than something else has shown, and weaker evidence than what
 * counts so far says nothing of the age. */
static void add_to_trace(search_t *search, const idv_session_t *session,
                         idv_method_t method, const variant_t *variant)
{
    trace_t *trace = &search->trace;
    int years = younger[variant->shown];
    int is_passed = variant->verdict == IDV_METHOD_PASSED;
    int is_kept = is_passed
               || (variant->verdict == IDV_METHOD_UNDETERMINED
                   && search->workflow->on_doubt[0] <= IDV_ON_DOUBT_REVIEW);

    if (idv_method_kind(method) == IDV_METHOD_LAYER
        || variant->verdict == IDV_METHOD_UNREADABLE)
        return;
    if (is_kept && !variant->is_wrong) {
        trace->is_of_age |= variant->shown == OF_AGE;
        trace->is_any_age |= variant->shown != AGELESS;
        trace->is_identified |= !is_passed
                             || idv_assurance_identifies(variant->assurance);
    }
    if (variant->assurance < session->runner.facts.assurance)
        return;
    if (is_passed || (years > 0 && (!trace->limit || years < trace->limit)))
        trace->limit = years;
}

static int is_false(const json_t *object, const char *key)
{
    return json_is_false(json_object_get(object, key));
}

static int is_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* What says `verified` of a session that is about an age or a person. */
static void is_true_of(const idv_session_t *session, const trace_t *trace,
                       const json_t *result)
{
    json_t *estimate = json_object_get(result, "age_estimate");

    if (session->required_age > 0 || session->type == IDV_SESSION_TYPE_AGE) {
        assert_false(is_false(result, "age_verified"));
        assert_true(trace->is_of_age || trace->is_approved
                    || (trace->is_any_age && session->required_age == 0)
                    || !is_true(result, "age_verified"));
    }
    if (session->type == IDV_SESSION_TYPE_IDENTITY) {
        assert_false(is_false(result, "identity_verified"));
        assert_true(trace->is_identified || trace->is_approved
                    || !is_true(result, "identity_verified"));
    }
    if (session->required_age > 0 && estimate
        && json_integer_value(estimate) > 0)
        assert_true(json_integer_value(estimate) >= session->required_age);
    assert_true(!is_true(result, "reviewed") || trace->is_approved);
    /* Nobody's approval makes older whom the evidence shows too young. */
    assert_true(trace->limit == 0 || trace->limit > session->required_age);
}

static void holds(search_t *search, const idv_session_change_t *change,
                  apr_pool_t *pool)
{
    const idv_session_t *session = change->session;

    search->states++;
    for (int i = 0; i < change->event_count; i++) {
        json_t *object = idv_json_load(change->events[i].object, pool);
        const char *status = member(object, "status");

        assert_int_equal(change->events[i].type == IDV_EVENT_SESSION_VERIFIED,
                         strcmp(status, "verified") == 0);
        if (change->events[i].type == IDV_EVENT_SESSION_VERIFIED)
            is_true_of(session, &search->trace,
                       json_object_get(object, "verification_result"));
    }
    if (session->status == IDV_STATUS_FAILED) {
        search->failed++;
        assert_non_null(session->last_error.code);
        assert_false(change->effects & IDV_EFFECT_MINT_CREDENTIAL);
    }
    search->held_for_law += session->status == IDV_STATUS_UNDER_REVIEW
                         && session->compliance.on_unknown
                                == IDV_UNKNOWN_REVIEW;
    if (session->status != IDV_STATUS_VERIFIED)
        return;
    search->verified++;
    assert_null(idv_session_objection(session, pool));
    assert_false(idv_session_is_too_young(session));
    if (session->verification_result) {
        const json_t *result = idv_json_load(session->verification_result, pool);

        is_true_of(session, &search->trace, result);
        search->reviewed += json_is_true(json_object_get(result, "reviewed"));
    }
}

/* --- the search --- */

static void go_on(search_t *search, const idv_session_t *session, int depth,
                  apr_pool_t *parent);

static void give(search_t *search, const idv_session_t *session,
                 idv_session_input_t input, int depth, apr_pool_t *parent)
{
    trace_t before = search->trace;
    idv_session_change_t *change;
    apr_pool_t *pool;

    apr_pool_create(&pool, parent);
    if (idv_session_input_is_held_to_law(input.type))
        input.law = search->law;
    search->trace.is_approved |= input.type == IDV_INPUT_REVIEW_APPROVE;
    if (!idv_session_step(
            &(const idv_session_moment_t){.before = session,
                                          .workflow = search->workflow,
                                          .now = NOW + IDV_DAY / 2},
            &input, &change, pool)
        && change->changed) {
        holds(search, change, pool);
        go_on(search, change->session, depth, pool);
    }
    search->trace = before;
    apr_pool_destroy(pool);
}

/* What METHOD brought, by a submission or as a test value. */
static void give_outcome(search_t *search, const idv_session_t *session,
                         idv_session_input_t input, int depth,
                         apr_pool_t *parent)
{
    idv_session_input_t submission = {.type = IDV_INPUT_SUBMIT,
                                      .method = input.method,
                                      .law = search->law};
    idv_session_change_t *change;
    apr_pool_t *pool;

    if (!search->is_live) {
        give(search, session, input, depth, parent);
        return;
    }
    if (input.method == IDV_METHOD_DOCUMENT_CAPTURE) {
        submission.images[0] = "front";
        submission.image_count = 1;
    }
    apr_pool_create(&pool, parent);
    if (!idv_session_step(
            &(const idv_session_moment_t){
                .before = session, .workflow = search->workflow, .now = NOW},
            &submission, &change, pool)
        && change->changed) {
        holds(search, change, pool);
        input.type = IDV_INPUT_OUTCOME;
        input.submission = change->session->runner.submission;
        give(search, change->session, input, depth, pool);
    }
    apr_pool_destroy(pool);
}

static void give_outcomes(search_t *search, const idv_session_t *session,
                          idv_method_t method, int depth, apr_pool_t *pool)
{
    for (int i = 0; i < VARIANTS; i++) {
        idv_session_input_t input = {.type = IDV_INPUT_TEST_OUTCOME,
                                     .method = method};
        trace_t before = search->trace;

        if (variants[i].is_wrong && !search->is_wrong_allowed)
            continue;
        input.outcome = outcome_of(method, &variants[i], pool);
        add_to_trace(search, session, method, &variants[i]);
        give_outcome(search, session, input, depth - 1, pool);
        search->trace = before;
    }
}

static const idv_session_input_t flagged = {.type = IDV_INPUT_FLAG};
static const idv_session_input_t timed_out = {.type = IDV_INPUT_REVIEW_TIMEOUT};

/* Gives SESSION every input that may lead on, DEPTH outcomes at most. */
static void go_on(search_t *search, const idv_session_t *session, int depth,
                  apr_pool_t *pool)
{
    const idv_workflow_node_t *node =
        idv_workflow_node(search->workflow, session->runner.node);
    idv_method_list_t choices;

    if (session->status == IDV_STATUS_VERIFIED) {
        if (!session->runner.review_flagged && session->revision < 100)
            give(search, session, flagged, 0, pool);
        return;
    }
    if (session->status == IDV_STATUS_UNDER_REVIEW) {
        idv_session_t *once = apr_pmemdup(pool, session, sizeof(*once));

        if (once->runner.review_flagged)
            once->revision = 100;
        give(search, once, approve, depth, pool);
        give(search, once, reject, depth, pool);
        once->review_deadline = NOW;
        give(search, once, timed_out, depth, pool);
        return;
    }
    if (!idv_session_status_open(session->status))
        return;
    if (node && node->type == IDV_NODE_CHECKS)
        for (int level = IDV_RISK_LOW; level <= IDV_RISK_HIGH; level++) {
            idv_session_input_t input = checks_result((idv_risk_level_t)level);

            input.checks_node = node->id;
            give(search, session, input, depth, pool);
        }
    idv_session_choices(session, search->workflow, &choices);
    if (choices.count)
        give(search, session, redeem, depth, pool);
    for (int i = 0; depth > 0 && i < choices.count; i++)
        give_outcomes(search, session, choices.items[i], depth, pool);
}

static void search_one(search_t *search, const char *text,
                       const idv_session_t *kind, apr_pool_t *pool)
{
    run_t run = begin(text, pool);
    idv_session_t *session = (idv_session_t *)run.session;

    for (int action = 0; action < IDV_DOUBT_ACTION_COUNT; action++) {
        for (int i = 0; i < IDV_DOUBT_COUNT; i++)
            run.workflow->on_doubt[i] = (idv_doubt_action_t)action;
        session->livemode = search->is_live;
        session->type = kind->type;
        session->required_age = kind->required_age;
        session->consent_required = 0;
        run.workflow->required_age_tier =
            kind->required_age ? IDV_TIER_MIN_AGE_18 : IDV_TIER_NONE;
        search->workflow = run.workflow;
        /* The last two treat a doubt as a failure, which is searched anyway. */
        give(search, session, open_widget,
             action <= IDV_ON_DOUBT_REVIEW ? 2 : 1, pool);
        give(search, session, satisfy, 0, pool);
    }
}

static void no_session_is_verified_against_its_evidence(void **state)
{
    static const idv_session_t kinds[] = {
        {.type = IDV_SESSION_TYPE_AGE, .required_age = REQUIRED},
        {.type = IDV_SESSION_TYPE_AGE},
        {.type = IDV_SESSION_TYPE_IDENTITY, .required_age = REQUIRED},
        {.type = IDV_SESSION_TYPE_IDENTITY},
    };
    static const idv_compliance_t *const laws[] = {NULL, &of_21, &for_review,
                                                   &refused};

    for (int i = 0; i < WORKFLOWS; i++) {
        search_t search = {.is_wrong_allowed = 1};

        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
            for (size_t l = 0; l < (IS_LARGE(i) ? 2 : 4); l++) {
                size_t method = ((size_t)i + k + l) % 3;
                apr_pool_t *pool;

                apr_pool_create(&pool, *state);
                search.law = laws[l];
                search.is_live = (i + (int)k) % 2;
                search_one(&search,
                           apr_psprintf(pool, workflows[i], primaries[method],
                                        primaries[method]),
                           &kinds[k], pool);
                apr_pool_destroy(pool);
            }
        /* Not because nobody gets anywhere. */
        assert_true(search.verified > 0 && search.failed > 0);
        assert_true(search.held_for_law > 0 || IS_LARGE(i));
        print_message("# workflow %d: %ld states, %ld verified, %ld reviewed, "
                      "%ld failed, %ld held for unknown law\n",
                      i, search.states, search.verified, search.reviewed,
                      search.failed, search.held_for_law);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(no_session_is_verified_against_its_evidence),
    };

    return unit_run("domain/session_truth", tests);
}
