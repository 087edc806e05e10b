/* SPDX-License-Identifier: Apache-2.0 */
/* Session creation: every parameter's rule with its path, and the order in
 * which a creation is refused. */
#include "unit/unit.h"

#include <apr_strings.h>

#include "domain/session/credential.h"
#include "domain/session/session_risk.h"
#include "domain/transition/session_create.h"
#include "domain/workflow/workflow_compile.h"

#define NOW ((idv_time_t)1800000000 * IDV_SECOND)

static const char definition[] =
    "{\"name\":\"N\",\"session_types\":[\"identity\",\"age\"],"
    "\"use_case\":\"alcohol_delivery\",\"jurisdictions\":[\"US\",\"DE\"],"
    "\"required_age_tier\":\"min_age_16\",\"expires_after_seconds\":600,"
    "\"start\":\"id\",\"nodes\":{"
    "\"id\":{\"type\":\"methods\",\"methods\":[\"mdl\",\"document_capture\"],"
    "\"next\":{\"passed\":\"yes\",\"exhausted\":\"no\"}},"
    "\"yes\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"no\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

static const idv_session_create_caller_t live = {.sandbox = 0};
static const idv_session_create_caller_t sandbox = {.sandbox = 1};
static const idv_session_create_caller_t browser = {.publishable_key = 1};
static const idv_session_create_caller_t blocked = {
    .publishable_key = 1, .publishable_create_blocked = 1};

static json_t *parse_json(const char *text, apr_pool_t *pool)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);

    if (!json)
        fail_msg("test data is no JSON: %s", text);
    return idv_json_own(json, pool);
}

/* The body with type, workflow_id and REST ("" or ",..."). */
static json_t *body(const char *rest, apr_pool_t *pool)
{
    return parse_json(apr_pstrcat(pool, "{\"type\":\"age\",",
                                  "\"workflow_id\":\"wf_1\"", rest, "}", NULL),
                      pool);
}

static idv_session_create_params_t *accepts(const char *rest,
                                            apr_pool_t *pool)
{
    idv_session_create_params_t *params;
    idv_error_t *error =
        idv_session_create_parse(body(rest, pool), &sandbox, &params, pool);

    if (error)
        fail_msg("%s was refused: %s", rest, error->message);
    return params;
}

static void reads_every_parameter(void **state)
{
    apr_pool_t *pool = *state;
    const idv_session_create_params_t *params = accepts(
        ",\"return_url\":\"https://example.com/r\","
        "\"cancel_url\":\"http://localhost/c\",\"client_reference_id\":\"r1\","
        "\"metadata\":{\"order\":\"7\"},\"jurisdiction\":\"us-ca\","
        "\"custom_user_message\":\"Hello\",\"email\":\" A@Example.COM \","
        "\"phone\":\"+1 555 010 9988\",\"accept_existing\":true,"
        "\"min_strength\":\"mdl\",\"max_age\":\"30d\","
        "\"required_methods\":[\"mdl\",\"selfie_match\"],"
        "\"credential_hash\":\"h\",\"delivery_jurisdiction\":\"GB\","
        "\"vp_token\":\"t\",\"skip_verification\":true,"
        "\"captcha_token\":\"c\"", pool);

    assert_int_equal(params->type, IDV_SESSION_TYPE_AGE);
    assert_string_equal(params->workflow_id, "wf_1");
    assert_string_equal(params->return_url, "https://example.com/r");
    assert_string_equal(params->cancel_url, "http://localhost/c");
    assert_string_equal(params->client_reference_id, "r1");
    assert_int_equal(json_object_size(params->metadata), 1);
    assert_string_equal(params->jurisdiction, "US-CA");
    assert_string_equal(params->custom_user_message, "Hello");
    assert_string_equal(params->email, "a@example.com");
    assert_string_equal(params->phone, "+15550109988");
    assert_true(params->accept_existing);
    assert_int_equal(params->min_strength, IDV_STRENGTH_MDL);
    assert_int_equal(params->max_age_days, 30);
    assert_int_equal(params->required_methods.count, 2);
    assert_string_equal(params->credential_hash, "h");
    assert_string_equal(params->delivery_jurisdiction, "GB");
    assert_string_equal(params->vp_token, "t");
    assert_true(params->skip_verification);
    assert_string_equal(params->captcha_token, "c");
}

static void names_the_bad_parameter(void **state)
{
    static const struct {
        const char *rest;
        const char *param;
    } cases[] = {
        {",\"return_url\":\"http://example.com/\"", "return_url"},
        {",\"return_url\":\"\"", "return_url"},
        {",\"cancel_url\":7", "cancel_url"},
        {",\"cancel_url\":\"javascript:alert(1)\"", "cancel_url"},
        {",\"client_reference_id\":\"\"", "client_reference_id"},
        {",\"client_reference_id\":1", "client_reference_id"},
        {",\"metadata\":[1]", "metadata"},
        {",\"metadata\":{\"a\":\"b\",\"order\":1}", "metadata.order"},
        {",\"metadata\":{\"\":\"x\"}", "metadata"},
        {",\"jurisdiction\":\"Mars\"", "jurisdiction"},
        {",\"jurisdiction\":[\"US\"]", "jurisdiction"},
        {",\"custom_user_message\":1", "custom_user_message"},
        {",\"email\":\"nobody\"", "email"},
        {",\"email\":\"\"", "email"},
        {",\"phone\":\"0170 1234567\"", "phone"},
        {",\"phone\":15550109988", "phone"},
        {",\"accept_existing\":\"true\"", "accept_existing"},
        {",\"accept_existing\":true", "accept_existing"},
        {",\"min_strength\":\"MDL\"", "min_strength"},
        {",\"min_strength\":3", "min_strength"},
        {",\"min_strenght\":\"mdl\"", "min_strenght"},
        {",\"max_age\":\"30\"", "max_age"},
        {",\"max_age\":30", "max_age"},
        {",\"required_methods\":\"mdl\"", "required_methods"},
        {",\"required_methods\":[]", "required_methods"},
        {",\"required_methods\":[\"mdl\",\"x\"]", "required_methods[1]"},
        {",\"required_methods\":[\"mdl\",\"mdl\"]", "required_methods[1]"},
        {",\"credential_hash\":\"\"", "credential_hash"},
        {",\"delivery_jurisdiction\":\"X\"", "delivery_jurisdiction"},
        {",\"vp_token\":{}", "vp_token"},
        {",\"skip_verification\":1", "skip_verification"},
        {",\"captcha_token\":false", "captcha_token"},
        {",\"methods\":[\"mdl\"]", "methods"},
        {",\"status\":\"verified\"", "status"},
        /* the first in the order of the document */
        {",\"phone\":1,\"email\":1", "phone"},
        {",\"email\":1,\"phone\":1", "email"},
        {",\"zzz\":1,\"email\":1", "zzz"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_session_create_params_t *params;
        idv_error_t *error = idv_session_create_parse(
            body(cases[i].rest, pool), &sandbox, &params, pool);

        if (!error)
            fail_msg("%s was accepted", cases[i].rest);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        assert_string_equal(error->param, cases[i].param);
        assert_null(params);
    }
}

static idv_error_t *parse(const char *text,
                          const idv_session_create_caller_t *caller,
                          apr_pool_t *pool)
{
    idv_session_create_params_t *params;

    return idv_session_create_parse(parse_json(text, pool), caller, &params,
                                    pool);
}

static void limits_lengths_in_characters(void **state)
{
    static const struct {
        const char *name;
        int max;
    } limits[] = {{"client_reference_id", 255}, {"custom_user_message", 500}};
    apr_pool_t *pool = *state;
    idv_session_create_params_t *params;

    for (int i = 0; i < 2; i++) {
        json_t *json = body("", pool);
        char *text = apr_pcalloc(pool, 2 * 501 + 1);

        for (int k = 0; k < limits[i].max; k++)
            memcpy(text + 2 * k, "\xc3\xa4", 2);
        json_object_set_new(json, limits[i].name, json_string(text));
        assert_null(idv_session_create_parse(json, &live, &params, pool));
        json_object_set_new(json, limits[i].name,
                            json_string(strcat(text, "x")));
        assert_string_equal(
            idv_session_create_parse(json, &live, &params, pool)->param,
            limits[i].name);
    }
}

static void requires_the_required(void **state)
{
    apr_pool_t *pool = *state;

    assert_string_equal(parse("{}", &live, pool)->param, "type");
    assert_string_equal(parse("{\"type\":\"age\"}", &live, pool)->param,
                        "workflow_id");
    assert_string_equal(parse("{\"workflow_id\":\"wf_1\"}", &live, pool)->param,
                        "type");
    assert_string_equal(parse("{\"type\":\"face\"}", &live, pool)->param,
                        "type");
    assert_string_equal(parse("{\"type\":null}", &live, pool)->param, "type");
    assert_string_equal(
        parse("{\"type\":\"age\",\"workflow_id\":\"\"}", &live, pool)->param,
        "workflow_id");
    assert_null(parse("[]", &live, pool)->param);
}

static void knows_who_may_ask(void **state)
{
    apr_pool_t *pool = *state;
    const char *good = "{\"type\":\"age\",\"workflow_id\":\"wf_1\"}";
    const char *skip = "{\"skip_verification\":true,\"type\":\"age\","
                       "\"workflow_id\":\"wf_1\"}";
    const char *no_skip = "{\"skip_verification\":false,\"type\":\"age\","
                          "\"workflow_id\":\"wf_1\"}";
    const char *captcha = "{\"captcha_token\":\"c\",\"type\":\"age\","
                          "\"workflow_id\":\"wf_1\"}";

    assert_int_equal(parse("{}", &blocked, pool)->code,
                     IDV_E_PUBLISHABLE_SESSION_CREATE_BLOCKED);
    assert_int_equal(parse(good, &browser, pool)->code, IDV_E_CAPTCHA_REQUIRED);
    assert_null(parse(captcha, &browser, pool));
    assert_string_equal(parse(skip, &live, pool)->param, "skip_verification");
    assert_null(parse(no_skip, &live, pool));
    assert_null(parse(skip, &sandbox, pool));
}

static void look_up_rule(const void *baton,
                         const idv_compliance_question_t *question,
                         idv_compliance_t *out, apr_pool_t *pool)
{
    (void)pool;
    assert_string_equal(question->jurisdiction, "US-CA");
    assert_int_equal(question->use_case, IDV_USE_CASE_ALCOHOL_DELIVERY);
    assert_true(idv_date_is_complete(question->day));
    *out = *(const idv_compliance_t *)baton;
}

static idv_session_create_context_t context(apr_pool_t *pool)
{
    idv_session_create_context_t made = {
        .session_id = "vks_1",
        .organization_id = "org_1",
        .caller = &live,
        .workflow_id = "wf_1",
        .workflow_version_id = "wfv_1",
        .standing = {.has_webhook_endpoint = 1,
                     .account = {.credit_balance = 1}},
    };
    idv_workflow_t *workflow;
    apr_array_header_t *faults;

    idv_workflow_compile(parse_json(definition, pool), &workflow, &faults,
                         pool);
    assert_non_null(workflow);
    made.workflow = workflow;
    return made;
}

static idv_error_code_t refusal(const char *rest,
                                const idv_session_create_context_t *context,
                                const char **param, apr_pool_t *pool)
{
    idv_session_change_t *change;
    idv_error_t *error = idv_session_create(accepts(rest, pool), context, NOW,
                                            &change, pool);

    assert_non_null(error);
    assert_null(change);
    *param = error->param;
    return error->code;
}

static void creates_a_session(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    idv_compliance_t rule = {.age_tier = IDV_TIER_MIN_AGE_21,
                             .required_age = 19,
                             .mdl_acceptance = IDV_MDL_ACCEPTANCE_NOT_RECOGNIZED,
                             .physical_check_required = 1,
                             .rule_version = "1"};
    idv_session_create_params_t *params =
        accepts(",\"jurisdiction\":\"US-CA\",\"custom_user_message\":\"Hello\","
                "\"delivery_jurisdiction\":\"US-NY\"", pool);
    idv_session_change_t *change;
    const idv_session_t *session;
    idv_session_view_t view;
    json_t *json;

    known.compliance = look_up_rule;
    known.compliance_baton = &rule;
    known.geo_header = "DE";
    assert_null(idv_session_create(params, &known, NOW, &change, pool));
    session = change->session;
    assert_int_equal(session->status, IDV_STATUS_CREATED);
    assert_int_equal(session->expires_at, NOW + 600 * IDV_SECOND);
    assert_int_equal(session->age_tier, IDV_TIER_MIN_AGE_21);
    assert_int_equal(session->required_age, 19);
    assert_int_equal(session->methods.count, 1);
    assert_int_equal(session->methods.items[0], IDV_METHOD_DOCUMENT_CAPTURE);
    assert_int_equal(session->jurisdiction.mismatch, 1);
    assert_true(session->livemode);
    assert_int_equal(change->event_count, 1);
    assert_int_equal(change->events[0].type, IDV_EVENT_SESSION_CREATED);
    assert_int_equal(change->effects, 0);

    idv_session_create_view(params, session, "secret", &view);
    json = idv_json_own(
        json_loads(idv_session_text(session, &view, pool), 0, NULL), pool);
    assert_string_equal(
        json_string_value(json_object_get(json, "ip_jurisdiction")), "DE");
    assert_true(json_is_true(json_object_get(json, "jurisdiction_mismatch")));
    json = json_object_get(json, "compliance");
    assert_string_equal(json_string_value(json_object_get(json, "age_tier")),
                        "min_age_21");
    assert_string_equal(
        json_string_value(json_object_get(json, "mdl_acceptance_status")),
        "not_recognized");
    assert_string_equal(
        json_string_value(json_object_get(json, "user_message")), "Hello");
}

static void skips_in_a_sandbox(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    idv_session_change_t *change;
    idv_credential_t credential;
    int minted;

    known.caller = &sandbox;
    known.standing.has_webhook_endpoint = 0;
    assert_null(idv_session_create(
        accepts(",\"skip_verification\":true,\"jurisdiction\":\"DE\"", pool),
        &known, NOW, &change, pool));
    assert_int_equal(change->session->status, IDV_STATUS_VERIFIED);
    assert_int_equal(change->session->verification_path, IDV_PATH_SANDBOX);
    assert_false(change->session->livemode);
    assert_int_equal(change->event_count, 1);
    assert_int_equal(change->events[0].type, IDV_EVENT_SESSION_VERIFIED);
    assert_true(change->effects & IDV_EFFECT_MINT_CREDENTIAL);
    assert_true(change->effects & IDV_EFFECT_COUNT_VERIFICATION);
    idv_credential_of(change->session, known.workflow, &credential, &minted);
    assert_true(minted);
    assert_int_equal(credential.method, IDV_METHOD_MDL);
    assert_int_equal(credential.age_tier, IDV_TIER_MIN_AGE_16);
}

static void refuses_in_order(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    const char *us = ",\"jurisdiction\":\"US-CA\"", *param;
    idv_compliance_t rule = {.prohibited = 1};
    const idv_workflow_t *workflow = known.workflow;

    known.billing_suspended = 1;
    known.standing.has_webhook_endpoint = 0;
    known.workflow = NULL;
    known.compliance = look_up_rule;
    known.compliance_baton = &rule;
    assert_int_equal(refusal(us, &known, &param, pool),
                     IDV_E_BILLING_SUSPENDED);
    known.billing_suspended = 0;
    known.standing.account.credit_balance = 0;
    assert_int_equal(refusal(us, &known, &param, pool),
                     IDV_E_BILLING_SUSPENDED);
    known.standing.account.free_allotment = 1;
    assert_int_equal(refusal(us, &known, &param, pool), IDV_E_WEBHOOK_REQUIRED);
    known.billing_suspended = 1;
    known.caller = &sandbox;
    assert_int_equal(refusal(us, &known, &param, pool), IDV_E_RESOURCE_MISSING);
    assert_string_equal(param, "workflow_id");
    known.workflow = workflow;
    assert_int_equal(refusal("", &known, &param, pool),
                     IDV_E_JURISDICTION_UNRESOLVABLE);
    assert_int_equal(refusal(us, &known, &param, pool),
                     IDV_E_USE_CASE_PROHIBITED);
    rule.prohibited = 0;
    known.standing.account.usage.counts[IDV_LEDGER_SANDBOX] = IDV_SANDBOX_QUOTA;
    assert_int_equal(refusal(us, &known, &param, pool),
                     IDV_E_TEST_QUOTA_EXCEEDED);
}

static void keeps_to_the_workflow(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    idv_session_create_params_t *params = accepts("", pool);
    idv_session_change_t *change;
    idv_error_t *error;
    const char *param;

    assert_int_equal(
        refusal(",\"jurisdiction\":\"FR\"", &known, &param, pool),
        IDV_E_PARAMETER_INVALID);
    assert_string_equal(param, "jurisdiction");
    known.ip_database = "FR";
    assert_int_equal(refusal("", &known, &param, pool),
                     IDV_E_JURISDICTION_UNRESOLVABLE);
    known.ip_database = "DE";
    params->type = IDV_SESSION_TYPE_STUDENT;
    error = idv_session_create(params, &known, NOW, &change, pool);
    assert_string_equal(error->param, "type");
    params->type = IDV_SESSION_TYPE_IDENTITY;
    assert_null(idv_session_create(params, &known, NOW, &change, pool));
    assert_int_equal(change->session->jurisdiction.source,
                     IDV_JURISDICTION_IP_DATABASE);
}

/* The law of "DE" is the milder one. */
static void look_up_place(const void *baton,
                          const idv_compliance_question_t *question,
                          idv_compliance_t *out, apr_pool_t *pool)
{
    (void)baton;
    (void)pool;
    out->age_tier = *question->jurisdiction == 'D' ? IDV_TIER_MIN_AGE_16
                                         : IDV_TIER_MIN_AGE_21;
}

static void believes_no_browser(void **state)
{
    static const struct {
        const char *declared, *geo_header, *ip_database, *resolved;
        idv_jurisdiction_source_t source;
        int mismatch;
    } cases[] = {
        {"DE", "US-CA", "DE", "US-CA", IDV_JURISDICTION_GEO_HEADER, 1},
        {"DE", NULL, "US-CA", "US-CA", IDV_JURISDICTION_IP_DATABASE, 1},
        {"US-CA", "DE", NULL, "US-CA", IDV_JURISDICTION_EXPLICIT, 1},
        {"US-CA", "US-NV", NULL, "US-CA", IDV_JURISDICTION_EXPLICIT, 1},
        {"DE", "DE", "US", "DE", IDV_JURISDICTION_EXPLICIT, 0},
        {"DE", NULL, NULL, "DE", IDV_JURISDICTION_EXPLICIT, -1},
    };
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    idv_session_create_params_t *params = accepts("", pool);
    idv_session_change_t *change;
    const idv_session_t *session;

    known.standing.has_webhook_endpoint = 1;
    known.compliance = look_up_place;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        params->jurisdiction = cases[i].declared;
        known.geo_header = cases[i].geo_header;
        known.ip_database = cases[i].ip_database;
        known.caller = &browser;
        assert_null(idv_session_create(params, &known, NOW, &change, pool));
        session = change->session;
        assert_string_equal(session->jurisdiction.resolved, cases[i].resolved);
        assert_int_equal(session->jurisdiction.source, cases[i].source);
        assert_string_equal(session->jurisdiction.declared, cases[i].declared);
        assert_int_equal(session->jurisdiction.mismatch, cases[i].mismatch);
        assert_int_equal(session->age_tier, *cases[i].resolved == 'D'
                                                ? IDV_TIER_MIN_AGE_16
                                                : IDV_TIER_MIN_AGE_21);
        assert_int_equal(idv_session_is_elsewhere(session),
                         cases[i].mismatch > 0);
        assert_false(idv_session_email_stands(session));
        assert_false(idv_session_phone_stands(session));
        known.caller = &live;
        assert_null(idv_session_create(params, &known, NOW, &change, pool));
        session = change->session;
        assert_string_equal(session->jurisdiction.resolved, cases[i].declared);
        assert_false(idv_session_is_elsewhere(session));
        assert_true(idv_session_email_stands(session));
        assert_true(idv_session_phone_stands(session));
    }
}

static void answers_reuse_as_for_a_stranger(void **state)
{
    apr_pool_t *pool = *state;
    idv_session_create_context_t known = context(pool);
    idv_workflow_t proving = *known.workflow;
    const char *existing = ",\"accept_existing\":true,\"phone\":\"+15550109988\"";
    const char *param;

    known.geo_header = "DE";
    assert_int_equal(refusal(",\"vp_token\":\"t\"", &known, &param, pool),
                     IDV_E_VP_TOKEN_INVALID);
    assert_int_equal(refusal(",\"credential_hash\":\"t\"", &known, &param, pool),
                     IDV_E_NO_MATCHING_VP);
    known.lookups.accept_existing_attempts = IDV_ACCEPT_EXISTING_ATTEMPTS_MAX;
    assert_int_equal(refusal(existing, &known, &param, pool),
                     IDV_E_NO_MATCHING_VP);
    proving.require_email_otp = 1;
    known.workflow = &proving;
    assert_int_equal(refusal(existing, &known, &param, pool),
                     IDV_E_EMAIL_NOT_VERIFIED);
    known.lookups.accept_existing_attempts++;
    assert_int_equal(refusal(existing, &known, &param, pool),
                     IDV_E_ACCEPT_EXISTING_RATE_LIMITED);
    known.lookups.accept_existing_attempts = 0;
    known.lookups.trust_reuse_retry_after = 60;
    assert_int_equal(refusal(existing, &known, &param, pool),
                     IDV_E_ACCEPT_EXISTING_RATE_LIMITED);
    assert_int_equal(refusal(",\"email\":\"a@example.com\"", &known, &param,
                             pool),
                     IDV_E_ACCEPT_EXISTING_RATE_LIMITED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(reads_every_parameter),
        pooled_test(names_the_bad_parameter),
        pooled_test(limits_lengths_in_characters),
        pooled_test(requires_the_required),
        pooled_test(knows_who_may_ask),
        pooled_test(creates_a_session),
        pooled_test(skips_in_a_sandbox),
        pooled_test(refuses_in_order),
        pooled_test(keeps_to_the_workflow),
        pooled_test(believes_no_browser),
        pooled_test(answers_reuse_as_for_a_stranger),
    };

    return unit_run("domain/session_create", tests);
}
