/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/risk/risk_assessment.h"
#include "domain/risk/risk_data.h"
#include "domain/risk/user_agent.h"
#include "domain/value/email_pattern.h"
#include "domain/value/time_zone.h"

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
    assert_int_equal(assessment.level, IDV_RISK_LOW);
    facts.claimed = "US";
    facts.ip_country = "DE";
    assessment = assess(&facts, *state);
    assert_int_equal(assessment.score, 65);
    assert_int_equal(assessment.level, IDV_RISK_MEDIUM);
    assert_string_equal(idv_risk_tier(&assessment), "review");
    facts.ip_tor = 1;
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
        "\"risk_level\":\"low\",\"recommendation\":\"allow\","
        "\"triggered_signals\":[\"email_velocity\"],\"reasons\":[\"Unusually "
        "many persons came with the e-mail address.\"],\"signal_details\":["
        "{\"name\":"
        "\"email_free\",\"triggered\":false,\"points\":0,\"reason\":\"Nothing "
        "unusual.\",\"metadata\":{}},{\"name\":\"email_velocity\","
        "\"triggered\":"
        "true,\"points\":30,\"reason\":\"Unusually many persons came with the "
        "e-mail address.\",\"metadata\":{\"persons\":6,\"limit\":5,"
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

static int has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Of signals that tell of one thing the strongest counts. */
static void counts_a_cause_once(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.ip_hosting = facts.ip_anonymizer = 1;
    assessment = assess(&facts, *state);
    assert_int_equal(assessment.score, 35);
    assert_int_equal(assessment.points[IDV_RISK_SIGNAL_IP_HOSTING], 0);
    assert_int_equal(assessment.points[IDV_RISK_SIGNAL_IP_ANONYMIZER], 35);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_IP_HOSTING));
    assert_true(has(assessment.signal_details,
                    "\"points_alone\":30,\"cause\":\"relayed_address\""));
    facts.ip_tor = 1;
    assert_int_equal(assess(&facts, *state).score, 60);
    idv_risk_facts_init(&facts);
    facts.automated = facts.webdriver = 1;
    assert_int_equal(assess(&facts, *state).score, 75);
    idv_risk_facts_init(&facts);
    facts.listed[IDV_RISK_KIND_IP] = IDV_RISK_BLOCKED;
    facts.listed[IDV_RISK_KIND_PHONE] = IDV_RISK_BLOCKED;
    assert_int_equal(assess(&facts, *state).score, 100);
}

/* All that tells that somebody is abroad: 35 together, one alone its own. */
static void spares_travellers(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;
    int sum = 0;

    idv_risk_facts_init(&facts);
    facts.claimed = "US";
    facts.ip_country = "FR";
    assert_int_equal(assess(&facts, *state).score, 20);
    facts.document = "DE";
    facts.required = "GB";
    facts.time_zone = "Asia/Tokyo";
    facts.phone = "+819012345678";
    assessment = assess(&facts, *state);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_IP_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_CLAIM_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_JURISDICTION_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_TIME_ZONE_MISMATCH));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_PHONE_COUNTRY_MISMATCH));
    assert_int_equal(assessment.score, 35);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        sum += assessment.points[i];
    assert_int_equal(sum, 35);
    /* What is more than that by itself stays what it is, and adds nothing. */
    facts.jurisdiction = "US";
    assert_int_equal(assess(&facts, *state).score, 65);
}

/* Who is to pass, who is to be looked at, and who is not to pass: thresholds
 * and points are a whole, and none of them is moved without a look at these. */
static void judges_who_comes(void **state)
{
    static const struct {
        idv_risk_facts_t facts; /* of which zero is not known here */
        idv_risk_level_t level;
    } who[] = {
        /* a traveller with a foreign telephone behind the VPN of an office */
        {{.claimed = "US",
          .ip_country = "DE",
          .document = "FR",
          .phone = "+33123456789",
          .ip_anonymizer = 1,
          .ip_hosting = 1},
         IDV_RISK_MEDIUM},
        {{.claimed = "US", .ip_country = "DE", .time_zone = "Europe/Berlin"},
         IDV_RISK_LOW},
        {{.ip_anonymizer = 1, .ip_hosting = 1, .email_free = 1}, IDV_RISK_LOW},
        {{.email_free = 1, .email_tagged = 1}, IDV_RISK_LOW},
        /* all customers of a carrier, and a family at its tablet */
        {{.seen = {1000, 1, 1, 2}, .device_persons = 4}, IDV_RISK_LOW},
        {{.ip_failed_age = 1, .email_free = 1}, IDV_RISK_LOW},
        {{.device_failed_age = 1, .ip_failed_age = 1}, IDV_RISK_MEDIUM},
        {{.device_persons = 5}, IDV_RISK_MEDIUM},
        {{.email_disposable = 1, .email_random = 1, .ip_hosting = 1},
         IDV_RISK_HIGH},
        {{.email_disposable = 1, .ip_tor = 1}, IDV_RISK_HIGH},
        {{.seen = {40, 1, 1, 30}, .device_persons = 30}, IDV_RISK_HIGH},
        {{.webdriver = 1}, IDV_RISK_HIGH},
        {{.document_reused = 1}, IDV_RISK_MEDIUM},
        {{.document_reused = 1, .document_persons = 3}, IDV_RISK_HIGH},
    };

    for (size_t i = 0; i < sizeof(who) / sizeof(*who); i++)
        assert_int_equal(assess(&who[i].facts, *state).level, who[i].level);
}

/* All that pictures can look like is not enough for anything, by the points that
 * are delivered. */
static void looks_of_a_picture_decide_nothing_alone(void **state)
{
    idv_risk_policy_t policy;
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    assert_null(idv_risk_policy_read("conf/risk.json", &policy, *state));
    idv_risk_facts_init(&facts);
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_DOCUMENT_RECAPTURED], -1);
    assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_DOCUMENT_PASTED], -1);
    facts.document_recaptured = facts.document_pasted = 1;
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_RECAPTURED));
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_DOCUMENT_PASTED));
    assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_VIRTUAL_CAMERA], -1);
    facts.virtual_camera = 1;
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_true(fired(&assessment, IDV_RISK_SIGNAL_VIRTUAL_CAMERA));
    assert_true(assessment.score > 0 && assessment.score < policy.medium);
    assert_int_equal(idv_risk_effective_level(&assessment), IDV_RISK_LOW);
    assert_string_equal(idv_risk_tier(&assessment), "clear");
}

static void only_records_in_the_shadow(void **state)
{
    idv_risk_policy_t policy = *idv_risk_policy_default();
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.webdriver = facts.ip_reserved = 1;
    policy.shadow[IDV_RISK_SIGNAL_IP_RESERVED] = 1;
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_int_equal(assessment.score, 75);
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_IP_RESERVED));
    assert_true(has(assessment.signal_details,
                    "{\"name\":\"ip_reserved\",\"triggered\":false,"
                    "\"points\":0,\"reason\":\"The IP address is private"));
    assert_true(has(assessment.signal_details,
                    "{\"points_alone\":15,\"shadow\":true}"));
    policy.shadow[IDV_RISK_SIGNAL_WEBDRIVER] = 1;
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_int_equal(assessment.score, 0);
    assert_string_equal(idv_risk_tier(&assessment), "clear");
    memset(policy.shadow, 0, sizeof(policy.shadow));
    policy.shadow_all = 1;
    idv_risk_assess(&policy, &facts, &assessment, *state);
    assert_int_equal(assessment.level, IDV_RISK_HIGH);
    assert_int_equal(idv_risk_effective_level(&assessment), IDV_RISK_LOW);
    assert_string_equal(idv_risk_tier(&assessment), "clear");
}

/* What is allowed takes its own signals along and no others. */
static void obeys_lists(void **state)
{
    idv_risk_facts_t facts;
    idv_risk_assessment_t assessment;

    idv_risk_facts_init(&facts);
    facts.ip_tor = facts.email_disposable = facts.webdriver = 1;
    facts.listed[IDV_RISK_KIND_IP] = IDV_RISK_ALLOWED;
    assessment = assess(&facts, *state);
    assert_int_equal(assessment.points[IDV_RISK_SIGNAL_IP_TOR], 0);
    assert_false(fired(&assessment, IDV_RISK_SIGNAL_IP_TOR));
    assert_int_equal(assessment.points[IDV_RISK_SIGNAL_EMAIL_DISPOSABLE], 45);
    assert_int_equal(assessment.points[IDV_RISK_SIGNAL_WEBDRIVER], 75);
    assert_true(has(assessment.signal_details,
                    "{\"points_alone\":60,\"allowed\":true}"));
    assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_IP_BLOCKED], -1);
    for (int kind = 0; kind < IDV_RISK_KIND_COUNT; kind++) {
        idv_risk_facts_init(&facts);
        facts.listed[kind] = IDV_RISK_BLOCKED;
        assessment = assess(&facts, *state);
        assert_int_equal(judged(&assessment), 1);
        assert_int_equal(assessment.level, IDV_RISK_HIGH);
        assert_string_equal(idv_risk_tier(&assessment), "block");
    }
}

static void compares_time_zones(void **state)
{
    static const struct {
        const char *zone, *country;
        int fired;
    } cases[] = {
        {"Europe/Berlin", "DE", 0},
        {"Europe/Berlin", "US-CA", 1},
        {"America/Los_Angeles", "US-CA", 0},
        {"Asia/Calcutta", "IN", 0},
        {"Asia/Kolkata", "IN", 0},
        {"America/Puerto_Rico", "US-PR", 0},
        {"Europe/Kiev", "UA", 0},
        {"Europe/Zurich", "LI", 0},
        {"Etc/UTC", "DE", -1},
        {"UTC", "DE", -1},
        {"Mars/Olympus", "DE", -1},
        {"Europe/Berlin", NULL, -1},
        {NULL, "DE", -1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_risk_facts_t facts;

        idv_risk_facts_init(&facts);
        facts.time_zone = cases[i].zone;
        facts.ip_country = cases[i].country;
        assert_int_equal(
            assess(&facts, *state).fired[IDV_RISK_SIGNAL_TIME_ZONE_MISMATCH],
            cases[i].fired);
    }
}

/* A zone out of order would not be found. */
static void finds_every_time_zone(void **state)
{
    static const char *const names[] = {
#define IDV_TIME_ZONE(name, countries) name,
#include "domain/value/time_zones.def"
#undef IDV_TIME_ZONE
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        assert_non_null(idv_time_zone_countries(names[i]));
        assert_true(i == 0 || strcmp(names[i - 1], names[i]) < 0);
    }
}

static void sees_patterns_of_addresses(void **state)
{
    static const char *const tagged[] = {"a+b@x.example",
                                         "specimen+@x.example"};
    static const char *const plain[] = {"a@x.example", "a@b+c.example"};
    static const char *const made_up[] = {
        "x7f9k2m4q1@x.example",      "a1b2c3d4@x.example",
        "qwrtplkjhgf@x.example",     "hgfdsrtzplm@x.example",
        "x7f9k2m4q1+shop@x.example", "bxkqzvtrmw@x.example",
    };
    static const char *const names[] = {
        "maria.schwarzschild@x.example",
        "hans.kirschstein@x.example",
        "john1984doe2@x.example",
        "szczepankiewicz@x.example",
        "krzysztof.brzezinski@x.example",
        "ng@x.example",
        "b2b@x.example",
        "nguyenvantruong1990@x.example",
        "m.m.mccrthy@x.example",
        "christopher.wright@x.example",
        "schmidt.gmbh@x.example",
        "vhs-kurs@x.example",
        "info@x.example",
        "20261122@x.example",
        "anna+x7f9k2m4q1@x.example",
        "lynch-byrne@x.example",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(tagged) / sizeof(*tagged); i++)
        assert_true(idv_email_is_tagged(tagged[i]));
    for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
        assert_false(idv_email_is_tagged(plain[i]));
    for (size_t i = 0; i < sizeof(made_up) / sizeof(*made_up); i++)
        assert_true(idv_email_is_random(made_up[i]));
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_false(idv_email_is_random(names[i]));
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

static void knows_types_of_phone_numbers(void **state)
{
    static const struct {
        const char *phone;
        int voip, service; /* as fired */
        const char *shown;
    } cases[] = {
        {"+4915123456789", 0, 0, "mobile"},
        {"+4930123456", 0, 0, "fixed"},
        {"+12025550123", 0, 0, "fixed_or_mobile"},
        {"+445612345678", 1, 0, "voip"},
        {"+19002345678", 0, 1, "premium"},
        {"+18002345678", 0, 1, "service"},
        {"+447012345678", 0, 0, "personal"},
        {"+331234567", -1, -1, NULL},
        {NULL, -1, -1, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_risk_facts_t facts;
        idv_risk_assessment_t assessment;

        idv_risk_facts_init(&facts);
        facts.phone = cases[i].phone;
        assessment = assess(&facts, *state);
        assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_PHONE_VOIP],
                         cases[i].voip);
        assert_int_equal(assessment.fired[IDV_RISK_SIGNAL_PHONE_SERVICE],
                         cases[i].service);
        if (cases[i].shown)
            assert_non_null(strstr(
                assessment.signal_details,
                apr_psprintf(*state, "\"phone_type\":\"%s\"", cases[i].shown)));
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

/* Native apps go by the name of their library unless they set one. */
static void knows_libraries_of_apps(void **state)
{
    static const char *const libraries[] = {
        "okhttp/4.12.0",
        "Java/17.0.9",
        "Apache-HttpClient/5.3 (Java/17.0.9)",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
        assert_true(idv_user_agent_is_automated(libraries[i]));
        assert_false(idv_app_user_agent_is_automated(libraries[i]));
    }
    assert_true(idv_app_user_agent_is_automated("python-requests/2.31"));
    assert_true(idv_app_user_agent_is_automated("axios/1.7.2"));
    assert_false(idv_app_user_agent_is_automated("PassApp/2.1"));
}

static void knows_families_of_browsers(void **state)
{
#define WEBKIT "AppleWebKit/605.1.15 (KHTML, like Gecko) "
#define CHROMIUM "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
    static const char *const rows[][2] = {
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " CHROMIUM "Safari/537.36",
         "chrome"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " CHROMIUM
         "Safari/537.36 Edg/131.0.0.0",
         "edge"},
        {"Mozilla/5.0 (X11; Linux x86_64) " CHROMIUM
         "Safari/537.36 OPR/116.0.0.0",
         "opera"},
        {"Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like "
         "Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
         "samsung_internet"},
        {"Mozilla/5.0 (Linux; Android 14; K; wv) AppleWebKit/537.36 (KHTML, like "
         "Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36",
         "chrome"},
        {"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
         "firefox"},
        {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " WEBKIT
         "Version/18.1 Safari/605.1.15",
         "safari"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) " WEBKIT
         "CriOS/131.0.0.0 Mobile/15E148 Safari/604.1",
         "chrome"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) " WEBKIT
         "FxiOS/133.0 Mobile/15E148 Safari/605.1.15",
         "firefox"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) " WEBKIT
         "Version/18.0 EdgiOS/131.0.0.0 Mobile/15E148 Safari/605.1.15",
         "edge"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) " WEBKIT
         "Mobile/15E148",
         "other"},
        {"PassApp/2.1", "other"},
        {"", "other"},
    };
#undef WEBKIT
#undef CHROMIUM

    (void)state;
    assert_null(idv_user_agent_browser(NULL));
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_string_equal(idv_user_agent_browser(rows[i][0]), rows[i][1]);
}

static void reads_policies_strictly(void **state)
{
    static const struct {
        const char *pointer, *value;
    } faults[] = {
        {"thresholds", "{\"medium\":75,\"high\":65}"},
        {"thresholds", "{\"medium\":30,\"high\":101}"},
        {"thresholds", "{\"medium\":30}"},
        {"velocity", "{\"window_seconds\":1}"},
        {"device", "[]"},
        {"signals", "{}"},
        {"unknown", "1"},
        {"causes", "null"},
        {"causes", "[]"},
        {"causes", "{\"a\":[]}"},
        {"causes", "{\"A\":{\"signals\":[\"ip_tor\",\"ip_hosting\"]}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\"]}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\",\"ip_tor\"]}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\",\"nothing\"]}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\",7]}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\",\"ip_hosting\"],"
                   "\"at_most\":101}}"},
        {"causes", "{\"a\":{\"signals\":[\"ip_tor\",\"ip_hosting\"],"
                   "\"at_least\":1}}"},
        {"causes",
         "{\"a\":{\"signals\":[\"ip_tor\",\"ip_hosting\"]},"
         "\"b\":{\"signals\":[\"ip_tor\",\"webdriver_automation\"]}}"},
        {"shadow", "true"},
        {"shadow", "{\"all\":false}"},
        {"shadow", "{\"all\":0,\"signals\":[]}"},
        {"shadow", "{\"all\":true,\"signals\":[\"nothing\"]}"},
        {"shadow", "{\"all\":true,\"signals\":[],\"since\":1}"},
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

static void reads_causes_and_shadow(void **state)
{
    apr_pool_t *pool = *state;
    json_t *json =
        idv_json_own(json_load_file("conf/risk.json", 0, NULL), pool);
    idv_risk_policy_t policy;

    json_object_set_new(json, "causes",
                        json_pack("{s:{s:[s,s], s:i}}", "mine", "signals",
                                  "ip_tor", "webdriver_automation", "at_most",
                                  80));
    json_object_set_new(
        json, "shadow",
        json_pack("{s:b, s:[s]}", "all", 1, "signals", "ip_velocity"));
    assert_null(idv_risk_policy_load(json, &policy, pool));
    assert_int_equal(policy.cause_count, 1);
    assert_string_equal(policy.causes[0].name, "mine");
    assert_int_equal(policy.causes[0].at_most, 80);
    assert_int_equal(policy.cause_of[IDV_RISK_SIGNAL_IP_TOR], 1);
    assert_int_equal(policy.cause_of[IDV_RISK_SIGNAL_IP_HOSTING], 0);
    assert_true(policy.shadow_all);
    assert_true(policy.shadow[IDV_RISK_SIGNAL_IP_VELOCITY]);
    assert_false(policy.shadow[IDV_RISK_SIGNAL_IP_TOR]);
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
    assert_null(
        read_domains("[\"gone.example\"]", &data.disposable_domains, *state));
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
        pooled_test(counts_a_cause_once),
        pooled_test(spares_travellers),
        pooled_test(judges_who_comes),
        pooled_test(looks_of_a_picture_decide_nothing_alone),
        pooled_test(only_records_in_the_shadow),
        pooled_test(obeys_lists),
        pooled_test(compares_time_zones),
        pooled_test(finds_every_time_zone),
        pooled_test(sees_patterns_of_addresses),
        pooled_test(reads_causes_and_shadow),
        pooled_test(knows_numbering_plans),
        pooled_test(knows_types_of_phone_numbers),
        pooled_test(knows_programs),
        pooled_test(knows_libraries_of_apps),
        cmocka_unit_test(knows_families_of_browsers),
        pooled_test(reads_policies_strictly),
        pooled_test(names_what_policies_lack),
        pooled_test(finds_domains_below),
        pooled_test(judges_addresses_by_lists),
        pooled_test(refuses_other_lists),
    };

    return unit_run("domain/risk", tests);
}
