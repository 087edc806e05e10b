/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions that are held to the law of the day. */
#include "domain/session/session_columns.h"
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

/* At the document, with an age that is demanded; 0: none is. */
static run_t begin_at_document(int required_age, apr_pool_t *pool)
{
    run_t run = begin(definition, pool);

    ((idv_session_t *)run.session)->required_age = required_age;
    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_LOW));
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

static void holds_what_the_law_leaves_open(void **state)
{
    static const idv_compliance_t law = {.on_unknown = IDV_UNKNOWN_REVIEW};
    static const idv_session_input_type_t decisions[] = {
        IDV_INPUT_REVIEW_APPROVE, IDV_INPUT_REVIEW_REJECT,
        IDV_INPUT_REVIEW_TIMEOUT};
    static const idv_session_status_t ends[] = {
        IDV_STATUS_VERIFIED, IDV_STATUS_FAILED, IDV_STATUS_FAILED};

    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        run_t run = begin_with_consent(simple, *state);

        does(&run, under(document_shown, &law));
        does(&run, under(outcome(&run, IDV_METHOD_PASSED), &law));
        assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
        assert_string_equal(run.session->runner.review_reason, "law_unknown");
        assert_false(run.change->effects
                     & (IDV_EFFECT_COUNT_VERIFICATION
                        | IDV_EFFECT_MINT_CREDENTIAL));
        if (decisions[i] == IDV_INPUT_REVIEW_TIMEOUT)
            run.now = run.session->review_deadline;
        does(&run, under((idv_session_input_t){.type = decisions[i],
                                               .decided_by = "reviewer"},
                         &law));
        assert_int_equal(run.session->status, ends[i]);
    }
}

static void refuses_what_the_law_leaves_open(void **state)
{
    static const idv_compliance_t law = {.on_unknown = IDV_UNKNOWN_REFUSE};
    run_t run = begin_with_consent(simple, *state);

    does(&run, under(document_shown, &law));
    assert_int_equal(run.session->status, IDV_STATUS_FAILED);
    assert_string_equal(run.session->last_error.code, "law_unknown");
}

/* A law of which nobody knows any more takes back no age. */
static void keeps_the_age_that_was_known(void **state)
{
    static const idv_compliance_t before = {.known = 1,
                                            .age_tier = IDV_TIER_MIN_AGE_21,
                                            .required_age = 21,
                                            .rule_version = "1"};
    static const idv_compliance_t after = {.on_unknown = IDV_UNKNOWN_REVIEW,
                                           .rule_version = "2"};
    run_t run = begin_with_consent(simple, *state);

    does(&run, under(document_shown, &before));
    does(&run, under(outcome(&run, IDV_METHOD_UNREADABLE), &after));
    assert_int_equal(run.session->required_age, 21);
    assert_string_equal(run.session->compliance.rule_version, "1");
    assert_int_equal(run.session->compliance.on_unknown, IDV_UNKNOWN_REVIEW);
}

/* Who proved 19 when 18 was enough is too young for 21 at the next step. */
static void fails_who_is_too_young_by_now(void **state)
{
    static const idv_compliance_t law = {.age_tier = IDV_TIER_MIN_AGE_21,
                                         .rule_version = "2"};
    run_t run = begin_at_document(0, *state);
    idv_session_input_t proof;

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

/* What was decided on while 18 was enough, and is recorded when 21 is demanded. */
static void records_by_the_law_in_force(void **state)
{
    static const idv_compliance_t law = {.age_tier = IDV_TIER_MIN_AGE_21,
                                         .rule_version = "2"};
    static const idv_doubt_action_t actions[] = {
        IDV_ON_DOUBT_NOTED, IDV_ON_DOUBT_REVIEW, IDV_ON_DOUBT_FAILED};
    static const struct {
        idv_method_verdict_t verdict;
        int doubt, age, younger_than, is_enough;
    } cases[] = {
        {IDV_METHOD_PASSED, 0, 19, 20, 0},
        {IDV_METHOD_PASSED, 0, 18, 0, 0},
        {IDV_METHOD_PASSED, 0, -1, 0, 0},
        {IDV_METHOD_PASSED, 0, 21, 22, 1},
        {IDV_METHOD_UNDETERMINED, IDV_DOUBT_DOCUMENT_REUSED, 19, 0, 0},
        {IDV_METHOD_UNDETERMINED, IDV_DOUBT_UNDETERMINED, 19, 20, 0},
        /* The workflow says what follows from an age that is open. */
        {IDV_METHOD_UNDETERMINED, IDV_DOUBT_UNDETERMINED, 20, 22, 1},
    };

    for (size_t i = 0; i < 3 * sizeof(cases) / sizeof(*cases); i++) {
        size_t at = i / 3;
        run_t run = begin_processing(*state);
        idv_session_input_t input = outcome(&run, cases[at].verdict);
        idv_method_outcome_t *found = (idv_method_outcome_t *)input.outcome;

        run.workflow->on_doubt[IDV_DOUBT_DOCUMENT_REUSED] = actions[i % 3];
        run.workflow->on_doubt[IDV_DOUBT_UNDETERMINED] = actions[i % 3];
        ((idv_session_t *)run.session)->required_age = 18;
        found->facts.age = cases[at].age;
        found->facts.younger_than = cases[at].younger_than;
        if (cases[at].verdict == IDV_METHOD_UNDETERMINED) {
            found->doubts = 1u << cases[at].doubt;
            found->last_error = idv_session_error(IDV_SESSION_ERROR_DECLINED);
        }
        does(&run, under(input, &law));
        assert_int_equal(run.session->required_age, 21);
        if (cases[at].is_enough) {
            assert_true(!run.session->last_error.code
                        || strcmp(run.session->last_error.code, "under_age"));
            continue;
        }
        assert_int_equal(run.session->status, IDV_STATUS_REQUIRES_INPUT);
        assert_int_equal(run.session->runner.attempts, 1);
        assert_string_equal(run.session->last_error.code, "under_age");
        assert_non_null(strstr(run.session->results,
                               "\"name\":\"age\",\"passed\":false,"
                               "\"result\":\"failed\",\"reason\":\"under_age\""));
        assert_null(strstr(run.session->verification_result,
                           "\"age_verified\":true"));
    }
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
    run_t run = begin_at_document(0, *state);
    idv_method_list_t choices;

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
    run_t run = begin_at_document(0, *state);

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

/* --- ages that are open, and ages that are not --- */

static const idv_compliance_t of_21 = {.age_tier = IDV_TIER_MIN_AGE_21,
                                       .rule_version = "1"};

/* What VERDICT says of somebody of AGE or more, who has surely not completed
 * YOUNGER_THAN years. */
static idv_session_input_t aged(const run_t *run, idv_method_verdict_t verdict,
                                int age, int younger_than)
{
    idv_session_input_t input = outcome(run, verdict);
    idv_method_outcome_t *found = (idv_method_outcome_t *)input.outcome;

    found->facts.age = age;
    found->facts.younger_than = younger_than;
    if (verdict == IDV_METHOD_UNDETERMINED) {
        found->doubts = 1u << IDV_DOUBT_UNDETERMINED;
        found->last_error = idv_session_error(IDV_SESSION_ERROR_UNDER_AGE);
    }
    return input;
}

/* As the store has it: through its text, or through that of before. */
static void keep(run_t *run, int is_former)
{
    idv_session_t *kept =
        apr_pmemdup(run->pool, run->session, sizeof(*kept));

    if (is_former)
        kept->runner.facts.younger_than = 0;
    assert_null(idv_session_runner_load(
        idv_session_runner_text(kept, run->pool), kept, run->pool));
    assert_int_equal(kept->runner.facts.younger_than,
                     is_former ? 0
                               : run->session->runner.facts.younger_than);
    run->session = kept;
}

/* A year of birth alone: 20 or 21 where 21 is demanded. Who approves says that it
 * is 21; no more is proved, and none less. Nobody knew an upper bound before. */
static void approves_an_open_age_for_what_is_demanded(void **state)
{
    for (int i = 0; i < 8; i++) {
        const idv_compliance_t *law = i & 1 ? &of_21 : NULL;
        int age = i & 4 ? -1 : 20;
        run_t run = begin_processing(*state);
        idv_credential_t credential;
        int minted;

        ((idv_session_t *)run.session)->required_age = 21;
        does(&run, under(aged(&run, IDV_METHOD_UNDETERMINED, age, 22), law));
        assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
        assert_int_equal(run.session->runner.facts.age, age);
        keep(&run, i & 2);
        assert_false(idv_session_is_too_young(run.session));
        does(&run, under(approve, law));
        assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
        assert_int_equal(run.session->runner.facts.age, 21);
        idv_credential_of(run.session, run.workflow, &credential, &minted);
        assert_true(minted);
        assert_int_equal(credential.age_over, 21);
        assert_int_equal(credential.age_tier, IDV_TIER_MIN_AGE_21);
    }
}

/* The approval was for the age of then: what the law has raised since is nobody's
 * decision, also where no age had been asked for. */
static void approves_no_age_that_was_not_asked_for(void **state)
{
    static const int asked[] = {0, 18};

    for (size_t i = 0; i < 2; i++) {
        run_t run = begin_processing(*state);

        ((idv_session_t *)run.session)->required_age = asked[i];
        does(&run, aged(&run, IDV_METHOD_UNDETERMINED, -1, 0));
        does(&run, under(approve, &of_21));
        assert_int_equal(run.session->status, IDV_STATUS_FAILED);
        assert_string_equal(run.session->last_error.code, "under_age");
        announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_FAILED);
    }
}

/* Where no age is demanded, what the document shows is what is proved. */
static void approves_without_an_age(void **state)
{
    run_t run = begin_processing(*state);
    idv_credential_t credential;
    int minted;

    does(&run, aged(&run, IDV_METHOD_UNDETERMINED, -1, 0));
    does(&run, approve);
    assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(run.session->runner.facts.age, -1);
    idv_credential_of(run.session, run.workflow, &credential, &minted);
    assert_int_equal(credential.age_over, 0);
    assert_int_equal(credential.age_tier, IDV_TIER_NONE);
}

/* begin_tried(): two attempts at the document, then a review. */
static run_t begin_tried(const idv_compliance_t *law,
                         idv_method_verdict_t verdict, int younger_than,
                         apr_pool_t *pool)
{
    run_t run = begin_at_document(21, pool);

    run.workflow->on_doubt[IDV_DOUBT_UNDETERMINED] =
        IDV_ON_DOUBT_REQUIRES_INPUT;
    for (int i = 0; i < 2; i++) {
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        does(&run, under(aged(&run, verdict, -1, younger_than), law));
    }
    assert_int_equal(run.session->status, IDV_STATUS_UNDER_REVIEW);
    assert_null(run.session->runner.held_method);
    return run;
}

/* Of 16 by every attempt: no approval makes anybody 21, by law or without. What
 * leaves the age open is for the reviewer to decide. */
static void approves_nobody_who_is_surely_too_young(void **state)
{
    for (int i = 0; i < 2; i++) {
        const idv_compliance_t *law = i ? &of_21 : NULL;
        run_t run = begin_tried(law, IDV_METHOD_FAILED, 17, *state);

        keep(&run, 0);
        assert_int_equal(run.session->runner.facts.age, -1);
        assert_true(idv_session_is_too_young(run.session));
        does(&run, under(approve, law));
        assert_int_equal(run.session->status, IDV_STATUS_FAILED);
        assert_string_equal(run.session->last_error.code, "under_age");
        announced(&run, 2, IDV_EVENT_REVIEW_APPROVED, IDV_EVENT_SESSION_FAILED);
        assert_false(run.change->effects & IDV_EFFECT_COUNT_VERIFICATION);

        run = begin_tried(law, IDV_METHOD_UNDETERMINED, 22, *state);
        does(&run, under(approve, law));
        assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
        assert_int_equal(run.session->runner.facts.age, -1);
        run = begin_tried(law, IDV_METHOD_FAILED, 0, *state);
        does(&run, under(approve, law));
        assert_int_equal(run.session->status, IDV_STATUS_VERIFIED);
    }
}

/* Somebody else's card that fails, or leaves the age open, makes nobody older. */
static void no_failure_makes_anybody_older(void **state)
{
    static const idv_method_verdict_t later[] = {IDV_METHOD_FAILED,
                                                 IDV_METHOD_UNDETERMINED};

    for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++) {
        run_t run = begin_at_document(21, *state);

        run.workflow->on_doubt[IDV_DOUBT_UNDETERMINED] =
            IDV_ON_DOUBT_REQUIRES_INPUT;
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        does(&run, aged(&run, IDV_METHOD_FAILED, -1, 17));
        submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
        does(&run, aged(&run, later[i], -1, 41));
        assert_int_equal(run.session->runner.facts.younger_than, 17);
        does(&run, approve);
        assert_int_equal(run.session->status, IDV_STATUS_FAILED);
        assert_string_equal(run.session->last_error.code, "under_age");
    }
}

/* A pass after that is of another document, or of a better picture. */
static void a_pass_settles_the_age(void **state)
{
    run_t run = begin_at_document(21, *state);

    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, aged(&run, IDV_METHOD_FAILED, -1, 17));
    assert_true(idv_session_is_too_young(run.session));
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, aged(&run, IDV_METHOD_PASSED, 34, 35));
    assert_int_equal(run.session->runner.facts.younger_than, 35);
    assert_false(idv_session_is_too_young(run.session));
    submit(&run, IDV_METHOD_SELFIE_LIVENESS);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_false(idv_session_is_too_young(run.session));
}

/* Doubts of the age that are noted alone end by no law that is as it was. */
static void an_unchanged_law_decides_once(void **state)
{
    static const idv_session_input_t face = {
        .type = IDV_INPUT_SUBMIT, .method = IDV_METHOD_SELFIE_LIVENESS};
    run_t run = begin_at_document(21, *state);

    run.workflow->on_doubt[IDV_DOUBT_UNDETERMINED] = IDV_ON_DOUBT_NOTED;
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, under(aged(&run, IDV_METHOD_UNDETERMINED, 20, 22), &of_21));
    does(&run, under(face, &of_21));
    assert_int_equal(run.session->status, IDV_STATUS_PROCESSING);
    assert_int_equal(run.session->runner.facts.age, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(holds_to_the_law_of_the_day),
        pooled_test(keeps_the_age_of_the_workflow),
        pooled_test(fails_what_the_law_prohibits_meanwhile),
        pooled_test(holds_what_the_law_leaves_open),
        pooled_test(refuses_what_the_law_leaves_open),
        pooled_test(keeps_the_age_that_was_known),
        pooled_test(fails_who_is_too_young_by_now),
        pooled_test(fails_where_the_law_leaves_no_method),
        pooled_test(offers_what_the_law_accepts),
        pooled_test(passes_no_node_that_the_law_cut),
        pooled_test(approves_by_the_law_of_the_day),
        pooled_test(approves_a_flag_by_the_law_of_the_verification),
        pooled_test(approves_an_open_age_for_what_is_demanded),
        pooled_test(approves_no_age_that_was_not_asked_for),
        pooled_test(approves_without_an_age),
        pooled_test(approves_nobody_who_is_surely_too_young),
        pooled_test(no_failure_makes_anybody_older),
        pooled_test(a_pass_settles_the_age),
        pooled_test(an_unchanged_law_decides_once),
        pooled_test(records_by_the_law_in_force),
        pooled_test(redeems_nothing_that_is_prohibited),
    };

    return unit_run("domain/session_law", tests);
}
