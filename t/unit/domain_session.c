/* SPDX-License-Identifier: Apache-2.0 */
/* The forms in which a session is shown and kept. */
#include <apr_strings.h>

#include "domain/session/session_columns.h"
#include "domain/session/session_view.h"
#include "unit/session_run.h"

static void mints_credentials(void **state)
{
    run_t run = begin_verified(*state);
    idv_session_t session = *run.session;
    idv_credential_t credential;
    int minted;

    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.strength, IDV_STRENGTH_DOCUMENT_CAPTURE);
    assert_int_equal(credential.age_tier, IDV_TIER_MIN_AGE_21);
    assert_int_equal(credential.age_over, 34);
    assert_int_equal(credential.verified_at, NOW);
    assert_int_equal(credential.expires_at, NOW + 365 * IDV_DAY);
    session.compliance.credential_validity_days = 30;
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_int_equal(credential.expires_at, NOW + 30 * IDV_DAY);
    session.compliance.retention_limit = 31; /* thirty days, and one */
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_int_equal(credential.expires_at, NOW + 30 * IDV_DAY);
    session.compliance.retention_limit = 8;
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_int_equal(credential.expires_at, NOW + 7 * IDV_DAY);
    session.compliance.retention_limit = 1; /* nothing may be kept */
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.expires_at, NOW + IDV_HOUR);
    session.compliance.retention_limit = 0;
    session.runner.facts.expiry = "2027-01-16"; /* NOW is on 2027-01-15 */
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.expires_at % IDV_DAY, 0);
    assert_true(credential.expires_at - NOW < 2 * IDV_DAY);
    session.runner.facts.expiry = "2027-01-14";
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_false(minted);
    session.verification_path = IDV_PATH_VP_TOKEN;
    idv_credential_of(&session, run.workflow, &credential, &minted);
    assert_false(minted);
}

/* Rows keep the text with its version: who changes the one raises the other. */
static void has_a_version_of_its_text(void **state)
{
    run_t run = begin_verified(*state);

    assert_int_equal(IDV_SESSION_TEXT_VERSION, 3);
    assert_string_equal(
        idv_session_text(run.session, NULL, run.pool),
        "{\"id\":\"vks_1\",\"object\":\"verification_session\","
        "\"status\":\"verified\",\"type\":\"identity\","
        "\"methods\":[\"document_capture\"],\"current_method\":null,"
        "\"client_reference_id\":\"order 1\",\"return_url\":null,"
        "\"cancel_url\":null,\"client_secret\":null,\"metadata\":{},"
        "\"expires_at\":1800086400,\"completed_at\":1800000000,"
        "\"cancelled_at\":null,\"created\":1800000000,"
        "\"updated\":1800000000,\"verification_path\":null,"
        "\"active_device\":null,\"device_locked_at\":null,"
        "\"age_tier\":null,\"jurisdiction\":null,"
        "\"jurisdiction_audit_declared\":null,"
        "\"jurisdiction_audit_ip_derived\":null,"
        "\"jurisdiction_audit_resolved\":null,"
        "\"jurisdiction_audit_source\":null,"
        "\"jurisdiction_audit_mismatch\":null,"
        "\"physical_check_required\":false,\"user_message\":null,"
        "\"compliance\":null,\"requires_email_otp\":false}");
}

static void keeps_its_runner(void **state)
{
    run_t runs[] = {begin_verified(*state), begin(simple, *state),
                    begin_processing(*state)};
    run_t *run = &runs[2];

    does(run, outcome(run, IDV_METHOD_FAILED));
    for (int i = 0; i < 3; i++) {
        idv_session_t *session =
            apr_pmemdup(run->pool, runs[i].session, sizeof(*session));
        idv_session_t loaded = {0};
        const char *before, *after;

        session->reuse_terms.max_age_days = i * 30;
        session->identifiers_claimed = i > 0;
        if (i > 0) {
            session->reuse_terms.min_strength = IDV_STRENGTH_MDL;
            idv_method_list_add(&session->reuse_terms.methods,
                                IDV_METHOD_DOCUMENT_CAPTURE);
        }
        session->reuse_terms.min_assurance = (idv_assurance_t)i;
        session->runner.facts.assurance = (idv_assurance_t)i;
        session->runner.document_reused = i > 0;
        session->runner.document_traces = i;
        session->runner.held_method = i > 0 ? "document_capture" : NULL;
        before = idv_session_runner_text(session, run->pool);
        assert_non_null(parsed(before, run->pool));
        assert_null(idv_session_runner_load(before, &loaded, run->pool));
        after = idv_session_runner_text(&loaded, run->pool);
        assert_string_equal(before, after);
        assert_int_equal(loaded.ended_at, session->ended_at);
        assert_int_equal(loaded.consented_at, session->consented_at);
        assert_int_equal(loaded.reuse_terms.max_age_days, i * 30);
        assert_int_equal(loaded.identifiers_claimed, i > 0);
        assert_int_equal(loaded.reuse_terms.min_assurance, i);
        assert_int_equal(loaded.runner.facts.assurance, i);
        assert_int_equal(loaded.runner.document_reused, i > 0);
        assert_int_equal(loaded.runner.document_traces, i);
        assert_int_equal(loaded.runner.held_method != NULL, i > 0);
        assert_int_equal(loaded.reuse_terms.methods.count, i > 0);
        assert_int_equal(loaded.reuse_terms.min_strength,
                         i > 0 ? IDV_STRENGTH_MDL : IDV_STRENGTH_NONE);
    }
    assert_non_null(idv_session_runner_load(
        "{}", apr_pcalloc(run->pool, sizeof(idv_session_t)), run->pool));
}

static int says_nothing(const json_t *value)
{
    return json_is_null(value) || json_is_false(value)
        || (json_is_integer(value) && json_integer_value(value) == 0)
        || (json_is_array(value) && json_array_size(value) == 0);
}

/* As a later release may keep them. */
static void reads_runners_without_what_says_nothing(void **state)
{
    run_t runs[] = {begin_verified(*state), begin(simple, *state),
                    begin_processing(*state)};
    apr_pool_t *pool = *state;

    for (int i = 0; i < 3; i++) {
        const char *before = idv_session_runner_text(runs[i].session, pool);
        idv_session_t loaded = {0};
        json_t *kept = json_deep_copy(parsed(before, pool));
        const char *key;
        json_t *value;
        void *next;
        char *text;

        json_object_foreach_safe (kept, next, key, value)
            if (says_nothing(value))
                json_object_del(kept, key);
        text = json_dumps(kept, JSON_COMPACT);
        assert_true(strlen(text) < strlen(before) * 2 / 3);
        assert_null(idv_session_runner_load(text, &loaded, pool));
        assert_string_equal(idv_session_runner_text(&loaded, pool), before);
        free(text);
        json_decref(kept);
    }
}

static void keeps_its_compliance_and_error(void **state)
{
    idv_compliance_t rule = {.age_tier = IDV_TIER_MIN_AGE_21,
                             .required_age = 19,
                             .mdl_acceptance = IDV_MDL_ACCEPTANCE_SUPPLEMENTARY,
                             .physical_check_required = 1,
                             .rule_version = "2026-01"};
    idv_compliance_t loaded;
    idv_session_error_t error = {"a", "b", "technical_error"}, read;
    apr_pool_t *pool = *state;

    assert_null(idv_session_compliance_load(
        idv_session_compliance_text(&rule, pool), &loaded, pool));
    assert_int_equal(loaded.age_tier, rule.age_tier);
    assert_int_equal(loaded.required_age, 19);
    assert_int_equal(loaded.mdl_acceptance, rule.mdl_acceptance);
    assert_null(loaded.governing_regulator);
    assert_string_equal(loaded.rule_version, "2026-01");
    assert_null(idv_session_compliance_load(NULL, &loaded, pool));
    assert_int_equal(loaded.age_tier, IDV_TIER_NONE);
    assert_null(idv_session_error_load(
        idv_session_error_text(&error, pool), &read, pool));
    assert_string_equal(read.category, "technical_error");
    assert_null(idv_session_error_load(NULL, &read, pool));
    assert_null(read.code);
}

/* And of every other one as before. */
static void keeps_nothing_of_a_rule_that_says_nothing(void **state)
{
    const idv_compliance_t nothing = {0};
    idv_compliance_t rules[10] = {{0}};

    rules[0].age_tier = IDV_TIER_MIN_AGE_18;
    rules[1].required_age = 1;
    rules[2].born_before = "2009-01-01";
    rules[3].mdl_acceptance = IDV_MDL_ACCEPTANCE_FULL;
    rules[4].physical_check_required = 1;
    rules[5].governing_regulator = "";
    rules[6].rule_version = "";
    rules[7].credential_validity_days = 1;
    rules[8].credential_validity_minutes = 1;
    rules[9].as_of = "2026-01-31";
    assert_null(idv_session_compliance_text(&nothing, *state));
    for (int i = 0; i < 10; i++)
        assert_non_null(idv_session_compliance_text(&rules[i], *state));
}

/* The keys of OBJECT, each followed by a space. */
static const char *keys_of(const json_t *object, apr_pool_t *pool)
{
    char *keys = apr_pcalloc(pool, 4096);
    const char *key;
    const json_t *value;

    json_object_foreach ((json_t *)object, key, value)
        strcat(strcat(keys, key), " ");
    return keys;
}

static void shows_exactly_the_fields_of_the_interface(void **state)
{
    run_t run = begin_verified(*state);
    idv_session_view_t view = {.client_secret = "vks_1_secret_x",
                               .expand_results = 1,
                               .show_delivery = 1,
                               .ip_jurisdiction = "DE"};
    json_t *plain = parsed(idv_session_text(run.session, NULL, run.pool), run.pool);
    json_t *full = parsed(idv_session_text(run.session, &view, run.pool), run.pool);

    assert_string_equal(
        keys_of(plain, run.pool),
        "id object status type methods current_method client_reference_id "
        "return_url cancel_url client_secret metadata expires_at completed_at "
        "cancelled_at created updated verification_path active_device "
        "device_locked_at age_tier jurisdiction jurisdiction_audit_declared "
        "jurisdiction_audit_ip_derived jurisdiction_audit_resolved "
        "jurisdiction_audit_source jurisdiction_audit_mismatch "
        "physical_check_required user_message compliance requires_email_otp ");
    assert_true(json_is_null(json_object_get(plain, "client_secret")));
    assert_true(json_is_null(json_object_get(plain, "compliance")));
    assert_int_equal(
        json_integer_value(json_object_get(plain, "completed_at")),
        idv_time_seconds(NOW));
    assert_string_equal(member(full, "client_secret"), "vks_1_secret_x");
    assert_int_equal(json_array_size(json_object_get(full, "results")), 1);
    assert_string_equal(member(full, "ip_jurisdiction"), "DE");
    assert_true(json_is_false(json_object_get(full, "jurisdiction_mismatch")));
    assert_string_equal(
        keys_of(event_object(&run), run.pool),
        "id object status type client_reference_id current_method age_tier "
        "jurisdiction jurisdiction_audit_declared "
        "jurisdiction_audit_ip_derived jurisdiction_audit_resolved "
        "jurisdiction_audit_source jurisdiction_audit_mismatch "
        "verification_path workflow_version_id livemode completed_at created "
        "verification_result last_error ");
}

static void shows_why_a_session_failed(void **state)
{
    run_t run = begin_processing(*state);
    json_t *shown, *error;

    does(&run, outcome(&run, IDV_METHOD_FAILED));
    shown = parsed(idv_session_text(run.session, NULL, run.pool), run.pool);
    assert_string_equal(member(shown, "status"), "requires_input");
    assert_null(json_object_get(shown, "last_error"));
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_FAILED));
    shown = parsed(idv_session_text(run.session, NULL, run.pool), run.pool);
    assert_string_equal(member(shown, "status"), "failed");
    assert_non_null(strstr(
        idv_session_text(run.session, NULL, run.pool),
        ",\"requires_email_otp\":false,\"last_error\":{\"code\":"));
    error = json_object_get(shown, "last_error");
    assert_string_equal(keys_of(error, run.pool), "code message category ");
    assert_string_equal(member(error, "code"), "document_expired");
    assert_true(json_equal(
        error, json_object_get(event_object(&run), "last_error")));
}

static void shows_the_widget_view(void **state)
{
    run_t run = begin_processing(*state);
    idv_session_widget_t extra = {.vp_token = "vpt_x"};
    json_t *view;

    does(&run, outcome(&run, IDV_METHOD_FAILED));
    view = parsed(idv_session_widget_text(run.session, run.workflow, &extra,
                                          run.pool),
                  run.pool);
    assert_string_equal(
        keys_of(view, run.pool),
        "object id status type revision current_method methods steps statement "
        "passive_checks consent_required consented requires_email_otp "
        "trust_reuse_available "
        "attempts_remaining "
        "hint hint_side checks_failed last_error user_message return_url cancel_url "
        "expires_at review device active_device handoff passport_apps jurisdiction "
        "organization_name brand liveness_provider kept_days "
        "review_possible parts_received passkey vp_token ");
    assert_int_equal(json_array_size(json_object_get(view, "methods")), 1);
    assert_int_equal(
        json_integer_value(json_object_get(view, "attempts_remaining")), 1);
    assert_string_equal(member(json_object_get(view, "last_error"), "code"),
                        "document_expired");
    assert_true(json_is_null(json_object_get(view, "vp_token")));
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    view = parsed(idv_session_widget_text(run.session, run.workflow, &extra,
                                          run.pool),
                  run.pool);
    assert_string_equal(member(view, "vp_token"), "vpt_x");
    assert_true(json_is_null(json_object_get(view, "attempts_remaining")));
}

/* The steps of the widget's view, "+" before those that are done. */
static const char *steps_of(const run_t *run)
{
    const json_t *view = parsed(
        idv_session_widget_text(run->session, run->workflow, NULL, run->pool),
        run->pool);
    const json_t *step, *method;
    const char *text = "";
    size_t i, k;

    json_array_foreach (json_object_get(view, "steps"), i, step) {
        text = apr_pstrcat(run->pool, text,
                           json_is_true(json_object_get(step, "done")) ? "+"
                                                                       : "",
                           NULL);
        json_array_foreach (json_object_get(step, "methods"), k, method)
            text = apr_pstrcat(run->pool, text, k > 0 ? "|" : "",
                               json_string_value(method), NULL);
        text = apr_pstrcat(run->pool, text, " ", NULL);
    }
    return text;
}

static void plans_the_whole_way(void **state)
{
    run_t run = begin(definition, *state);
    idv_session_t *session = apr_pmemdup(run.pool, run.session,
                                         sizeof(*session));

    assert_string_equal(steps_of(&run),
                        "mdl|document_capture selfie_liveness selfie_match ");
    /* What the law takes out is no choice any more; where nothing is left, the
     * node is no step. */
    session->methods = (idv_method_list_t){
        3, {IDV_METHOD_DOCUMENT_CAPTURE, IDV_METHOD_SELFIE_LIVENESS,
            IDV_METHOD_SELFIE_MATCH}};
    session->require_email_otp = 1;
    run.session = session;
    assert_string_equal(steps_of(&run), "email_otp document_capture "
                                        "selfie_liveness selfie_match ");
    session->email_otp_proven = 1;
    session->methods.count = 2;
    assert_string_equal(steps_of(&run), "+email_otp document_capture ");
}

static void keeps_what_was_done_in_the_plan(void **state)
{
    run_t run = begin(definition, *state);

    does(&run, open_widget);
    does(&run, checks_result(IDV_RISK_MEDIUM));
    assert_string_equal(steps_of(&run),
                        "mdl|document_capture selfie_liveness selfie_match ");
    does(&run, approve);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_string_equal(steps_of(&run),
                        "+document_capture selfie_liveness selfie_match ");
    submit(&run, IDV_METHOD_SELFIE_LIVENESS);
    assert_string_equal(steps_of(&run),
                        "+document_capture selfie_liveness selfie_match ");
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_string_equal(steps_of(&run),
                        "+document_capture +selfie_liveness selfie_match ");
}

static const char second_chance[] =
    "{\"name\":\"N\",\"start\":\"first\",\"nodes\":{"
    "\"first\":{\"type\":\"methods\",\"methods\":[\"mdl\"],\"max_attempts\":1,"
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"second\"}},"
    "\"second\":{\"type\":\"methods\",\"methods\":[\"document_capture\"],"
    "\"max_attempts\":1,\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* Whose two exits lead to one node: the way alone does not tell what was passed. */
static const char both_ways[] =
    "{\"name\":\"N\",\"start\":\"first\",\"nodes\":{"
    "\"first\":{\"type\":\"methods\",\"methods\":[\"mdl\",\"document_capture\"],"
    "\"max_attempts\":1,"
    "\"next\":{\"passed\":\"second\",\"exhausted\":\"second\"}},"
    "\"second\":{\"type\":\"methods\",\"methods\":[\"mdl\",\"document_capture\"],"
    "\"max_attempts\":1,\"next\":{\"passed\":\"third\",\"exhausted\":\"no\"}},"
    "\"third\":{\"type\":\"methods\",\"methods\":[\"selfie_liveness\"],"
    "\"max_attempts\":1,\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

static void calls_nothing_done_that_was_not_passed(void **state)
{
    run_t run = begin(both_ways, *state);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_MDL);
    does(&run, outcome(&run, IDV_METHOD_FAILED));
    assert_string_equal(steps_of(&run),
                        "mdl|document_capture selfie_liveness ");
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_string_equal(steps_of(&run), "+document_capture selfie_liveness ");
}

static void tells_each_step_by_its_own_result(void **state)
{
    run_t run = begin(both_ways, *state);

    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_DOCUMENT_CAPTURE);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    submit(&run, IDV_METHOD_MDL);
    does(&run, outcome(&run, IDV_METHOD_PASSED));
    assert_string_equal(steps_of(&run),
                        "+document_capture +mdl selfie_liveness ");
}

/* A way of the release before, which kept no methods. */
static void tells_of_a_former_way_what_its_exits_do(void **state)
{
    run_t run = begin(both_ways, *state);
    idv_session_t *session = apr_pmemdup(run.pool, run.session,
                                         sizeof(*session));

    session->runner.node = "third";
    session->runner.way = "[[\"first\",1],[\"second\",2],[\"third\",3]]";
    run.session = session;
    assert_string_equal(steps_of(&run),
                        "+mdl|document_capture selfie_liveness ");
}

static void counts_once_what_takes_the_place_of_another(void **state)
{
    run_t run = begin(second_chance, *state);

    assert_string_equal(steps_of(&run), "mdl ");
    does(&run, open_widget);
    does(&run, consent);
    submit(&run, IDV_METHOD_MDL);
    does(&run, outcome(&run, IDV_METHOD_FAILED));
    assert_string_equal(steps_of(&run), "document_capture ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(plans_the_whole_way),
        pooled_test(calls_nothing_done_that_was_not_passed),
        pooled_test(tells_each_step_by_its_own_result),
        pooled_test(tells_of_a_former_way_what_its_exits_do),
        pooled_test(keeps_what_was_done_in_the_plan),
        pooled_test(counts_once_what_takes_the_place_of_another),
        pooled_test(mints_credentials),
        pooled_test(has_a_version_of_its_text),
        pooled_test(keeps_its_runner),
        pooled_test(reads_runners_without_what_says_nothing),
        pooled_test(keeps_its_compliance_and_error),
        pooled_test(keeps_nothing_of_a_rule_that_says_nothing),
        pooled_test(shows_exactly_the_fields_of_the_interface),
        pooled_test(shows_why_a_session_failed),
        pooled_test(shows_the_widget_view),
    };

    return unit_run("domain/session", tests);
}
