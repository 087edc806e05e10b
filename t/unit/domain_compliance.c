/* SPDX-License-Identifier: Apache-2.0 */
/* Compliance rules: what a file may say, what is inherited, what is found. */
#include "unit.h"

#include <apr_strings.h>

#include "domain/law/compliance_changes.h"
#include "domain/law/compliance_rule_reader.h"
#include "domain/law/compliance_rules.h"

#define SOURCE                                                                 \
    "{\"citation\":\"Act\",\"kind\":\"statute\",\"url\":"                      \
    "\"https://law.example\"}"
#define LOOKED_UP "\"looked_up\":\"2026-01-31\",\"confidence\":\"high\""
#define SOURCES "\"sources\":[" SOURCE "]," LOOKED_UP
#define PROOF "\"from\":\"unknown\"," SOURCES

/* For a rule for all products, of whose members MEMBER is one. */
#define PROOF_OF(member)                                                       \
    "\"from\":\"unknown\",\"sources\":[{\"citation\":\"Act\",\"kind\":"        \
    "\"statute\",\"url\":\"https://law.example\",\"members\":[\"" member       \
    "\"]}]," LOOKED_UP

/* A country whose products are all allowed at 18, but for what EXTRA (members
 * of the file, each with a comma before it) and ALCOHOL (members of the rule
 * for alcohol_delivery, likewise) say. */
static const char *country(const char *extra, const char *alcohol,
                           apr_pool_t *pool)
{
    const char *text = "";

    for (int i = IDV_USE_CASE_NONE + 1; i < IDV_USE_CASE_COUNT; i++)
        text = apr_psprintf(
            pool,
            "%s%s\"%s\":{\"prohibited\":false,\"minimum_age\":18," PROOF "%s}",
            text, *text ? "," : "", idv_use_case_value(i),
            i == IDV_USE_CASE_ALCOHOL_DELIVERY ? alcohol : "");
    return apr_psprintf(pool,
                        "{\"country\":\"DE\",\"name\":\"Country\","
                        "\"rule_version\":\"7\",\"rules\":{%s}%s}",
                        text, extra);
}

static idv_compliance_rules_t *
read_text(const char *text, apr_array_header_t **faults, apr_pool_t *pool)
{
    idv_compliance_rules_t *rules = idv_compliance_rules_new(pool);
    json_t *document;

    *faults = apr_array_make(pool, 0, sizeof(idv_compliance_fault_t));
    assert_null(idv_json_parse(text, strlen(text), &document, pool));
    idv_compliance_rules_add(rules, "DE.json", document, *faults);
    return rules;
}

/* What the country of TEXT says of alcohol_delivery. */
static const idv_compliance_rule_t *
ask(const char *text, const idv_compliance_question_t *question,
    apr_pool_t *pool)
{
    idv_compliance_rule_t *rule = apr_palloc(pool, sizeof(*rule));
    apr_array_header_t *faults;
    idv_compliance_rules_t *rules = read_text(text, &faults, pool);

    if (faults->nelts) {
        const idv_compliance_fault_t *first =
            &APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t);

        fail_msg("%s: %s", first->pointer, first->message);
    }
    idv_compliance_rules_find(rules, question, rule, pool);
    return rule;
}

static const idv_compliance_rule_t *
find(const char *text, const char *jurisdiction, apr_pool_t *pool)
{
    const idv_compliance_question_t question = {
        .jurisdiction = jurisdiction,
        .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
        .day = {2026, 6, 15},
    };

    return ask(text, &question, pool);
}

static void tells_what_is_wrong(void **state)
{
    static const struct {
        const char *extra, *alcohol, *pointer;
    } cases[] = {
        {",\"colour\":1", "", "/colour"},
        {",\"regions\":[]", "", "/regions"},
        {",\"regions\":{\"by\":{\"name\":\"B\"}}", "", "/regions/by"},
        {",\"regions\":{\"BAYE\":{\"name\":\"B\"}}", "", "/regions/BAYE"},
        {",\"regions\":{\"BY\":{}}", "", "/regions/BY/name"},
        {",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{\"x/y~\":{}}}}", "",
         "/regions/BY/rules/x~1y~0"},
        {",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{\"firearms\":"
         "{\"minimum_age\":200," PROOF "}}}}",
         "", "/regions/BY/rules/firearms/minimum_age"},
        {",\"all\":{\"minimum_age\":18," PROOF "}", "", "/all"},
        {",\"all\":{\"consent_required\":true}", "", "/all/from"},
        {",\"all\":{\"consent_required\":true," PROOF "}", "", "/all"},
        {",\"all\":[]", "", "/all"},
        {",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{\"firearms\":"
         "{\"article\":\"beer\"," PROOF "}}}}",
         "", "/regions/BY/rules/firearms"},
        {"", ",\"article\":\"absinthe\"", "/rules/alcohol_delivery"},
        {"", ",\"until\":\"unknown\"", "/rules/alcohol_delivery/until"},
        {"", ",\"status\":\"asleep\"", "/rules/alcohol_delivery/status"},
        {"", ",\"status\":\"enjoined\"", "/rules/alcohol_delivery"},
        {"", ",\"litigation\":{\"case\":\"A v. B\"}",
         "/rules/alcohol_delivery/litigation/day"},
        {"", ",\"born_before\":\"2009\"",
         "/rules/alcohol_delivery/born_before"},
        {"", ",\"consent_age\":0", "/rules/alcohol_delivery/consent_age"},
        {"", ",\"credential_validity_minutes\":1441",
         "/rules/alcohol_delivery/credential_validity_minutes"},
        {"", ",\"age\":18", "/rules/alcohol_delivery/age"},
        {"", ",\"prohibited_reason\":\"r\"", "/rules/alcohol_delivery"},
        {"", ",\"physical_check_required\":true", "/rules/alcohol_delivery"},
        {"", ",\"penalty_type\":\"CIVIL\"", "/rules/alcohol_delivery"},
        {"", ",\"penalty_type\":\"civil\"",
         "/rules/alcohol_delivery/penalty_type"},
        {"", ",\"consent_required\":1",
         "/rules/alcohol_delivery/consent_required"},
        {"", ",\"mdl_acceptance_status\":\"yes\"",
         "/rules/alcohol_delivery/mdl_acceptance_status"},
        {"", ",\"allowed_methods\":[]",
         "/rules/alcohol_delivery/allowed_methods"},
        {"", ",\"allowed_methods\":[\"mdl\",\"mid\"]",
         "/rules/alcohol_delivery/allowed_methods/1"},
        {"", ",\"allowed_methods\":[\"mdl\",\"mdl\"]",
         "/rules/alcohol_delivery/allowed_methods/1"},
        {"", ",\"allowed_methods\":[\"ip_analysis\"]",
         "/rules/alcohol_delivery/allowed_methods/0"},
        {"", ",\"credential_validity_days\":0",
         "/rules/alcohol_delivery/credential_validity_days"},
        {"", ",\"data_retention_days\":-1",
         "/rules/alcohol_delivery/data_retention_days"},
        {"", ",\"governing_regulator\":\"\"",
         "/rules/alcohol_delivery/governing_regulator"},
        {"", ",\"note\":1", "/rules/alcohol_delivery/note"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        apr_array_header_t *faults;
        const idv_compliance_fault_t *first;

        read_text(country(cases[i].extra, cases[i].alcohol, *state), &faults,
                  *state);
        assert_int_not_equal(faults->nelts, 0);
        first = &APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t);
        assert_string_equal(first->pointer, cases[i].pointer);
        assert_string_equal(first->file, "DE.json");
        assert_int_not_equal(strlen(first->message), 0);
    }
}

/* Each replaces TEXT by OTHER in a sound country. */
static void checks_where_a_rule_comes_from(void **state)
{
    static const struct {
        const char *text, *other, *pointer;
    } cases[] = {
        {"\"country\":\"DE\"", "\"country\":\"FR\"", "/country"},
        {"\"country\":\"DE\"", "\"country\":\"ZZ\"", "/country"},
        {"\"rule_version\":\"7\"", "\"rule_version\":7", "/rule_version"},
        {"\"alcohol_delivery\":", "\"absinthe\":", "/rules/alcohol_delivery"},
        {"\"minimum_age\":18,", "", "/rules/alcohol_delivery"},
        {"\"citation\"", "\"cite\"",
         "/rules/alcohol_delivery/sources/0/citation"},
        {"\"statute\"", "\"hearsay\"",
         "/rules/alcohol_delivery/sources/0/kind"},
        {"\"statute\"", "\"report\"", "/rules/alcohol_delivery"},
        {",\"url\":\"https://law.example\"", "", "/rules/alcohol_delivery"},
        {"https", "http", "/rules/alcohol_delivery/sources/0/url"},
        {"\"kind\"", "\"members\":[\"civil_age\"],\"kind\"",
         "/rules/alcohol_delivery/sources/0/members/0"},
        {"[" SOURCE "]", "[]", "/rules/alcohol_delivery/sources"},
        {"\"from\":\"unknown\",", "", "/rules/alcohol_delivery/from"},
        {"\"from\":\"unknown\"", "\"from\":\"2026\"",
         "/rules/alcohol_delivery/from"},
        {"\"from\":\"unknown\"",
         "\"until\":\"2026-01-01\",\"from\":\"2026-01-01\"",
         "/rules/alcohol_delivery/until"},
        {"\"2026-01-31\"", "\"2026-02-31\"",
         "/rules/alcohol_delivery/looked_up"},
        {"\"2026-01-31\"", "\"2026-01\"", "/rules/alcohol_delivery/looked_up"},
        {"\"2026-01-31\"", "\"unknown\"", "/rules/alcohol_delivery"},
        {"\"high\"", "\"sure\"", "/rules/alcohol_delivery/confidence"},
    };
    apr_pool_t *pool = *state;
    const char *sound = country("", "", pool);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *at = strstr(sound, cases[i].text);
        apr_array_header_t *faults;

        assert_non_null(at);
        read_text(apr_pstrcat(pool, apr_pstrmemdup(pool, sound, at - sound),
                              cases[i].other, at + strlen(cases[i].text), NULL),
                  &faults, pool);
        assert_int_not_equal(faults->nelts, 0);
        assert_string_equal(
            APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t).pointer,
            cases[i].pointer);
    }
}

/* A rule is of high confidence when an official source carries what decides:
 * FOR are the members of the statute, and of the newspaper all. */
static void wants_an_official_source_of_what_decides(void **state)
{
    static const struct {
        const char *rule, *for_members;
        int refused;
    } cases[] = {
        {"\"minimum_age\":21", "\"minimum_age\"", 0},
        {"\"minimum_age\":21", "\"governing_regulator\"", 1},
        {"\"minimum_age\":null", "\"governing_regulator\"", 1},
        {"\"minimum_age\":21,\"prohibited\":false", "\"prohibited\"", 1},
        {"\"minimum_age\":21,\"prohibited\":false",
         "\"prohibited\",\"minimum_age\"", 0},
        {"\"minimum_age\":21,\"prohibited\":true,\"prohibited_reason\":\"r\"",
         "\"minimum_age\"", 1},
        {"\"minimum_age\":21,\"prohibited\":true,\"prohibited_reason\":\"r\"",
         "\"prohibited\"", 0},
        {"\"minimum_age\":\"unknown\",\"prohibited\":false", "\"minimum_age\"",
         1},
        {"\"minimum_age\":\"unknown\",\"prohibited\":false", "\"prohibited\"",
         0},
        {"\"consent_age\":14,\"prohibited\":false", "\"consent_age\"", 0},
        {"\"consent_age\":14", "\"governing_regulator\"", 1},
        {"\"data_retention_days\":0", "\"governing_regulator\"", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        apr_array_header_t *faults;

        read_text(
            country(apr_pstrcat(
                        *state,
                        ",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{"
                        "\"firearms\":{\"governing_regulator\":\"G\",",
                        cases[i].rule,
                        ",\"from\":\"unknown\",\"sources\":[{\"citation\":"
                        "\"Act\",\"kind\":\"statute\",\"url\":"
                        "\"https://law.example\",\"members\":[",
                        cases[i].for_members,
                        "]},{\"citation\":\"News\",\"kind\":\"report\","
                        "\"url\":\"https://news.example\"}]," LOOKED_UP "}}}}",
                        NULL),
                    "", *state),
            &faults, *state);
        assert_int_equal(faults->nelts, cases[i].refused);
        if (cases[i].refused)
            assert_string_equal(
                APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t).pointer,
                "/regions/BY/rules/firearms");
    }
}

static void ends_the_list_of_faults(void **state)
{
    apr_array_header_t *faults =
        apr_array_make(*state, 0, sizeof(idv_compliance_fault_t));

    for (int i = 0; i < 3 * IDV_COMPLIANCE_FAULTS_MAX; i++)
        idv_compliance_fault_add(faults, "DE.json", apr_itoa(*state, i),
                                 "again");
    assert_int_equal(faults->nelts, IDV_COMPLIANCE_FAULTS_MAX);
    apr_array_clear(faults);
    for (int i = 0; i < 3; i++)
        idv_compliance_fault_add(faults, "DE.json", "", "again");
    assert_int_equal(faults->nelts, 1);
}

static void inherits_member_by_member(void **state)
{
    const char *text = country(
        ",\"all\":{\"consent_required\":true,\"governing_regulator\":"
        "\"all\"," PROOF_OF(
            "consent_required") "},"
                                "\"regions\":{"
                                "\"BY\":{\"name\":\"B\",\"all\":{\"governing_"
                                "regulator\":\"BY\"," PROOF_OF(
                                    "governing_regulator") "},\"rules\":{"
                                                           "\"alcohol_"
                                                           "delivery\":{"
                                                           "\"minimum_age\":"
                                                           "25," PROOF "}}},"
                                                           "\"BE\":{\"name\":"
                                                           "\"B\",\"all\":{"
                                                           "\"governing_"
                                                           "regulator\":"
                                                           "\"unknown\""
                                                           "," PROOF_OF(
                                                               "governing_"
                                                               "regulator") "},"
                                                                            "\""
                                                                            "ru"
                                                                            "le"
                                                                            "s"
                                                                            "\""
                                                                            ":{"
                                                                            "\""
                                                                            "al"
                                                                            "co"
                                                                            "ho"
                                                                            "l_"
                                                                            "de"
                                                                            "li"
                                                                            "ve"
                                                                            "ry"
                                                                            "\""
                                                                            ":{"
                                                                            "\""
                                                                            "mi"
                                                                            "ni"
                                                                            "mu"
                                                                            "m_"
                                                                            "ag"
                                                                            "e"
                                                                            "\""
                                                                            ":n"
                                                                            "ul"
                                                                            "l,"
                                                                            "\""
                                                                            "co"
                                                                            "ns"
                                                                            "en"
                                                                            "t_"
                                                                            "re"
                                                                            "qu"
                                                                            "ir"
                                                                            "ed"
                                                                            "\""
                                                                            ":f"
                                                                            "al"
                                                                            "se"
                                                                            "," PROOF
                                                                            "}}"
                                                                            "}"
                                                                            "}",
        ",\"data_retention_days\":3", *state);
    const idv_compliance_rule_t *rule = find(text, "DE", *state);

    /* Without a region the highest age of one. */
    assert_int_equal(rule->compliance.required_age, 25);
    assert_string_equal(rule->compliance.governing_regulator, "all");
    assert_string_equal(rule->compliance.as_of, "2026-06-15");
    assert_string_equal(rule->compliance.rule_version, "7");
    assert_true(rule->consent_required);
    rule = find(text, "DE-BY", *state);
    assert_int_equal(rule->compliance.required_age, 25);
    assert_int_equal(rule->compliance.age_tier, IDV_TIER_MIN_AGE_21);
    assert_string_equal(rule->compliance.governing_regulator, "BY");
    assert_true(rule->consent_required);
    assert_int_equal(rule->data_retention_days, 3);
    rule = find(text, "DE-BE", *state);
    assert_int_equal(rule->compliance.required_age, 0);
    assert_int_equal(rule->compliance.age_tier, IDV_TIER_NONE);
    assert_null(rule->compliance.governing_regulator);
    assert_false(rule->consent_required);
    assert_string_equal(rule->compliance.rule_version, "7");
    rule = find(text, "DE-HH", *state);
    assert_int_equal(rule->compliance.required_age, 18);
}

static void knows_nothing_elsewhere(void **state)
{
    const idv_compliance_rule_t *rule =
        find(country("", "", *state), "FR-75", *state);
    idv_compliance_t out = {.required_age = 99};

    const idv_compliance_question_t question = {
        .jurisdiction = "DE",
        .use_case = IDV_USE_CASE_FIREARMS,
        .day = {2026, 6, 15},
    };

    assert_null(rule->compliance.rule_version);
    assert_null(rule->compliance.as_of);
    assert_int_equal(rule->data_retention_days, -1);
    assert_int_equal(idv_compliance_methods(&rule->compliance),
                     idv_compliance_methods(&(idv_compliance_t){0}));
    idv_compliance_rules_look_up(NULL, &question, &out, *state);
    assert_int_equal(out.required_age, 0);
    assert_null(out.rule_version);
}

/* A rule of alcohol_delivery with MEMBERS, each with a comma behind it. */
#define RULE(members) "{" members SOURCES "}"
#define OPEN "\"prohibited\":false,\"minimum_age\":"

/* A country whose rules for alcohol_delivery are RULES and whose regions are
 * REGIONS. */
static const char *dated(const char *rules, const char *regions,
                         apr_pool_t *pool)
{
    const char *whole = country("", "", pool);
    const char *at = strstr(whole, "\"alcohol_delivery\":");
    const char *next = strstr(whole, ",\"alcohol_in_person\"");
    const char *end = strrchr(whole, '}');

    return apr_pstrcat(pool, apr_pstrmemdup(pool, whole, at - whole),
                       "\"alcohol_delivery\":", rules,
                       apr_pstrmemdup(pool, next, end - next), regions, "}",
                       NULL);
}

static const idv_compliance_rule_t *on(const char *text, int year, int month,
                                       int day, apr_pool_t *pool)
{
    const idv_compliance_question_t question = {
        .jurisdiction = "DE",
        .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
        .day = {year, month, day},
    };

    return ask(text, &question, pool);
}

static void decides_by_the_day(void **state)
{
    const char *text =
        dated("[" RULE("\"from\":\"unknown\",\"until\":\"2027-01-01\"," OPEN
                       "16,") "," RULE("\"from\":\"2027-01-01\","
                                       "\"until\":\"2028-03-01\",\"status\":"
                                       "\"enacted\"," OPEN "18,") "]",
              "", *state);
    const idv_compliance_rule_t *rule = on(text, 2026, 12, 31, *state);

    assert_int_equal(rule->compliance.required_age, 16);
    assert_null(rule->in_force_from);
    assert_string_equal(rule->in_force_until, "2027-01-01");
    rule = on(text, 2027, 1, 1, *state);
    assert_int_equal(rule->compliance.required_age, 18);
    assert_string_equal(rule->in_force_from, "2027-01-01");
    assert_string_equal(rule->in_force_until, "2028-03-01");
    rule = on(text, 2028, 2, 29, *state);
    assert_int_equal(rule->compliance.required_age, 18);
    rule = on(text, 2028, 3, 1, *state);
    assert_null(rule->compliance.rule_version);
    assert_null(rule->compliance.as_of);
    assert_null(rule->in_force_until);
}

static void refuses_two_laws_at_once(void **state)
{
    static const struct {
        const char *second;
        int refused;
    } cases[] = {
        {RULE("\"from\":\"2026-12-31\"," OPEN "18,"), 1},
        {RULE("\"from\":\"unknown\"," OPEN "18,"), 1},
        {RULE("\"from\":\"2027-01-01\"," OPEN "18,"), 0},
        {RULE("\"from\":\"unknown\",\"status\":\"enacted\"," OPEN "18,"), 0},
        {RULE("\"from\":\"2026-01-01\",\"status\":\"enjoined\","
              "\"litigation\":{\"case\":\"A v. B\",\"day\":\"2026-02-01\","
              "\"protects\":\"everyone\"}," OPEN "18,"),
         0},
        {RULE("\"from\":\"2026-01-01\",\"article\":\"beer\","), 0},
    };
    apr_array_header_t *faults;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *rules = apr_pstrcat(
            *state,
            "[" RULE("\"from\":\"unknown\",\"until\":\"2027-01-01\"," OPEN
                     "16,") ",",
            cases[i].second, "]", NULL);

        read_text(dated(rules, "", *state), &faults, *state);
        assert_int_equal(faults->nelts > 0, cases[i].refused);
        if (cases[i].refused)
            assert_string_equal(
                APR_ARRAY_IDX(faults, 0, idv_compliance_fault_t).pointer,
                "/rules/alcohol_delivery/1");
    }
}

/* Neither what is enjoined holds, nor what is enacted without a day. */
static void leaves_out_what_is_not_in_force(void **state)
{
    const char *text = dated(
        "[" RULE("\"from\":\"unknown\"," OPEN "16,") "," RULE(
            "\"from\":\"unknown\",\"status\":\"enacted\"," OPEN
            "21,") "," RULE("\"from\":\"2026-01-01\",\"status\":"
                            "\"enjoined\",\"litigation\":{\"case\":\"A v. "
                            "B\",\"day\":\"unknown\",\"protects\":"
                            "\"everyone\"}," OPEN "18,") "]",
        "", *state);
    apr_array_header_t *faults, *changes;
    idv_compliance_rules_t *rules = read_text(text, &faults, *state);
    const idv_compliance_change_t *change;

    assert_int_equal(on(text, 2026, 6, 15, *state)->compliance.required_age,
                     16);
    changes = idv_compliance_rules_changes(rules, (idv_date_t){2026, 1, 1},
                                           (idv_date_t){2028, 1, 1}, *state);
    assert_int_equal(changes->nelts, 1);
    change = &APR_ARRAY_IDX(changes, 0, idv_compliance_change_t);
    assert_null(change->day);
    assert_string_equal(change->jurisdiction, "DE");
    assert_int_equal(change->before->compliance.required_age, 16);
    assert_int_equal(change->after->compliance.required_age, 21);
}

static int age_of(const char *text, const char *jurisdiction,
                  idv_article_t article, apr_pool_t *pool)
{
    const idv_compliance_question_t question = {
        .jurisdiction = jurisdiction,
        .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
        .article = article,
        .day = {2026, 6, 15},
    };

    return ask(text, &question, pool)->compliance.required_age;
}

static void narrows_by_the_article(void **state)
{
    const char *text =
        dated("[" RULE("\"from\":\"unknown\"," OPEN "18,") "," RULE(
                  "\"from\":\"unknown\",\"article\":[\"beer\",\"wine\"],"
                  "\"minimum_age\":16,") "," RULE("\"from\":\"unknown\","
                                                  "\"article\":\"spirits\","
                                                  "\"minimum_age\":20,") "]",
              ",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{"
              "\"alcohol_delivery\":" RULE(
                  "\"from\":\"unknown\",\"article\":\"beer\","
                  "\"minimum_age\":17,") "}},\"BE\":{\"name\":\"B\",\"rules\":{"
                                         "\"alcohol_delivery\":" RULE(
                                             "\"from\":\"unknown\","
                                             "\"minimum_age\":19,") "}}}",
              *state);

    assert_int_equal(age_of(text, "DE-HH", IDV_ARTICLE_BEER, *state), 16);
    assert_int_equal(age_of(text, "DE-HH", IDV_ARTICLE_SPIRITS, *state), 20);
    assert_int_equal(age_of(text, "DE-HH", IDV_ARTICLE_NONE, *state), 20);
    assert_int_equal(age_of(text, "DE-BY", IDV_ARTICLE_BEER, *state), 17);
    assert_int_equal(age_of(text, "DE-BY", IDV_ARTICLE_WINE, *state), 16);
    assert_int_equal(age_of(text, "DE-BE", IDV_ARTICLE_BEER, *state), 19);
    assert_int_equal(age_of(text, "DE", IDV_ARTICLE_BEER, *state), 19);
    assert_int_equal(age_of(text, "DE", IDV_ARTICLE_NONE, *state), 20);
}

/* One article that is prohibited is the strictest of them. */
static void prohibits_by_the_article(void **state)
{
    const char *text =
        dated("[" RULE("\"from\":\"unknown\"," OPEN "18,") "," RULE(
                  "\"from\":\"unknown\",\"article\":\"spirits\",\"prohibited\":"
                  "true,\"prohibited_reason\":\"No spirits.\",") "]",
              "", *state);
    idv_compliance_question_t question = {
        .jurisdiction = "DE",
        .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
        .day = {2026, 6, 15},
    };
    const idv_compliance_rule_t *rule = ask(text, &question, *state);

    assert_true(rule->compliance.prohibited);
    assert_string_equal(rule->prohibited_reason, "No spirits.");
    assert_int_equal(rule->compliance.required_age, 0);
    question.article = IDV_ARTICLE_BEER;
    assert_false(ask(text, &question, *state)->compliance.prohibited);
}

/* What the rule of a channel says goes before what is said of an article, and
 * is asked for alone. */
static const idv_compliance_rule_t *sold(const char *rules,
                                         idv_article_t article,
                                         idv_channel_t channel,
                                         apr_pool_t *pool)
{
    const char *whole = country("", "", pool);
    const char *at = strstr(whole, "\"tobacco_nicotine\":");
    const char *next = strstr(whole, ",\"adult_content\"");
    const char *text =
        apr_pstrcat(pool, apr_pstrmemdup(pool, whole, at - whole),
                    "\"tobacco_nicotine\":", rules, next, NULL);
    const idv_compliance_question_t question = {
        .jurisdiction = "DE",
        .use_case = IDV_USE_CASE_TOBACCO_NICOTINE,
        .article = article,
        .channel = channel,
        .day = {2026, 6, 15},
    };

    return ask(text, &question, pool);
}

static void narrows_by_the_channel(void **state)
{
    static const struct {
        idv_article_t article;
        idv_channel_t channel;
        int prohibited, age;
    } cases[] = {
        {IDV_ARTICLE_CIGARETTE, IDV_CHANNEL_IN_PERSON, 0, 18},
        {IDV_ARTICLE_CIGARETTE, IDV_CHANNEL_REMOTE, 1, 0},
        {IDV_ARTICLE_VAPE, IDV_CHANNEL_IN_PERSON, 0, 21},
        {IDV_ARTICLE_VAPE, IDV_CHANNEL_REMOTE, 0, 20},
        {IDV_ARTICLE_NONE, IDV_CHANNEL_IN_PERSON, 0, 21},
        {IDV_ARTICLE_NONE, IDV_CHANNEL_REMOTE, 1, 0},
    };
    const char *rules =
        "[" RULE("\"from\":\"unknown\"," OPEN "18,") "," RULE("\"from\":"
                                                              "\"unknown\","
                                                              "\"article\":"
                                                              "\"vape\","
                                                              "\"minimum_age\":"
                                                              "21,") "," RULE(
            "\"from\":\"unknown\",\"channel\":\"remote\",\"prohibited\":"
            "true,\"prohibited_reason\":\"No mail.\",") "," RULE("\"from\":"
                                                                 "\"unknown\","
                                                                 "\"article\":"
                                                                 "\"vape\","
                                                                 "\"channel\":"
                                                                 "\"remote\","
                                                                 "\"prohibited"
                                                                 "\":false,"
                                                                 "\"minimum_"
                                                                 "age\":20,") "]";

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const idv_compliance_rule_t *rule =
            sold(rules, cases[i].article, cases[i].channel, *state);

        assert_int_equal(rule->compliance.prohibited, cases[i].prohibited);
        assert_int_equal(rule->compliance.required_age, cases[i].age);
    }
    /* Without a rule of the channel it is sold as in person. */
    assert_int_equal(sold(RULE("\"from\":\"unknown\"," OPEN "18,"),
                          IDV_ARTICLE_NONE, IDV_CHANNEL_REMOTE, *state)
                         ->compliance.required_age,
                     18);
}

/* A region or an article of which nobody knows is not freed by that. */
static void lifts_nothing_by_not_knowing(void **state)
{
#define UNKNOWN_LAW "\"prohibited\":\"unknown\",\"minimum_age\":\"unknown\","
    const char *text =
        dated(RULE("\"from\":\"unknown\",\"prohibited\":true,"
                   "\"prohibited_reason\":\"Forbidden.\",\"minimum_age\":18,"),
              ",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{\"alcohol_"
              "delivery\":" RULE("\"from\":\"unknown\"," UNKNOWN_LAW) "}}}",
              *state);
    const idv_compliance_rule_t *rule = find(text, "DE-BY", *state);

    assert_true(rule->compliance.prohibited);
    assert_string_equal(rule->prohibited_reason, "Forbidden.");
    assert_true(rule->compliance.known);
    text = dated(
        RULE("\"from\":\"unknown\"," OPEN "18,"),
        ",\"regions\":{\"BY\":{\"name\":\"B\",\"rules\":{"
        "\"alcohol_delivery\":" RULE("\"from\":\"unknown\"," UNKNOWN_LAW) "}}}",
        *state);
    rule = find(text, "DE-BY", *state);
    assert_false(rule->compliance.known);
    assert_int_equal(rule->confidence, IDV_CONFIDENCE_LOW);
    assert_int_equal(rule->compliance.required_age, 18);
    assert_non_null(rule->note);
    rule = find(text, "DE", *state);
    assert_true(rule->compliance.known);
    assert_int_equal(rule->confidence, IDV_CONFIDENCE_HIGH);
}

/* Of all articles the strictest answers; what is not known of one is not known
 * of all, unless another is prohibited. */
static void knows_all_articles_or_none(void **state)
{
#define SPIRITS(law)                                                           \
    RULE("\"from\":\"unknown\",\"article\":\"spirits\"," law                   \
         "\"note\":\"Spirits.\",")
    const char *text = dated("[" RULE("\"from\":\"unknown\"," OPEN
                                      "18,") "," SPIRITS(UNKNOWN_LAW) "]",
                             "", *state);
    idv_compliance_question_t question = {
        .jurisdiction = "DE",
        .use_case = IDV_USE_CASE_ALCOHOL_DELIVERY,
        .day = {2026, 6, 15},
    };
    const idv_compliance_rule_t *rule = ask(text, &question, *state);

    assert_false(rule->compliance.known);
    assert_string_equal(rule->note, "Spirits.");
    assert_int_equal(rule->compliance.required_age, 18);
    question.article = IDV_ARTICLE_BEER;
    assert_true(ask(text, &question, *state)->compliance.known);
}

static void tells_of_a_parents_consent(void **state)
{
    const char *text = dated(
        RULE("\"from\":\"unknown\"," OPEN "16,\"parental_consent_from\":14,"),
        "", *state);
    apr_array_header_t *faults;

    assert_int_equal(find(text, "DE", *state)->parental_consent_from, 14);
    assert_int_equal(find(text, "DE", *state)->compliance.required_age, 16);
    assert_int_equal(find(text, "FR", *state)->parental_consent_from, -1);
    assert_int_equal(find(text, "FR", *state)->consent_required, -1);
    text = dated(
        RULE("\"from\":\"unknown\"," OPEN "16,\"parental_consent_from\":16,"),
        "", *state);
    read_text(text, &faults, *state);
    assert_int_equal(faults->nelts, 1);
}

/* Born before 2009: those who are 18 in 2027 and 19 in 2028. */
static void grows_with_a_generation(void **state)
{
    const char *text = dated(
        RULE("\"from\":\"unknown\",\"born_before\":\"2009-01-01\"," OPEN "18,"),
        "", *state);
    const idv_compliance_rule_t *rule = on(text, 2026, 6, 15, *state);

    assert_int_equal(rule->compliance.required_age, 18);
    assert_string_equal(rule->compliance.born_before, "2009-01-01");
    assert_int_equal(on(text, 2027, 1, 1, *state)->compliance.required_age, 18);
    assert_int_equal(on(text, 2028, 1, 1, *state)->compliance.required_age, 19);
    assert_int_equal(on(text, 2030, 1, 1, *state)->compliance.age_tier,
                     IDV_TIER_MIN_AGE_21);
}

static void keeps_other_ages_apart(void **state)
{
    const char *text =
        dated(RULE("\"from\":\"unknown\",\"prohibited\":false,"
                   "\"minimum_age\":null,\"consent_age\":14,"
                   "\"civil_age\":18,\"credential_validity_minutes\":60,"),
              "", *state);
    const idv_compliance_rule_t *rule = find(text, "DE", *state);

    assert_int_equal(rule->compliance.required_age, 0);
    assert_int_equal(rule->compliance.age_tier, IDV_TIER_NONE);
    assert_int_equal(rule->consent_age, 14);
    assert_int_equal(rule->civil_age, 18);
    assert_int_equal(idv_compliance_validity(&rule->compliance), 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(tells_what_is_wrong),
        pooled_test(checks_where_a_rule_comes_from),
        pooled_test(wants_an_official_source_of_what_decides),
        pooled_test(ends_the_list_of_faults),
        pooled_test(inherits_member_by_member),
        pooled_test(knows_nothing_elsewhere),
        pooled_test(decides_by_the_day),
        pooled_test(refuses_two_laws_at_once),
        pooled_test(leaves_out_what_is_not_in_force),
        pooled_test(narrows_by_the_article),
        pooled_test(prohibits_by_the_article),
        pooled_test(narrows_by_the_channel),
        pooled_test(lifts_nothing_by_not_knowing),
        pooled_test(knows_all_articles_or_none),
        pooled_test(tells_of_a_parents_consent),
        pooled_test(grows_with_a_generation),
        pooled_test(keeps_other_ages_apart),
    };

    return unit_run("domain_compliance", tests);
}
