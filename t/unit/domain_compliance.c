/* SPDX-License-Identifier: Apache-2.0 */
/* Compliance rules: what a file may say, what is inherited, what is found. */
#include "unit.h"

#include <apr_strings.h>

#include "domain/compliance_rule_reader.h"
#include "domain/compliance_rules.h"

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
            "%s%s\"%s\":{\"prohibited\":false,\"minimum_age\":18,"
            "\"sources\":[{\"citation\":\"Act\"}],\"looked_up\":\"2026-01-31\","
            "\"confidence\":\"high\"%s}",
            text, *text ? "," : "", idv_use_case_value(i),
            i == IDV_USE_CASE_ALCOHOL_DELIVERY ? alcohol : "");
    return apr_psprintf(pool,
                        "{\"country\":\"DE\",\"name\":\"Country\","
                        "\"rule_version\":\"7\",\"rules\":{%s}%s}",
                        text, extra);
}

#define PROOF                                                                  \
    "\"sources\":[{\"citation\":\"Act\"}],\"looked_up\":\"2026-01-31\","       \
    "\"confidence\":\"high\""

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

static const idv_compliance_rule_t *
find(const char *text, const char *jurisdiction, apr_pool_t *pool)
{
    apr_array_header_t *faults;
    idv_compliance_rules_t *rules = read_text(text, &faults, pool);

    assert_int_equal(faults->nelts, 0);
    return idv_compliance_rules_find(rules, jurisdiction,
                                     IDV_USE_CASE_ALCOHOL_DELIVERY);
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
        {",\"all\":{\"consent_required\":true}", "", "/all/sources"},
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
        {"\"citation\"", "\"cite\"", "/rules/alcohol_delivery/sources/0"},
        {"{\"citation\":\"Act\"}",
         "{\"citation\":\"Act\",\"url\":\"http://law.example\"}",
         "/rules/alcohol_delivery/sources/0/url"},
        {"[{\"citation\":\"Act\"}]", "[]", "/rules/alcohol_delivery/sources"},
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

static void ends_the_list_of_faults(void **state)
{
    apr_array_header_t *faults =
        apr_array_make(*state, 0, sizeof(idv_compliance_fault_t));

    for (int i = 0; i < 3 * IDV_COMPLIANCE_FAULTS_MAX; i++)
        idv_compliance_fault_add(faults, "DE.json", "", "again");
    assert_int_equal(faults->nelts, IDV_COMPLIANCE_FAULTS_MAX);
}

static void inherits_member_by_member(void **state)
{
    const char *text = country(
        ",\"all\":{\"consent_required\":true,\"governing_regulator\":"
        "\"all\"," PROOF "},"
        "\"regions\":{"
        "\"BY\":{\"name\":\"B\",\"all\":{\"governing_regulator\":\"BY\"," PROOF
        "},\"rules\":{\"alcohol_delivery\":{\"minimum_age\":25," PROOF "}}},"
        "\"BE\":{\"name\":\"B\",\"all\":{\"governing_regulator\":"
        "\"unknown\"," PROOF
        "},\"rules\":{\"alcohol_delivery\":{\"minimum_age\":null,"
        "\"consent_required\":false," PROOF "}}}}",
        ",\"data_retention_days\":3", *state);
    const idv_compliance_rule_t *rule = find(text, "DE", *state);

    assert_int_equal(rule->compliance.required_age, 18);
    assert_string_equal(rule->compliance.governing_regulator, "all");
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

    assert_null(rule->compliance.rule_version);
    assert_int_equal(rule->data_retention_days, -1);
    assert_int_equal(idv_compliance_methods(&rule->compliance),
                     idv_compliance_methods(&(idv_compliance_t){0}));
    idv_compliance_rules_look_up(NULL, "DE", IDV_USE_CASE_FIREARMS, &out,
                                 *state);
    assert_int_equal(out.required_age, 0);
    assert_null(out.rule_version);
}

static void filters_methods(void **state)
{
    idv_compliance_t rule = {.mdl_acceptance =
                                 IDV_MDL_ACCEPTANCE_NOT_RECOGNIZED};

    (void)state;
    assert_false(idv_compliance_allows(&rule, IDV_METHOD_MDL));
    assert_true(idv_compliance_allows(&rule, IDV_METHOD_DOCUMENT_CAPTURE));
    rule.mdl_acceptance = IDV_MDL_ACCEPTANCE_SUPPLEMENTARY;
    assert_true(idv_compliance_allows(&rule, IDV_METHOD_MDL));
    rule.excluded_methods = ~(idv_method_set_t)0;
    assert_false(idv_compliance_allows(&rule, IDV_METHOD_DOCUMENT_CAPTURE));
    assert_true(idv_compliance_allows(&rule, IDV_METHOD_IP_ANALYSIS));
    assert_int_equal(idv_compliance_methods(&rule), 0);
    rule = (idv_compliance_t){.prohibited = 1};
    assert_int_equal(idv_compliance_methods(&rule), 0);
}

/* Each is stricter than all that stand before it. */
static void finds_the_stricter(void **state)
{
    static const idv_compliance_t rules[] = {
        {0},
        {.credential_validity_days = 90},
        {.credential_validity_days = 30},
        {.excluded_methods = IDV_METHOD_BIT(IDV_METHOD_MDL)},
        {.excluded_methods = IDV_METHOD_BIT(IDV_METHOD_SELFIE_MATCH)
                           | IDV_METHOD_BIT(IDV_METHOD_NFC_PASSPORT)},
        {.mdl_acceptance = IDV_MDL_ACCEPTANCE_SUPPLEMENTARY},
        {.mdl_acceptance = IDV_MDL_ACCEPTANCE_NOT_RECOGNIZED},
        {.physical_check_required = 1},
        {.age_tier = IDV_TIER_MIN_AGE_16},
        {.age_tier = IDV_TIER_MIN_AGE_18},
        {.age_tier = IDV_TIER_MIN_AGE_21, .required_age = 19},
        {.age_tier = IDV_TIER_MIN_AGE_21},
        {.prohibited = 1},
        {.prohibited = 1, .age_tier = IDV_TIER_MIN_AGE_18},
    };
    const int count = sizeof(rules) / sizeof(*rules);
    const idv_compliance_t full = {.mdl_acceptance = IDV_MDL_ACCEPTANCE_FULL};
    const idv_compliance_t usual = {
        .credential_validity_days = IDV_CREDENTIAL_VALIDITY_DAYS};

    (void)state;
    for (int i = 0; i < count; i++) {
        assert_int_equal(idv_compliance_compare(&rules[i], &rules[i]), 0);
        for (int k = 0; k < i; k++) {
            assert_true(idv_compliance_compare(&rules[i], &rules[k]) > 0);
            assert_true(idv_compliance_compare(&rules[k], &rules[i]) < 0);
        }
    }
    assert_int_equal(idv_compliance_compare(&full, &rules[0]), 0);
    assert_int_equal(idv_compliance_compare(&usual, &rules[0]), 0);
}

/* Of several products the strictest of what is demanded of those that may be
 * sold; of one that may not only what is done with data. */
static void restricts_several_products(void **state)
{
    const idv_method_set_t capture =
        IDV_METHOD_BIT(IDV_METHOD_DOCUMENT_CAPTURE);
    const idv_compliance_rule_t open = {.data_retention_days = -1};
    const idv_compliance_rule_t adult = {
        .compliance = {.age_tier = IDV_TIER_MIN_AGE_18, .required_age = 18,
                       .excluded_methods = capture},
        .data_retention_days = 30};
    const idv_compliance_rule_t older = {
        .compliance = {.age_tier = IDV_TIER_MIN_AGE_21, .required_age = 20},
        .data_retention_days = 90};
    const idv_compliance_rule_t banned = {
        .compliance = {.prohibited = 1, .age_tier = IDV_TIER_MIN_AGE_21,
                       .required_age = 30},
        .consent_required = 1, .data_retention_days = 0};
    idv_restriction_t all;

    (void)state;
    idv_restriction_init(&all);
    assert_false(all.any_permitted);
    assert_int_equal(all.data_retention_days, -1);
    idv_restriction_add(&all, IDV_USE_CASE_SOCIAL_MEDIA, &open);
    assert_true(all.any_permitted && (all.methods & capture));
    assert_int_equal(all.required_age, 0);
    idv_restriction_add(&all, IDV_USE_CASE_TOBACCO_NICOTINE, &older);
    idv_restriction_add(&all, IDV_USE_CASE_ADULT_CONTENT, &adult);
    assert_int_equal(all.age_tier, IDV_TIER_MIN_AGE_21);
    assert_int_equal(all.required_age, 20);
    assert_int_equal(all.data_retention_days, 30);
    assert_int_equal(all.methods & capture, 0);
    assert_false(all.consent_required);
    idv_restriction_add(&all, IDV_USE_CASE_FIREARMS, &banned);
    assert_int_equal(all.required_age, 20);
    assert_int_equal(all.data_retention_days, 0);
    assert_true(all.consent_required);
    assert_int_equal(all.prohibited_count, 1);
    assert_int_equal(all.prohibited[0], IDV_USE_CASE_FIREARMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(tells_what_is_wrong),
        pooled_test(checks_where_a_rule_comes_from),
        pooled_test(ends_the_list_of_faults),
        pooled_test(inherits_member_by_member),
        pooled_test(knows_nothing_elsewhere),
        pooled_test(filters_methods),
        pooled_test(finds_the_stricter),
        pooled_test(restricts_several_products),
    };

    return unit_run("domain_compliance", tests);
}
