/* SPDX-License-Identifier: Apache-2.0 */
/* Rules held against each other: which is stricter, and what several demand. */
#include "unit.h"

#include "domain/law/compliance.h"

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
        {.credential_validity_days = 30, .credential_validity_minutes = 60},
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
        {.age_tier = IDV_TIER_MIN_AGE_21, .born_before = "2009-01-01"},
        {.age_tier = IDV_TIER_MIN_AGE_21, .born_before = "2008-01-01"},
        {.on_unknown = IDV_UNKNOWN_REVIEW},
        {.on_unknown = IDV_UNKNOWN_REFUSE},
        {.prohibited = 1},
        {.prohibited = 1, .age_tier = IDV_TIER_MIN_AGE_18},
    };
    const int count = sizeof(rules) / sizeof(*rules);
    const idv_compliance_t full = {.mdl_acceptance = IDV_MDL_ACCEPTANCE_FULL};
    const idv_compliance_t usual = {.credential_validity_days =
                                        IDV_CREDENTIAL_VALIDITY_DAYS};

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
        .compliance = {.age_tier = IDV_TIER_MIN_AGE_18,
                       .required_age = 18,
                       .excluded_methods = capture},
        .data_retention_days = 30};
    const idv_compliance_rule_t older = {
        .compliance = {.age_tier = IDV_TIER_MIN_AGE_21, .required_age = 20},
        .data_retention_days = 90};
    const idv_compliance_rule_t banned = {
        .compliance = {.prohibited = 1,
                       .age_tier = IDV_TIER_MIN_AGE_21,
                       .required_age = 30},
        .consent_required = 1,
        .data_retention_days = 0};
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
        pooled_test(filters_methods),
        pooled_test(finds_the_stricter),
        pooled_test(restricts_several_products),
    };

    return unit_run("compliance_compare", tests);
}
