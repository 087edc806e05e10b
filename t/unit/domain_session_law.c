/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions that are held to the law of the day. */
#include "unit/session_run.h"

/* A submission, or what comes of it, on a day whose law is LAW. */
static idv_session_input_t under(idv_session_input_t input,
                                 const idv_compliance_t *law)
{
    input.law = law;
    return input;
}

static const idv_session_input_t document_shown = {
    .type = IDV_INPUT_SUBMIT,
    .method = IDV_METHOD_DOCUMENT_CAPTURE,
    .images = {"front"},
    .image_count = 1};

static run_t begin_with_consent(const char *text, apr_pool_t *pool)
{
    run_t run = begin(text, pool);

    does(&run, open_widget);
    does(&run, consent);
    return run;
}

static void holds_to_the_law_of_the_day(void **state)
{
    static const idv_compliance_t raised = {.age_tier = IDV_TIER_MIN_AGE_21,
                                            .required_age = 19,
                                            .rule_version = "2",
                                            .as_of = "2027-01-01"};
    static const idv_compliance_t later = {.age_tier = IDV_TIER_MIN_AGE_21,
                                           .rule_version = "2",
                                           .as_of = "2027-01-02"};
    run_t run = begin_with_consent(simple, *state);

    does(&run, under(document_shown, &raised));
    assert_int_equal(run.session->required_age, 19);
    assert_int_equal(run.session->age_tier, IDV_TIER_MIN_AGE_21);
    assert_string_equal(run.session->compliance.as_of, "2027-01-01");
    does(&run, under(outcome(&run, IDV_METHOD_PASSED), &later));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(run.session->required_age, 21);
    assert_string_equal(run.session->compliance.as_of, "2027-01-02");
}

static void keeps_the_age_of_the_workflow(void **state)
{
    static const idv_compliance_t law = {.age_tier = IDV_TIER_MIN_AGE_16,
                                         .required_age = 16,
                                         .rule_version = "2"};
    run_t run = begin_with_consent(simple, *state);

    run.workflow->required_age_tier = IDV_TIER_MIN_AGE_18;
    does(&run, under(document_shown, &law));
    assert_int_equal(run.session->required_age, 18);
    assert_int_equal(run.session->age_tier, IDV_TIER_MIN_AGE_18);
}

static void fails_what_the_law_prohibits_meanwhile(void **state)
{
    static const idv_compliance_t law = {.prohibited = 1, .rule_version = "2"};
    run_t run = begin_with_consent(simple, *state);

    does(&run, under(document_shown, &law));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "use_case_prohibited");
    assert_false(run.change->effects & IDV_EFFECT_QUEUE_ANALYSIS);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
}

/* Who proved 19 when 18 was enough is too young for 21 at the next step. */
static void fails_who_is_too_young_by_now(void **state)
{
    static const idv_compliance_t law = {.age_tier = IDV_TIER_MIN_AGE_21,
                                         .rule_version = "2"};
    run_t run = begin(definition, *state);
    idv_session_input_t proof;

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    proof = outcome(&run, IDV_METHOD_PASSED);
    ((idv_method_outcome_t *)proof.outcome)->facts.age = 19;
    does(&run, proof);
    assert_int_equal(run.session->runner.facts.age, 19);
    does(&run, under((idv_session_input_t){.type = IDV_INPUT_SUBMIT,
                                           .method = IDV_METHOD_SELFIE_LIVENESS},
                     &law));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "under_age");
}

static void redeems_nothing_that_is_prohibited(void **state)
{
    static const idv_compliance_t law = {.prohibited = 1, .rule_version = "2"};
    run_t run = begin_with_consent(simple, *state);

    is_refused(&run,
               under((idv_session_input_t){.type = IDV_INPUT_REDEEM}, &law),
               IDV_E_USE_CASE_PROHIBITED, NULL);
}

/* With no other method left, the node cannot be passed any more. */
static void fails_where_the_law_leaves_no_method(void **state)
{
    static const idv_compliance_t law = {
        .excluded_methods = IDV_METHOD_BIT(IDV_METHOD_DOCUMENT_CAPTURE),
        .rule_version = "2"};
    run_t run = begin_with_consent(simple, *state);
    idv_method_list_t choices;

    does(&run, under(document_shown, &law));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "methods_not_accepted");
    assert_false(run.change->effects & IDV_EFFECT_QUEUE_ANALYSIS);
    announced(&run, 1, IDV_EVENT_SESSION_FAILED, 0);
    idv_session_choices(run.session, run.workflow, &choices);
    assert_int_equal(choices.count, 0);
}

/* A session at a node of two methods, of which the law accepts one. */
static void offers_what_the_law_accepts(void **state)
{
    static const idv_compliance_t law = {
        .excluded_methods = IDV_METHOD_BIT(IDV_METHOD_DOCUMENT_CAPTURE),
        .rule_version = "2"};
    run_t run = begin(definition, *state);
    idv_method_list_t choices;

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    does(&run, consent);
    does(&run, under(document_shown, &law));
    assert_int_equal(run.session->status, IDV_STATUS_PENDING);
    assert_int_equal(run.session->current_method, IDV_METHOD_MDL);
    assert_int_equal(run.session->runner.submission, 0);
    assert_int_equal(run.change->effects, 0);
    idv_session_choices(run.session, run.workflow, &choices);
    assert_int_equal(choices.count, 1);
    assert_int_equal(choices.items[0], IDV_METHOD_MDL);
    submit(&run, IDV_METHOD_MDL);
}

/* Two methods are demanded; the law leaves one of them while the other is
 * being read. */
static void passes_no_node_that_the_law_cut(void **state)
{
    static const idv_compliance_t law = {
        .excluded_methods = IDV_METHOD_BIT(IDV_METHOD_SELFIE_MATCH),
        .rule_version = "2"};
    run_t run = begin(definition, *state);

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    submit(&run, IDV_METHOD_SELFIE_LIVENESS);
    does(&run, under(outcome(&run, IDV_METHOD_PASSED), &law));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
}

static run_t begin_doubted(int age, apr_pool_t *pool)
{
    run_t run = begin_processing(pool);
    idv_session_input_t doubt = outcome(&run, IDV_METHOD_UNDETERMINED);
    idv_method_outcome_t *found = (idv_method_outcome_t *)doubt.outcome;

    run.workflow->on_doubt[IDV_DOUBT_DOCUMENT_REUSED] = IDV_ON_DOUBT_REVIEW;
    found->doubts = 1u << IDV_DOUBT_DOCUMENT_REUSED;
    found->facts.age = age;
    does(&run, doubt);
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    return run;
}

/* A reviewer's approval decides by the law of its own day. */
static void approves_by_the_law_of_the_day(void **state)
{
    static const idv_compliance_t prohibits = {.prohibited = 1,
                                               .rule_version = "2"};
    static const idv_compliance_t raises = {.age_tier = IDV_TIER_MIN_AGE_21,
                                            .rule_version = "2"};
    static const idv_compliance_t excludes = {
        .excluded_methods = IDV_METHOD_BIT(IDV_METHOD_DOCUMENT_CAPTURE),
        .rule_version = "2"};
    static const struct {
        const idv_compliance_t *law;
        const char *code;
    } cases[] = {
        {&prohibits, "use_case_prohibited"},
        {&raises, "under_age"},
        {&excludes, "methods_not_accepted"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        run_t run = begin_doubted(19, *state);

        run.now += 72 * IDV_HOUR;
        does(&run, under(approve, cases[i].law));
        assert_int_equal(run.session->status, IDV_STATUS_FAILED);
        assert_string_equal(run.session->last_error.code, cases[i].code);
        assert_string_equal(run.session->compliance.rule_version, "2");
        announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_FAILED);
        recorded(&run, IDV_REVIEW_APPROVED, "reviewer", NULL);
        assert_true(run.change->effects & IDV_EFFECT_RESOLVE_REVIEW);
        assert_false(run.change->effects & IDV_EFFECT_COUNT_VERIFICATION);
    }
}

/* What was verified before it was flagged was decided by the law of then. */
static void approves_a_flag_by_the_law_of_the_verification(void **state)
{
    static const idv_compliance_t law = {.prohibited = 1, .rule_version = "2"};
    run_t run = begin_verified(*state);

    does(&run, flag);
    does(&run, under(approve, &law));
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    assert_null(run.session->compliance.rule_version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(holds_to_the_law_of_the_day),
        pooled_test(keeps_the_age_of_the_workflow),
        pooled_test(fails_what_the_law_prohibits_meanwhile),
        pooled_test(fails_who_is_too_young_by_now),
        pooled_test(fails_where_the_law_leaves_no_method),
        pooled_test(offers_what_the_law_accepts),
        pooled_test(passes_no_node_that_the_law_cut),
        pooled_test(approves_by_the_law_of_the_day),
        pooled_test(approves_a_flag_by_the_law_of_the_verification),
        pooled_test(redeems_nothing_that_is_prohibited),
    };

    return unit_run("domain/session_law", tests);
}
