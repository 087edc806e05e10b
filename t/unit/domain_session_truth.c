/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No session and no event is verified against its own evidence: workflows,
 * outcomes and decisions are enumerated, and every state on the way is held to
 * that.
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
};
#define WORKFLOWS ((int)(sizeof(workflows) / sizeof(*workflows)))

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

static const idv_method_outcome_t *outcome_of(idv_method_t method,
                                              const variant_t *variant,
                                              apr_pool_t *pool)
{
    static const idv_method_error_t failed = {"document_unverified", "No.",
                                              "verification_declined"};
    static const int younger[AGE_COUNT] = {0, TOO_YOUNG + 1, REQUIRED + 1, 0};
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

typedef struct {
    const idv_workflow_t *workflow;
    const idv_compliance_t *law; /* of every day; NULL: as it was */
    int is_wrong_allowed;
    long verified, reviewed, failed, states;
} search_t;

static const idv_compliance_t of_21 = {.age_tier = IDV_TIER_MIN_AGE_21,
                                       .required_age = 21,
                                       .rule_version = "2"};

static int is_false(const json_t *object, const char *key)
{
    return json_is_false(json_object_get(object, key));
}

/* What says `verified` of a session that is about an age or a person. */
static void is_true_of(const idv_session_t *session, const json_t *result)
{
    json_t *estimate = json_object_get(result, "age_estimate");

    if (session->required_age > 0 || session->type == IDV_SESSION_TYPE_AGE)
        assert_false(is_false(result, "age_verified"));
    if (session->type == IDV_SESSION_TYPE_IDENTITY)
        assert_false(is_false(result, "identity_verified"));
    if (session->required_age > 0 && estimate
        && json_integer_value(estimate) > 0)
        assert_true(json_integer_value(estimate) >= session->required_age);
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
            is_true_of(session,
                       json_object_get(object, "verification_result"));
    }
    if (session->status == IDV_STATUS_FAILED) {
        search->failed++;
        assert_non_null(session->last_error.code);
        assert_false(change->effects & IDV_EFFECT_MINT_CREDENTIAL);
    }
    if (session->status != IDV_STATUS_VERIFIED)
        return;
    search->verified++;
    assert_null(idv_session_objection(session, pool));
    assert_false(idv_session_is_too_young(session));
    if (session->verification_result) {
        const json_t *result = idv_json_load(session->verification_result, pool);

        is_true_of(session, result);
        search->reviewed += json_is_true(json_object_get(result, "reviewed"));
    }
}

/* --- the search --- */

static void go_on(search_t *search, const idv_session_t *session, int depth,
                  apr_pool_t *parent);

static void give(search_t *search, const idv_session_t *session,
                 idv_session_input_t input, int depth, apr_pool_t *parent)
{
    idv_session_change_t *change;
    apr_pool_t *pool;

    apr_pool_create(&pool, parent);
    if (idv_session_input_is_held_to_law(input.type))
        input.law = search->law;
    if (!idv_session_step(session, search->workflow, &input, NOW, &change, pool)
        && change->changed) {
        holds(search, change, pool);
        go_on(search, change->session, depth, pool);
    }
    apr_pool_destroy(pool);
}

static void give_outcomes(search_t *search, const idv_session_t *session,
                          idv_method_t method, int depth, apr_pool_t *pool)
{
    for (int i = 0; i < VARIANTS; i++) {
        idv_session_input_t input = {.type = IDV_INPUT_TEST_OUTCOME,
                                     .method = method};

        if (variants[i].is_wrong && !search->is_wrong_allowed)
            continue;
        input.outcome = outcome_of(method, &variants[i], pool);
        give(search, session, input, depth - 1, pool);
    }
}

static const idv_session_input_t flagged = {.type = IDV_INPUT_FLAG};

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
        session->livemode = 0;
        session->type = kind->type;
        session->required_age = kind->required_age;
        session->consent_required = 0;
        run.workflow->required_age_tier =
            kind->required_age ? IDV_TIER_MIN_AGE_18 : IDV_TIER_NONE;
        search->workflow = run.workflow;
        /* The last two treat a doubt as a failure, which is searched anyway. */
        give(search, session, open_widget,
             action <= IDV_ON_DOUBT_REVIEW ? 2 : 1, pool);
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
    static const idv_compliance_t *const laws[] = {NULL, &of_21};

    for (int i = 0; i < WORKFLOWS; i++) {
        search_t search = {.is_wrong_allowed = 1};

        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
            for (size_t l = 0; l < sizeof(laws) / sizeof(*laws); l++) {
                size_t method = ((size_t)i + k + l) % 3;
                apr_pool_t *pool;

                apr_pool_create(&pool, *state);
                search.law = laws[l];
                search_one(&search,
                           apr_psprintf(pool, workflows[i], primaries[method],
                                        primaries[method]),
                           &kinds[k], pool);
                apr_pool_destroy(pool);
            }
        /* Not because nobody gets anywhere. */
        assert_true(search.verified > 0 && search.failed > 0);
        print_message("# workflow %d: %ld states, %ld verified, %ld reviewed, "
                      "%ld failed\n",
                      i, search.states, search.verified, search.reviewed,
                      search.failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(no_session_is_verified_against_its_evidence),
    };

    return unit_run("domain/session_truth", tests);
}
