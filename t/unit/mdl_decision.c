/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on mobile documents. */
#include "unit/mdl_fixture.h"

#include "methods/mdl/mdl_decision.h"

#define R(name) IDV_MDL_REASON_##name

/* 2026-06-01T12:00:00Z */
#define NOW ((idv_time_t)1780315200 * IDV_SECOND)

static idv_mdl_findings_t *proved(apr_pool_t *pool)
{
    idv_mdl_findings_t *findings = idv_mdl_findings_create(pool);

    for (int name = 0; name < IDV_MDL_CHECK_ISSUER_REVOCATION; name++)
        idv_mdl_pass(findings, name);
    findings->doc_type = "org.iso.18013.5.1.mDL";
    findings->handover = IDV_HANDOVER_OID4VP_1_0;
    findings->anchor_fingerprint = "11";
    findings->issuer_country = "US";
    findings->valid_until = NOW + 10 * IDV_DAY;
    return findings;
}

static void state_age(idv_mdl_findings_t *findings, int over, int is_true)
{
    APR_ARRAY_PUSH(findings->ages, idv_mdl_age_t) =
        (idv_mdl_age_t){ over, is_true };
}

static idv_mdl_findings_t *identity(apr_pool_t *pool)
{
    idv_mdl_findings_t *findings = proved(pool);

    findings->person = (idv_mdl_person_t){
        .family_name = "Doe",
        .given_name = "Jane",
        .document_number = "123",
        .issuing_country = "US",
        .birth_date = { 2005, 6, 1 },
        .expiry_date = { 2028, 1, 31 },
    };
    return findings;
}

static idv_mdl_rule_t rule_of(int required_age, int requires_identity)
{
    return (idv_mdl_rule_t){ .now = NOW,
                             .jurisdiction = "US-MD",
                             .required_age = required_age,
                             .requires_identity = requires_identity,
                             .issuer_revocation = IDV_REVOCATION_GOOD,
                             .credential_status = IDV_REVOCATION_GOOD };
}

static idv_method_outcome_t *decide(const idv_mdl_findings_t *findings,
                                    const idv_mdl_rule_t *rule,
                                    apr_pool_t *pool)
{
    idv_method_outcome_t *outcome;

    assert_null(idv_mdl_decide(findings, rule, &outcome, pool));
    assert_int_equal(outcome->hint != NULL,
                     outcome->verdict == IDV_METHOD_UNREADABLE);
    assert_int_equal(outcome->doubts != 0,
                     outcome->verdict == IDV_METHOD_UNDETERMINED);
    return outcome;
}

static void expect(const idv_method_outcome_t *outcome,
                   idv_method_verdict_t verdict, const char *error)
{
    assert_int_equal(outcome->verdict, verdict);
    if (error)
        assert_string_equal(outcome->last_error->code, error);
    else
        assert_null(outcome->last_error);
}

static int summary_is_true(const idv_method_outcome_t *outcome, const char *key)
{
    const json_t *value = json_object_get(outcome->verification_result, key);

    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

static void ages_follow_from_statements(void **state)
{
    static const struct {
        idv_mdl_age_t ages[3];
        int count, required;
        idv_method_verdict_t verdict;
        const char *error;
        int age, younger_than;
    } rows[] = {
        { { { 21, 1 } }, 1, 21, IDV_METHOD_PASSED, NULL, 21, 0 },
        { { { 25, 1 } }, 1, 21, IDV_METHOD_PASSED, NULL, 25, 0 },
        { { { 21, 0 } }, 1, 21, IDV_METHOD_FAILED, "under_age", -1, 21 },
        { { { 18, 0 } }, 1, 21, IDV_METHOD_FAILED, "under_age", -1, 18 },
        { { { 18, 1 } }, 1, 21, IDV_METHOD_UNDETERMINED, "age_undetermined",
          18, 0 },
        { { { 25, 0 } }, 1, 21, IDV_METHOD_UNDETERMINED, "age_undetermined",
          -1, 25 },
        { { { 18, 1 }, { 25, 0 } }, 2, 21, IDV_METHOD_UNDETERMINED,
          "age_undetermined", 18, 25 },
        { { { 18, 1 }, { 21, 0 } }, 2, 21, IDV_METHOD_FAILED, "under_age",
          -1, 21 },
        { { { 21, 1 }, { 18, 0 } }, 2, 21, IDV_METHOD_FAILED,
          "document_unverified", -1, 0 },
        { { { 21, 1 }, { 21, 0 } }, 2, 21, IDV_METHOD_FAILED,
          "document_unverified", -1, 0 },
        { { { 0, 0 } }, 0, 21, IDV_METHOD_UNDETERMINED, "age_undetermined",
          -1, 0 },
        { { { 21, 1 } }, 1, 0, IDV_METHOD_PASSED, NULL, 21, 0 },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        idv_mdl_findings_t *findings = proved(*state);
        idv_mdl_rule_t rule = rule_of(rows[i].required, 0);
        idv_method_outcome_t *outcome;

        for (int j = 0; j < rows[i].count; j++)
            state_age(findings, rows[i].ages[j].over, rows[i].ages[j].is_true);
        outcome = decide(findings, &rule, *state);
        if (outcome->verdict != rows[i].verdict)
            fail_msg("row %d: %d", (int)i, outcome->verdict);
        expect(outcome, rows[i].verdict, rows[i].error);
        assert_int_equal(outcome->facts.age, rows[i].age);
        assert_int_equal(outcome->facts.younger_than, rows[i].younger_than);
        assert_int_equal(summary_is_true(outcome, "age_verified"),
                         rows[i].verdict == IDV_METHOD_PASSED);
        assert_false(summary_is_true(outcome, "identity_verified"));
    }
}

/* Whatever fails besides, and whoever vouches for it: what shows somebody too
 * young shows that. */
static void nothing_hides_that_somebody_is_too_young(void **state)
{
    idv_mdl_rule_t rule = rule_of(21, 0);

    for (int name = 1; name < IDV_MDL_REASON_COUNT; name++) {
        idv_mdl_reason_t reason = (idv_mdl_reason_t)name;
        idv_mdl_findings_t *findings = proved(*state);
        idv_method_outcome_t *outcome;

        state_age(findings, 21, 0);
        if (idv_mdl_reason_check(reason) == IDV_MDL_CHECK_AGE
            || reason == R(AGE_STATEMENTS_CONTRADICT))
            continue;
        idv_mdl_fail(findings, reason);
        outcome = decide(findings, &rule, *state);
        if (outcome->verdict == IDV_METHOD_UNREADABLE)
            continue;
        assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
        assert_int_equal(outcome->facts.younger_than, 21);
        assert_false(summary_is_true(outcome, "age_verified"));
    }
}

/* Born on 1 June 2005, so 21 on the day of the check. */
static void the_date_of_birth_stands_above_statements(void **state)
{
    idv_mdl_findings_t *findings = identity(*state);
    idv_mdl_rule_t rule = rule_of(21, 1);
    idv_method_outcome_t *outcome = decide(findings, &rule, *state);

    expect(outcome, IDV_METHOD_PASSED, NULL);
    assert_int_equal(outcome->facts.age, 21);
    assert_true(summary_is_true(outcome, "age_verified"));
    assert_true(summary_is_true(outcome, "identity_verified"));
    assert_string_equal(outcome->facts.jurisdiction, "US");
    assert_string_equal(outcome->document.kind, "mobile_driver_license");
    assert_string_equal(outcome->document.issuer, "US");
    assert_int_equal(outcome->facts.expiry.year, 2028);
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_SIGNED);
    rule.now = NOW - IDV_DAY;
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED, "under_age");
    assert_true(summary_is_true(decide(findings, &rule, *state),
                                "identity_verified"));
    rule.now = NOW;
    state_age(findings, 21, 0); /* of before the birthday */
    expect(decide(findings, &rule, *state), IDV_METHOD_PASSED, NULL);
    findings = identity(*state);
    state_age(findings, 25, 1); /* at 21 */
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED,
           "document_unverified");
}

/* In Hawaii it is still the day before for ten hours. */
static void the_date_is_that_of_the_jurisdiction(void **state)
{
    idv_mdl_findings_t *findings = identity(*state);
    idv_mdl_rule_t rule = rule_of(21, 0);

    rule.now = NOW - 4 * IDV_HOUR; /* 8 o'clock UTC */
    rule.jurisdiction = "DE";
    expect(decide(findings, &rule, *state), IDV_METHOD_PASSED, NULL);
    rule.jurisdiction = "US-HI";
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED, "under_age");
}

static void identities_need_their_elements(void **state)
{
    idv_mdl_rule_t rule = rule_of(0, 1);
    idv_method_outcome_t *outcome;

    for (int i = 0; i < 4; i++) {
        idv_mdl_findings_t *findings = identity(*state);

        if (i == 0)
            findings->person.family_name = NULL;
        else if (i == 1)
            findings->person.given_name = NULL;
        else if (i == 2)
            findings->person.document_number = NULL;
        else
            findings->person.birth_date.year = 0;
        outcome = decide(findings, &rule, *state);
        assert_int_equal(outcome->verdict, IDV_METHOD_UNREADABLE);
        assert_string_equal(outcome->hint, "document_not_provided");
        assert_null(outcome->verification_result);
    }
}

static void expiry_is_inclusive(void **state)
{
    idv_mdl_findings_t *findings = identity(*state);
    idv_mdl_rule_t rule = rule_of(0, 1);

    findings->person.expiry_date = (idv_date_t){ 2026, 6, 1 };
    expect(decide(findings, &rule, *state), IDV_METHOD_PASSED, NULL);
    findings->person.expiry_date = (idv_date_t){ 2026, 5, 31 };
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED,
           "document_expired");
    rule.accepts_expired = 1;
    expect(decide(findings, &rule, *state), IDV_METHOD_PASSED, NULL);
}

static void revocation_has_three_values(void **state)
{
    static const idv_revocation_t states[] = { IDV_REVOCATION_UNKNOWN,
                                               IDV_REVOCATION_GOOD,
                                               IDV_REVOCATION_REVOKED };
    static const idv_method_verdict_t verdicts[] = { IDV_METHOD_UNDETERMINED,
                                                     IDV_METHOD_PASSED,
                                                     IDV_METHOD_FAILED };
    static const char *const codes[] = { "document_status_unknown", NULL,
                                         "document_revoked" };

    for (int i = 0; i < 3; i++) {
        idv_mdl_rule_t rule = rule_of(0, 1);
        idv_mdl_findings_t *findings = identity(*state);

        /* Where nothing is published nothing can be unknown. */
        rule.issuer_revocation = rule.credential_status = states[i];
        expect(decide(findings, &rule, *state), IDV_METHOD_PASSED, NULL);
        findings->status_list_address = "https://s.example/1";
        rule.issuer_revocation = IDV_REVOCATION_REVOKED;
        expect(decide(findings, &rule, *state), verdicts[i], codes[i]);
        findings = identity(*state);
        findings->identifier_list_address = "https://s.example/1";
        expect(decide(findings, &rule, *state), verdicts[i], codes[i]);
        findings = identity(*state);
        APR_ARRAY_PUSH(findings->crl_addresses, const char *) = "http://c/1";
        rule.issuer_revocation = states[i];
        rule.credential_status = IDV_REVOCATION_REVOKED;
        expect(decide(findings, &rule, *state), verdicts[i], codes[i]);
    }
}

static void a_document_of_somebody_else_is_a_doubt(void **state)
{
    idv_mdl_findings_t *findings = identity(*state);
    idv_mdl_rule_t rule = rule_of(18, 1);
    idv_method_outcome_t *outcome;

    rule.document_of_another_person = 1;
    outcome = decide(findings, &rule, *state);
    expect(outcome, IDV_METHOD_UNDETERMINED, "document_reused");
    assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_DOCUMENT_REUSED);
    /* A failed check is no doubt. */
    rule.required_age = 30;
    outcome = decide(findings, &rule, *state);
    expect(outcome, IDV_METHOD_FAILED, "under_age");
}

static void each_reason_of_the_analysis_has_its_verdict(void **state)
{
    idv_mdl_rule_t rule = rule_of(21, 0);

    for (int reason = 1; reason < IDV_MDL_REASON_COUNT; reason++) {
        idv_mdl_findings_t *findings = proved(*state);
        idv_method_outcome_t *outcome;

        if (idv_mdl_reason_check(reason) >= IDV_MDL_CHECK_ISSUER_REVOCATION
            || idv_mdl_reason_is_of_form(reason))
            continue;
        idv_mdl_fail(findings, reason);
        outcome = decide(findings, &rule, *state);
        assert_int_not_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_int_not_equal(outcome->verdict, IDV_METHOD_UNDETERMINED);
        assert_int_equal(outcome->assurance, IDV_ASSURANCE_NONE);
        if (outcome->verdict == IDV_METHOD_FAILED) {
            assert_false(summary_is_true(outcome, "age_verified"));
            assert_false(summary_is_true(outcome, "identity_verified"));
        }
        for (int i = 0; i < outcome->check_count; i++)
            assert_int_equal(outcome->checks[i].result == IDV_CHECK_PASSED,
                             outcome->checks[i].reason == NULL);
    }
}

/* Nothing of what the signer proves changes by how its certificate is written. */
static void deviations_are_noted_or_undetermined(void **state)
{
    int count = 0;

    for (int reason = 1; reason < IDV_MDL_REASON_COUNT; reason++) {
        idv_mdl_findings_t *findings = identity(*state);
        idv_mdl_rule_t rule = rule_of(18, 1);
        idv_method_outcome_t *outcome;

        if (!idv_mdl_reason_is_of_form(reason))
            continue;
        count++;
        idv_mdl_fail(findings, reason);
        assert_true(idv_mdl_is_proved(findings));
        outcome = decide(findings, &rule, *state);
        expect(outcome, IDV_METHOD_PASSED, NULL);
        assert_int_equal(outcome->assurance, IDV_ASSURANCE_SIGNED);
        assert_true(summary_is_true(outcome, "age_verified"));
        rule.doubts_deviations = 1;
        outcome = decide(findings, &rule, *state);
        expect(outcome, IDV_METHOD_UNDETERMINED, "document_undetermined");
        assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_UNDETERMINED);
        rule.required_age = 30;
        expect(decide(findings, &rule, *state), IDV_METHOD_FAILED, "under_age");
    }
    assert_int_equal(count, 13);
}

static void the_weightiest_reason_is_told(void **state)
{
    idv_mdl_rule_t rule = rule_of(21, 0);
    idv_mdl_findings_t *findings = proved(*state);

    idv_mdl_fail(findings, R(CREDENTIAL_EXPIRED));
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED,
           "document_expired");
    idv_mdl_fail(findings, R(ISSUER_NOT_TRUSTED));
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED,
           "document_not_accepted");
    idv_mdl_fail(findings, R(DIGEST_WRONG));
    expect(decide(findings, &rule, *state), IDV_METHOD_FAILED,
           "document_unverified");
}

static void findings_without_checks_are_an_error(void **state)
{
    idv_mdl_rule_t rule = rule_of(0, 0);
    idv_method_outcome_t *outcome;

    assert_non_null(idv_mdl_decide(idv_mdl_findings_create(*state), &rule,
                                   &outcome, *state));
}

static void facts_name_the_place_and_the_last_day(void **state)
{
    idv_mdl_findings_t *findings = proved(*state);
    idv_mdl_rule_t rule = rule_of(21, 0);
    idv_method_outcome_t *outcome;

    state_age(findings, 21, 1);
    findings->issuer_region = "MD";
    outcome = decide(findings, &rule, *state);
    assert_string_equal(outcome->facts.jurisdiction, "US-MD");
    assert_int_equal(outcome->facts.expiry.month, 6);
    assert_int_equal(outcome->facts.expiry.day, 11);
    findings->person.issuing_jurisdiction = "US-VA";
    outcome = decide(findings, &rule, *state);
    assert_string_equal(outcome->facts.jurisdiction, "US-VA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(ages_follow_from_statements),
        pooled_test(nothing_hides_that_somebody_is_too_young),
        pooled_test(the_date_of_birth_stands_above_statements),
        pooled_test(the_date_is_that_of_the_jurisdiction),
        pooled_test(identities_need_their_elements),
        pooled_test(expiry_is_inclusive),
        pooled_test(revocation_has_three_values),
        pooled_test(a_document_of_somebody_else_is_a_doubt),
        pooled_test(each_reason_of_the_analysis_has_its_verdict),
        pooled_test(deviations_are_noted_or_undetermined),
        pooled_test(the_weightiest_reason_is_told),
        pooled_test(findings_without_checks_are_an_error),
        pooled_test(facts_name_the_place_and_the_last_day),
    };

    return unit_run("mdl_decision", tests);
}
