/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/risk_data.h"

static idv_risk_assessment_t assess(const idv_risk_facts_t *facts,
                                    apr_pool_t *pool)
{
    idv_risk_assessment_t assessment;

    idv_risk_assess(idv_risk_policy_default(), facts, &assessment, pool);
    return assessment;
}

static int fired(const idv_risk_assessment_t *assessment,
                 idv_risk_signal_t signal)
{
    return assessment->fired[signal] > 0;
}

static int judged(const idv_risk_assessment_t *assessment)
{
    int count = 0;

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        count += assessment->fired[i] >= 0;
    return count;
}

static void judges_only_what_is_known(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    assessment = assess(&facts, *state);
    assert_int_equal(judged(&assessment), 0);
    assert_int_equal(assessment.score, 0);
    assert_int_equal(assessment.level, IDV_RISK_LOW);
    assert_string_equal(idv_risk_tier(&assessment), "clear");
    facts.seen[IDV_RISK_KIND_EMAIL] = 1;
    facts.email_free = 1;
    facts.email_disposable = 0;
    assessment = assess(&facts, *state);
    assert_int_equal(judged(&assessment), 3);
    assert_int_equal(assessment.score, 5);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_EMAIL_FREE));
}

static void adds_points_up_to_levels(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.email_disposable = 1;
    assessment = assess(&facts, *state);
    assert_int_equal(assessment.score, 45);
    assert_int_equal(assessment.level, IDV_RISK_MEDIUM);
    assert_string_equal(idv_risk_tier(&assessment), "review");
    facts.ip_hosting = facts.ip_tor = 1;
    assessment = assess(&facts, *state);
    assert_int_equal(assessment.score, IDV_RISK_SCORE_MAX);
    assert_int_equal(assessment.level, IDV_RISK_HIGH);
    assert_string_equal(idv_risk_tier(&assessment), "block");
    assert_string_equal(idv_risk_recommendation(assessment.level), "block");
    idv_risk_facts_init(&facts);
    facts.automated = 1;
    assessment = assess(&facts, *state);
    assert_string_equal(idv_risk_tier(&assessment), "bot");
    facts.automated = 0;
    facts.webdriver = 1;
    assessment = assess(&facts, *state);
    assert_string_equal(idv_risk_tier(&assessment), "bot");
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_WEBDRIVER));
}

static void says_what_it_saw(void **state)
{
    static const char expected[] =
        "{\"id\":\"rsk_1\",\"object\":\"risk_assessment\",\"risk_score\":30,"
        "\"risk_level\":\"medium\",\"recommendation\":\"review\","
        "\"triggered_signals\":[\"email_velocity\"],\"reasons\":[\"The e-mail "
        "address was assessed unusually "
        "often.\"],\"signal_details\":[{\"name\":"
        "\"email_free\",\"triggered\":false,\"points\":0,\"reason\":\"Nothing "
        "unusual.\",\"metadata\":{}},{\"name\":\"email_velocity\","
        "\"triggered\":"
        "true,\"points\":30,\"reason\":\"The e-mail address was assessed "
        "unusually often.\",\"metadata\":{\"count\":6,\"limit\":5,"
        "\"window_seconds\":3600}}],\"created\":7}";
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.email_free = 0;
    facts.seen[IDV_RISK_KIND_EMAIL] = 6;
    assessment = assess(&facts, *state);
    assert_string_equal(
        idv_risk_assessment_text("rsk_1", 7 * IDV_SECOND, &assessment, *state),
        expected);
}

static void counts_to_the_limit(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;
    const idv_risk_policy_t *policy = idv_risk_policy_default();

    idv_risk_facts_init(&facts);
    facts.seen[IDV_RISK_KIND_PHONE] =
        policy->velocity_limit[IDV_RISK_KIND_PHONE];
    facts.device_persons = policy->device_persons - 1;
    assessment = assess(&facts, *state);
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_PHONE_VELOCITY));
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_DEVICE_SHARED));
    facts.seen[IDV_RISK_KIND_PHONE]++;
    facts.device_persons++;
    assessment = assess(&facts, *state);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_PHONE_VELOCITY));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DEVICE_SHARED));
}

static void compares_countries(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.claimed = "US-CA";
    facts.ip_country = "US";
    facts.document = "US-MD";
    facts.required = "US";
    facts.phone = "+12025550123";
    assessment = assess(&facts, *state);
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_CLAIM_MISMATCH));
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_JURISDICTION_MISMATCH));
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_PHONE_COUNTRY_MISMATCH));
    facts.ip_country = "DE";
    facts.phone = "+4930123456";
    assessment = assess(&facts, *state);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_IP_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_JURISDICTION_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_PHONE_COUNTRY_MISMATCH));
}

static void knows_numbering_plans(void **state)
{
    static const struct {
        const char *phone;
        int implausible;
    } cases[] = {
        {"+12025550123", 0}, {"+1202555012", 1},  {"+11025550123", 1},
        {"+12021550123", 1}, {"+33123456789", 0}, {"+331234567", 1},
        {"+4930123456", 0},  {"+21012345678", 1}, {"+819012345678", 0},
        {"+99912345678", 1}, {"+3912345", 0},     {"+6591234567", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_risk_facts_t facts;
        idv_risk_assessment_t assessment;

        idv_risk_facts_init(&facts);
        facts.phone = cases[i].phone;
        assessment = assess(&facts, *state);
        assert_int_equal(fired(&assessment, IDV_RISK_SIGNAL_PHONE_IMPLAUSIBLE),
                         cases[i].implausible);
    }
}

static void knows_programs(void **state)
{
    (void)state;
    assert_true(idv_user_agent_is_automated(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like "
        "Gecko) HeadlessChrome/120.0.0.0 Safari/537.36"));
    assert_true(idv_user_agent_is_automated("python-requests/2.31"));
    assert_true(idv_user_agent_is_automated(
        "Mozilla/5.0 (compatible; Specimenbot/2.1; +https://bot.example)"));
    assert_false(idv_user_agent_is_automated(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, "
        "like Gecko) Chrome/120.0.0.0 Safari/537.36"));
    assert_false(idv_user_agent_is_automated(
        "Mozilla/5.0 (Linux; Android 14; CUBOT X70) Chrome/120.0 Mobile"));
    assert_false(idv_user_agent_is_automated(""));
}

static void reads_policies_strictly(void **state)
{
    static const struct {
        const char *pointer, *value;
    } faults[] = {
        {"thresholds", "{\"medium\":70,\"high\":30}"},
        {"thresholds", "{\"medium\":30,\"high\":101}"},
        {"thresholds", "{\"medium\":30}"},
        {"velocity", "{\"window_seconds\":1}"},
        {"device", "[]"},
        {"signals", "{}"},
        {"unknown", "1"},
    };
    idv_risk_policy_t policy;
    apr_pool_t *pool = *state;

    assert_null(idv_risk_policy_read("conf/risk.json", &policy, pool));
    assert_memory_equal(&policy, idv_risk_policy_default(), sizeof(policy));
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        json_t *json =
            idv_json_own(json_load_file("conf/risk.json", 0, NULL), pool);

        json_object_set_new(json, faults[i].pointer,
                            json_loads(faults[i].value, JSON_DECODE_ANY, NULL));
        assert_non_null(idv_risk_policy_load(json, &policy, pool));
    }
    assert_non_null(idv_risk_policy_read("conf/none.json", &policy, pool));
}

/* An administrator learns in one go what a policy of before lacks. */
static void names_what_policies_lack(void **state)
{
    apr_pool_t *pool = *state;
    json_t *json =
        idv_json_own(json_load_file("conf/risk.json", 0, NULL), pool);
    json_t *signals = json_object_get(json, "signals");
    idv_risk_policy_t policy;
    const char *fault;

    json_object_set_new(signals, "unheard_of", json_integer(1));
    fault = idv_risk_policy_load(json, &policy, pool)->detail;
    assert_non_null(strstr(fault, "/signals/: has members that nobody knows"));
    json_object_del(json, "vp_token");
    json_object_del(signals, "document_reused");
    json_object_set_new(signals, "vp_token_velocity", json_integer(101));
    fault = idv_risk_policy_load(json, &policy, pool)->detail;
    assert_non_null(strstr(fault, "/vp_token: is missing; "));
    assert_non_null(strstr(fault, "/signals/document_reused: is missing"));
    assert_non_null(strstr(fault, "/signals/vp_token_velocity: must be a whole "
                                  "number from 0 to 100"));
}

static idv_error_t *read_domains(const char *list,
                                 const idv_email_domains_t **domains,
                                 apr_pool_t *pool)
{
    char path[] = "/tmp/domains-XXXXXX";
    int file = mkstemp(path);
    idv_error_t *error;

    assert_true(file >= 0);
    assert_int_equal(write(file, list, strlen(list)), strlen(list));
    close(file);
    error = idv_email_domains_read(path, domains, pool, pool);
    unlink(path);
    return error;
}

static void finds_domains_below(void **state)
{
    const idv_email_domains_t *domains;

    assert_null(read_domains("[\"z.example\", \"mail.example\", \"b.example\"]",
                             &domains, *state));
    assert_true(idv_email_domain_is_listed(domains, "mail.example"));
    assert_true(idv_email_domain_is_listed(domains, "a.b.mail.example"));
    assert_true(idv_email_domain_is_listed(domains, "z.example"));
    assert_false(idv_email_domain_is_listed(domains, "xmail.example"));
    assert_false(idv_email_domain_is_listed(domains, "example"));
    assert_null(read_domains("[]", &domains, *state));
    assert_false(idv_email_domain_is_listed(domains, "mail.example"));
}

static void judges_addresses_by_lists(void **state)
{
    idv_risk_data_t data = {0};
    idv_risk_facts_t facts;

    idv_risk_facts_init(&facts);
    idv_risk_judge_email(&data, "a@mail.example", &facts);
    assert_int_equal(facts.email_disposable, -1);
    assert_int_equal(facts.email_free, -1);
    assert_null(read_domains("[\"mail.example\", \"gone.example\"]",
                             &data.free_domains, *state));
    assert_null(read_domains("[\"gone.example\"]", &data.disposable_domains,
                             *state));
    idv_risk_judge_email(&data, NULL, &facts);
    assert_int_equal(facts.email_free, -1);
    idv_risk_judge_email(&data, "a@mail.example", &facts);
    assert_int_equal(facts.email_disposable, 0);
    assert_int_equal(facts.email_free, 1);
    idv_risk_judge_email(&data, "a@b.gone.example", &facts);
    assert_int_equal(facts.email_disposable, 1);
    assert_int_equal(facts.email_free, 0);
    idv_risk_judge_email(&data, "a@shop.example", &facts);
    assert_int_equal(facts.email_disposable, 0);
    assert_int_equal(facts.email_free, 0);
}

static void refuses_other_lists(void **state)
{
    const idv_email_domains_t *domains;
    const char *const lists[] = {"{}", "[1]", "[\"a.example\", null]", "[", ""};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        assert_non_null(read_domains(lists[i], &domains, *state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(judges_only_what_is_known),
        pooled_test(adds_points_up_to_levels),
        pooled_test(says_what_it_saw),
        pooled_test(counts_to_the_limit),
        pooled_test(compares_countries),
        pooled_test(knows_numbering_plans),
        pooled_test(knows_programs),
        pooled_test(reads_policies_strictly),
        pooled_test(names_what_policies_lack),
        pooled_test(finds_domains_below),
        pooled_test(judges_addresses_by_lists),
        pooled_test(refuses_other_lists),
    };

    return unit_run("domain/risk", tests);
}
