/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict: every reason with its error, the age to the day and the hour,
 * open dates of birth, test issuers, and the summary's exact members. */
#include "unit/unit.h"

#include <jansson.h>

#include "unit/document_licence.h"

static idv_method_outcome_t *decide(const idv_document_t *document,
                                    const idv_document_rule_t *rule,
                                    apr_pool_t *pool)
{
    idv_document_findings_t findings = findings_of(document);
    idv_method_outcome_t *outcome;

    assert_null(idv_document_decide(&findings, rule, &outcome, pool));
    return outcome;
}

static int flag(const idv_method_outcome_t *outcome, const char *key)
{
    const json_t *value = json_object_get(outcome->verification_result, key);

    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

static double amount(const idv_method_outcome_t *outcome, const char *key)
{
    const json_t *value = json_object_get(outcome->verification_result, key);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void a_good_document_passes(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_method_outcome_t *outcome = decide(licence(pool), &rule, pool);

    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_null(outcome->hint);
    assert_null(outcome->last_error);
    assert_int_equal(outcome->facts.age, 21);
    assert_string_equal(outcome->facts.jurisdiction, "US-MD");
    assert_string_equal(outcome->document.kind, "driver_license");
    assert_string_equal(outcome->document.issuer, "US-MD");
    assert_int_equal(outcome->facts.expiry.year, 2028);
    for (int i = 0; i < outcome->check_count; i++) {
        /* Of Maryland's numbers no list says how they look. */
        int unknown = strcmp(outcome->checks[i].name, "document_number_format")
                   == 0;

        assert_int_equal(outcome->checks[i].result,
                         unknown ? IDV_CHECK_UNDETERMINED : IDV_CHECK_PASSED);
        assert_int_equal(outcome->checks[i].reason != NULL, unknown);
        assert_int_equal(outcome->checks[i].is_silent, unknown);
    }
    /* Exactly the document-capture summary of the interface. */
    assert_int_equal(json_object_size(outcome->verification_result), 9);
    assert_string_equal(json_string_value(json_object_get(
                            outcome->verification_result, "method")),
                        "document_capture");
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_DECODED);
    assert_string_equal(json_string_value(json_object_get(
                            outcome->verification_result, "assurance")),
                        "decoded");
    assert_true(amount(outcome, "confidence") == 0.45);
    assert_int_equal(flag(outcome, "age_verified"), 1);
    assert_true(amount(outcome, "age_estimate") == 21);
    assert_int_equal(flag(outcome, "identity_verified"), 0);
    assert_true(amount(outcome, "liveness_score") == 0);
    assert_int_equal(flag(outcome, "face_match_passed"), 0);
    assert_int_equal(flag(outcome, "barcode_cross_ref_match"), 0);
}

static int is_doubt(int reason)
{
    return idv_document_reason_is_undetermined(reason)
           || reason == R(SEX_INVALID) /* in a barcode */
           || idv_document_reason_check(reason)
                  == IDV_DOCUMENT_CHECK_DOCUMENT_REUSED;
}

/* Seen with a second code that says the same, so that the identity hangs on
 * the reason alone. */
static idv_method_outcome_t *decide_confirmed(const idv_document_t *document,
                                              const idv_document_rule_t *rule,
                                              apr_pool_t *pool)
{
    idv_document_findings_t findings = findings_of(document);
    idv_method_outcome_t *outcome;

    findings.barcode_cross_reference = IDV_DOCUMENT_MATCHES;
    findings.is_confirmed = 1;
    findings.confirmed_by = IDV_DOCUMENT_SOURCE_MRZ_TD1;
    assert_null(idv_document_decide(&findings, rule, &outcome, pool));
    return outcome;
}

static void every_reason_declines_with_its_error(void **state)
{
    static const char *const errors[] = {
        NULL,
#define UNVERIFIED "document_unverified"
#define NOT_ACCEPTED "document_not_accepted"
#define EXPIRED "document_expired"
#define REUSED "document_reused"
#define UNDER_AGE "under_age"
#define UNDETERMINED "document_undetermined"
#define AGE_UNDETERMINED "age_undetermined"
#define X(name, code, check, error) error,
        IDV_DOCUMENT_REASONS(X)
#undef X
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (int reason = 1; reason < IDV_DOCUMENT_REASON_COUNT; reason++) {
        idv_document_t *document = licence(pool);
        const char *check =
            idv_document_check_code(idv_document_reason_check(reason));
        idv_method_outcome_t *outcome;

        idv_document_check(document, idv_document_reason_check(reason), reason);
        outcome = decide_confirmed(document, &rule, pool);
        if (idv_document_reason_is_silent(reason)) {
            assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
            assert_null(outcome->last_error);
            continue;
        }
        assert_int_equal(outcome->verdict, is_doubt(reason)
                                               ? IDV_METHOD_UNDETERMINED
                                               : IDV_METHOD_FAILED);
        assert_int_equal(outcome->doubts != 0, is_doubt(reason));
        if (reason != R(SEX_INVALID))
            assert_string_equal(outcome->last_error->code, errors[reason]);
        assert_string_equal(outcome->last_error->category,
                            "verification_declined");
        assert_string_equal(reason_in(outcome, check),
                            idv_document_reason_code(reason));
        assert_int_equal(flag(outcome, "age_verified"), 0);
        assert_int_equal(flag(outcome, "identity_verified"),
                         reason == R(UNDER_AGE)
                             || reason == R(AGE_UNDETERMINED));
        assert_int_equal(outcome->facts.jurisdiction != NULL,
                         is_doubt(reason));
        assert_non_null(outcome->document.kind);
    }
}

static void the_weightiest_reason_makes_the_error(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = licence(pool);
    idv_document_rule_t rule = rule_at(instant(2030, 7, 2, 12));
    idv_method_outcome_t *outcome;

    outcome = decide(document, &rule, pool);
    assert_string_equal(outcome->last_error->code, "document_expired");
    /* What is only unusual weighs least. */
    idv_document_check(document, IDV_DOCUMENT_CHECK_SEX, R(SEX_INVALID));
    assert_string_equal(decide(document, &rule, pool)->last_error->code,
                        "document_expired");
    idv_document_conclude(document, R(DOCUMENT_NUMBER_INVALID), 1);
    outcome = decide(document, &rule, pool);
    assert_string_equal(outcome->last_error->code, "document_unverified");
    assert_string_equal(reason_in(outcome, "expiry"), "expired");
    /* Nothing else is worth telling somebody who is too young. */
    rule.required_age = 30;
    outcome = decide(document, &rule, pool);
    assert_string_equal(outcome->last_error->code, "under_age");
    assert_string_equal(reason_in(outcome, "sex"), "sex_invalid");
    assert_int_equal(flag(outcome, "identity_verified"), 0);
}

/* A generation is told by the day of birth, whatever the age. */
static void holds_to_the_day_of_birth(void **state)
{
    static const struct {
        const char *born_before;
        idv_date_t born;
        const char *reason;
    } cases[] = {
        {"2003-07-02", {2003, 7, 1}, NULL},
        {"2003-07-01", {2003, 7, 1}, "under_age"},
        {"2003-06-30", {2003, 7, 1}, "under_age"},
        {"2003-07-15", {2003, 7, 0}, "age_undetermined"},
        {"2003-07-01", {2003, 7, 0}, "under_age"},
        {"2004-01-01", {2003, 7, 0}, NULL},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(cases); i++) {
        idv_document_t *document = licence(pool);
        idv_document_rule_t rule = rule_at(instant(2027, 1, 1, 12));
        const char *reason;

        document->date_of_birth = cases[i].born;
        rule.required_age = 18;
        rule.born_before = cases[i].born_before;
        reason = reason_in(decide(document, &rule, pool), "age");
        if (cases[i].reason)
            assert_string_equal(reason, cases[i].reason);
        else
            assert_null(reason);
    }
}

/* The birthday and the day after expiry begin with the day in the west. */
static void days_are_those_of_the_jurisdiction(void **state)
{
    static const struct {
        const char *jurisdiction;
        int month, day, hour; /* UTC, in 2024 */
        int is_of_age;
    } birthdays[] = {
        { "DE", 6, 30, 22, 0 },    { "DE", 6, 30, 23, 1 },
        { "US-MD", 7, 1, 4, 0 },   { "US-MD", 7, 1, 5, 1 },
        { "US-HI", 7, 1, 9, 0 },   { "US-HI", 7, 1, 10, 1 },
        { "US", 7, 1, 9, 0 },      { "US", 7, 1, 10, 1 },
        { NULL, 7, 1, 11, 0 },     { NULL, 7, 1, 12, 1 },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule;
    idv_method_outcome_t *outcome;

    for (size_t i = 0; i < LENGTH(birthdays); i++) {
        rule = rule_at(instant(2024, birthdays[i].month, birthdays[i].day,
                               birthdays[i].hour));
        rule.jurisdiction = birthdays[i].jurisdiction;
        outcome = decide(licence(pool), &rule, pool);
        assert_int_equal(outcome->verdict, birthdays[i].is_of_age
                                               ? IDV_METHOD_PASSED
                                               : IDV_METHOD_FAILED);
        if (!birthdays[i].is_of_age)
            assert_string_equal(outcome->last_error->code, "under_age");
    }
    rule = rule_at(instant(2028, 7, 2, 4)); /* 23 h on the day of expiry */
    assert_int_equal(decide(licence(pool), &rule, pool)->verdict,
                     IDV_METHOD_PASSED);
    rule.now += IDV_HOUR;
    outcome = decide(licence(pool), &rule, pool);
    assert_string_equal(outcome->last_error->code, "document_expired");
    rule.accept_expired = 1;
    assert_int_equal(decide(licence(pool), &rule, pool)->verdict,
                     IDV_METHOD_PASSED);
}

static void open_dates_of_birth_pass_only_when_certain(void **state)
{
    static const struct {
        idv_date_t birth;
        const char *error; /* NULL: passes */
        int age, younger_than;
    } rows[] = {
        { { 2002, 0, 0 }, NULL, 21, 23 },
        { { 2003, 0, 0 }, "age_undetermined", 20, 22 },
        { { 2004, 0, 0 }, "under_age", 19, 21 },
        { { 2003, 6, 0 }, NULL, 21, 22 },
        { { 2003, 7, 0 }, "age_undetermined", 20, 22 },
        { { 2003, 8, 0 }, "under_age", 20, 21 },
        { { 0, 0, 0 }, "age_undetermined", 0, 0 },
        { { 2003, 7, 2 }, NULL, 21, 22 },
        { { 2003, 7, 3 }, "under_age", 20, 21 },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;

        document->date_of_birth = rows[i].birth;
        outcome = decide(document, &rule, pool);
        if (rows[i].error)
            assert_string_equal(outcome->last_error->code, rows[i].error);
        else
            assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_true(amount(outcome, "age_estimate") == rows[i].age);
        assert_int_equal(outcome->facts.younger_than, rows[i].younger_than);
    }
}

/* Of a zone that says 24 for the year of birth: neither 102 nor 2 is certain,
 * and the person is not called too young. */
static void an_open_century_leaves_the_age_open(void **state)
{
    static const struct {
        idv_date_t birth;
        const char *born_before; /* NULL: any day will do */
        const char *error;       /* NULL: passes */
        int required_age, younger_than;
    } rows[] = {
        {{2024, 11, 27}, NULL, "age_undetermined", 21, 103},
        {{2026, 11, 29}, NULL, "age_undetermined", 21, 100},
        {{2024, 11, 27}, NULL, NULL, 2, 103},
        {{2024, 11, 27}, "2009-01-01", "age_undetermined", 2, 103},
        {{2024, 11, 27}, "1924-01-01", "under_age", 2, 2},
        {{2024, 11, 27}, NULL, "under_age", 103, 103},
        {{2024, 0, 0}, NULL, "age_undetermined", 21, 103},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_rule_t rule = rule_at(instant(2026, 11, 27, 12));
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;

        document->kind = IDV_DOCUMENT_ID_CARD;
        document->date_of_issue.year = 0;
        document->date_of_birth = document->earlier_birth = rows[i].birth;
        document->earlier_birth.year -= 100;
        rule.required_age = rows[i].required_age;
        rule.born_before = rows[i].born_before;
        outcome = decide(document, &rule, pool);
        if (rows[i].error)
            assert_string_equal(outcome->last_error->code, rows[i].error);
        else
            assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_int_equal(outcome->facts.younger_than, rows[i].younger_than);
        assert_int_equal(flag(outcome, "age_verified"), !rows[i].error);
        assert_true(amount(outcome, "age_estimate") <= 2);
    }
}

/* Of somebody of 16, where 21 is required: whatever else is wrong with the
 * document, no reviewer makes its holder older. Where the age suffices, of what
 * contradicts itself no date is sure. */
static void nothing_hides_that_somebody_is_too_young(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (int name = 1; name < IDV_DOCUMENT_REASON_COUNT; name++) {
        idv_document_reason_t reason = (idv_document_reason_t)name;
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;

        if (idv_document_reason_check(reason) == IDV_DOCUMENT_CHECK_AGE)
            continue;
        document->date_of_birth = (idv_date_t){ 2008, 1, 1 };
        rule.required_age = 21;
        idv_document_check(document, idv_document_reason_check(reason), reason);
        outcome = decide(document, &rule, pool);
        assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
        assert_int_equal(outcome->facts.younger_than, 17);
        assert_false(flag(outcome, "age_verified"));
        rule.required_age = 16;
        outcome = decide(document, &rule, pool);
        assert_int_equal(outcome->facts.younger_than,
                         outcome->verdict == IDV_METHOD_FAILED
                                 && strcmp(outcome->last_error->code,
                                           "document_unverified") == 0
                             ? 0
                             : 17);
    }
}

static void without_a_required_age_none_is_checked(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = licence(pool);
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_method_outcome_t *outcome;

    rule.required_age = 0;
    document->date_of_birth = (idv_date_t){ 0, 0, 0 };
    outcome = decide(document, &rule, pool);
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_int_equal(outcome->facts.age, -1);
    assert_int_equal(flag(outcome, "age_verified"), 0);
    assert_int_equal(flag(decide_confirmed(document, &rule, pool),
                          "identity_verified"),
                     1);
    document->date_of_birth = (idv_date_t){ 2025, 1, 1 };
    outcome = decide(document, &rule, pool);
    assert_string_equal(reason_in(outcome, "date_of_birth"),
                        "date_of_birth_in_future");
}

static void issuers_are_looked_up_again(void **state)
{
    static const struct {
        const char *issuer;
        int accept_test;
        const char *error;
    } rows[] = {
        { "UT", 0, "document_not_accepted" },
        { "UT", 1, NULL },
        { "DE", 0, NULL },
        { "EU", 0, NULL },
        { "QQ", 1, "document_unverified" },
        { NULL, 1, "document_unverified" },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;

        document->issuing_country = rows[i].issuer;
        document->issuing_region = NULL;
        rule.accept_test_issuers = rows[i].accept_test;
        outcome = decide(document, &rule, pool);
        if (rows[i].error) {
            assert_string_equal(outcome->last_error->code, rows[i].error);
        } else {
            assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
            assert_string_equal(outcome->facts.jurisdiction, rows[i].issuer);
        }
    }
}

static void the_other_code_must_match(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_document_findings_t findings = findings_of(licence(pool));
    idv_method_outcome_t *outcome;

    findings.barcode_cross_reference = IDV_DOCUMENT_MATCHES;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_int_equal(flag(outcome, "barcode_cross_ref_match"), 1);
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_DECODED);
    findings.is_confirmed = 1;
    findings.confirmed_by = IDV_DOCUMENT_SOURCE_MRZ_TD1;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->assurance, IDV_ASSURANCE_CONSISTENT);
    assert_true(amount(outcome, "confidence") == 0.675);
    assert_int_equal(flag(outcome, "identity_verified"), 1);
    findings.is_confirmed = 0;
    findings.barcode_cross_reference = IDV_DOCUMENT_DIFFERS;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_string_equal(outcome->last_error->code, "document_unverified");
    assert_string_equal(reason_in(outcome, "barcode_cross_reference"),
                        "barcode_mismatch");
    assert_int_equal(flag(outcome, "barcode_cross_ref_match"), 0);
}

/* A document of which no portrait was seen: the front is asked for where it was
 * not sent, and what stays open is the workflow's. */
static void a_portrait_is_missed(void **state)
{
    static const struct {
        idv_document_source_t source;
        idv_document_kind_t kind;
        const char *issuer;
        int sides;
        idv_method_verdict_t verdict;
        const char *reason; /* of the check */
    } rows[] = {
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_DRIVER_LICENSE, "US",
          1, IDV_METHOD_UNREADABLE, NULL },
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_DRIVER_LICENSE, "US",
          2, IDV_METHOD_UNDETERMINED, "document_portrait_missing" },
        { IDV_DOCUMENT_SOURCE_MRZ_TD1, IDV_DOCUMENT_ID_CARD, "DE", 1,
          IDV_METHOD_UNREADABLE, NULL },
        { IDV_DOCUMENT_SOURCE_MRZ_TD2, IDV_DOCUMENT_ID_CARD, "DE", 1,
          IDV_METHOD_UNDETERMINED, "document_portrait_missing" },
        { IDV_DOCUMENT_SOURCE_MRZ_TD3, IDV_DOCUMENT_PASSPORT, "DE", 1,
          IDV_METHOD_UNDETERMINED, "document_portrait_missing" },
        { IDV_DOCUMENT_SOURCE_MRZ_MRVA, IDV_DOCUMENT_VISA, "DE", 1,
          IDV_METHOD_PASSED, NULL },
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_DRIVER_LICENSE, "UT",
          1, IDV_METHOD_PASSED, NULL },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    rule.accept_test_issuers = 1;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(pool);
        idv_document_findings_t findings = findings_of(document);
        idv_method_outcome_t *outcome;

        document->source = rows[i].source;
        document->kind = rows[i].kind;
        document->issuing_country = rows[i].issuer;
        document->issuing_region = NULL;
        findings.sides = rows[i].sides;
        findings.portrait = IDV_DOCUMENT_PORTRAIT_MISSING;
        findings.raster = findings.paste = (idv_document_trace_t){1, 1};
        assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
        assert_int_equal(outcome->verdict, rows[i].verdict);
        /* A picture that is to be taken again leaves no trace without its check. */
        assert_int_equal(outcome->traces == 0,
                         rows[i].verdict == IDV_METHOD_UNREADABLE);
        if (rows[i].verdict == IDV_METHOD_UNREADABLE) {
            assert_string_equal(outcome->hint, "front_missing");
            assert_int_equal(outcome->doubts, 0);
        } else if (rows[i].reason) {
            assert_string_equal(reason_in(outcome, "document_portrait"),
                                rows[i].reason);
            assert_string_equal(outcome->last_error->code,
                                "document_undetermined");
            assert_int_equal(outcome->doubts, 1u << IDV_DOUBT_UNDETERMINED);
        }
        findings.portrait = IDV_DOCUMENT_PORTRAIT_FOUND;
        assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
        assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    }
}

/* What fails by itself needs no front, and who is identified shows a portrait. */
static void a_missing_portrait_hides_nothing(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 6, 30, 12));
    idv_document_findings_t findings = findings_of(licence(pool));
    idv_method_outcome_t *outcome;

    findings.sides = 1;
    findings.portrait = IDV_DOCUMENT_PORTRAIT_MISSING;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_string_equal(outcome->last_error->code, "under_age");
    findings.sides = 2;
    findings.barcode_cross_reference = IDV_DOCUMENT_MATCHES;
    findings.is_confirmed = 1;
    findings.confirmed_by = IDV_DOCUMENT_SOURCE_MRZ_TD1;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_int_equal(flag(outcome, "identity_verified"), 0);
    findings.portrait = IDV_DOCUMENT_PORTRAIT_FOUND;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(flag(outcome, "identity_verified"), 1);
}

/* Each row is a card that no issuer ever issued, or one that looks like it. */
static void impossible_data_fails(void **state)
{
    static const struct {
        const char *region, *number;
        idv_date_t birth, issue, expiry;
        idv_document_kind_t kind;
        idv_document_reason_t reason;
    } rows[] = {
        { "VT", "S512", { 1904, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(NONE) },
        { "VT", "S512", { 1903, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(DATE_OF_BIRTH_IMPLAUSIBLE) },
        { "VT", "S512", { 2000, 7, 1 }, { 2014, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(NONE) },
        { "VT", "S512", { 2000, 7, 1 }, { 2014, 6, 30 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(DATE_OF_ISSUE_IMPLAUSIBLE) },
        { "VT", "S512", { 2000, 7, 1 }, { 2014, 6, 30 }, { 2028, 7, 1 },
          IDV_DOCUMENT_ID_CARD, R(NONE) },
        { "VT", "S512", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2036, 7, 2 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(VALIDITY_TERM_IMPOSSIBLE) },
        { "VT", "S512", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2065, 7, 1 },
          IDV_DOCUMENT_ID_CARD, R(NONE) },
        { "AZ", "D04852767", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2065, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(NONE) },
        { NULL, "C01X00T47", { 2000, 7, 1 }, { 0, 0, 0 }, { 2039, 7, 1 },
          IDV_DOCUMENT_PASSPORT, R(NONE) },
        { NULL, "C01X00T47", { 2000, 7, 1 }, { 0, 0, 0 }, { 2039, 7, 4 },
          IDV_DOCUMENT_PASSPORT, R(VALIDITY_TERM_IMPOSSIBLE) },
        { "CA", "D1234567", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2025, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(NONE) },
        { "CA", "12345678", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(DOCUMENT_NUMBER_FORMAT_WRONG) },
        { "CA", "12345678", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_ID_CARD, R(NONE) },
        { "CA", "D123456", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(DOCUMENT_NUMBER_FORMAT_WRONG) },
        { "MI", "M 236 567 071 342", { 1968, 3, 23 }, { 2020, 7, 1 },
          { 2028, 7, 1 }, IDV_DOCUMENT_DRIVER_LICENSE, R(NONE) },
        { "MI", "L 341 567 071", { 1968, 3, 23 }, { 2020, 7, 1 },
          { 2028, 7, 1 }, IDV_DOCUMENT_DRIVER_LICENSE,
          R(DOCUMENT_NUMBER_FORMAT_WRONG) },
        { "TX", "1234567A", { 2000, 7, 1 }, { 2020, 7, 1 }, { 2028, 7, 1 },
          IDV_DOCUMENT_DRIVER_LICENSE, R(DOCUMENT_NUMBER_FORMAT_WRONG) },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    rule.required_age = 0;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;
        const char *check;

        document->kind = rows[i].kind;
        document->issuing_region = rows[i].region;
        document->number = rows[i].number;
        document->date_of_birth = rows[i].birth;
        document->date_of_issue = rows[i].issue;
        document->date_of_expiry = rows[i].expiry;
        outcome = decide(document, &rule, pool);
        if (rows[i].reason == R(NONE)) {
            assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
            continue;
        }
        check =
            idv_document_check_code(idv_document_reason_check(rows[i].reason));
        assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
        assert_string_equal(outcome->last_error->code, "document_unverified");
        assert_string_equal(reason_in(outcome, check),
                            idv_document_reason_code(rows[i].reason));
    }
}

/* What is only unusual is a doubt, also where the reader says that it is none, and
 * what fails weighs more. */
static void unusual_data_leaves_a_doubt(void **state)
{
    static const struct {
        const char *region, *number;
        idv_date_t expiry;
        const char *reason;
        idv_method_verdict_t verdict;
    } rows[] = {
        { "CT", "22788151", { 2028, 7, 1 }, "document_number_format_unusual",
          IDV_METHOD_UNDETERMINED },
        { "MD", "S-512-887-236-780", { 2028, 7, 1 },
          "document_number_holder_mismatch", IDV_METHOD_UNDETERMINED },
        { "MD", "1", { 2030, 7, 2 }, "validity_term_unusual",
          IDV_METHOD_UNDETERMINED },
        { "CA", "1", { 2028, 7, 1 }, "document_number_format_wrong",
          IDV_METHOD_FAILED },
        { "XX", "1", { 2028, 7, 1 }, NULL, IDV_METHOD_PASSED },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(pool);
        idv_method_outcome_t *outcome;
        int found = rows[i].reason == NULL;

        document->issuing_region = rows[i].region;
        document->number = rows[i].number;
        document->date_of_expiry = rows[i].expiry;
        idv_document_check(document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_FORMAT,
                           R(DOCUMENT_NUMBER_FORMAT_UNKNOWN));
        outcome = decide(document, &rule, pool);
        assert_int_equal(outcome->verdict, rows[i].verdict);
        for (int k = 0; !found && k < outcome->check_count; k++)
            found = outcome->checks[k].reason
                 && strcmp(outcome->checks[k].reason, rows[i].reason) == 0;
        assert_true(found);
    }
}

/* What was seen elsewhere is a doubt, whose documents everybody has is not. */
static void documents_of_others_leave_a_doubt(void **state)
{
    static const struct {
        idv_document_sightings_t seen;
        const char *reason;
    } rows[] = {
        { { 0, 0, 0 }, NULL },
        { { 1, 0, 0 }, "same_picture_twice" },
        { { 0, 1, 0 }, "picture_of_another_session" },
        { { 0, 0, 1 }, "document_of_another_person" },
        { { 1, 1, 1 }, "same_picture_twice" },
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_document_t *document = licence(pool);
    idv_method_outcome_t *outcome;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        rule.seen = rows[i].seen;
        outcome = decide_confirmed(document, &rule, pool);
        assert_int_equal(outcome->verdict, rows[i].reason
                                               ? IDV_METHOD_UNDETERMINED
                                               : IDV_METHOD_PASSED);
        assert_int_equal(outcome->doubts,
                         rows[i].reason ? 1u << IDV_DOUBT_DOCUMENT_REUSED : 0);
        assert_int_equal(flag(outcome, "identity_verified"), !rows[i].reason);
        assert_int_equal(flag(outcome, "age_verified"), !rows[i].reason);
        if (rows[i].reason) {
            assert_string_equal(reason_in(outcome, "document_reused"),
                                rows[i].reason);
            assert_string_equal(outcome->last_error->code, "document_reused");
        }
    }
    rule.required_age = 30; /* what fails is no doubt */
    outcome = decide(document, &rule, pool);
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
    assert_int_equal(outcome->doubts, 0);
    rule.required_age = 0;
    rule.accept_test_issuers = 1;
    rule.seen = (idv_document_sightings_t){ 0, 1, 1 };
    document->issuing_country = "UT";
    document->issuing_region = NULL;
    assert_int_equal(decide(document, &rule, pool)->verdict,
                     IDV_METHOD_PASSED);
}

static void what_cannot_be_read_is_asked_for_again(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_document_findings_t findings = findings_of(licence(pool));
    idv_method_outcome_t *outcome;

    findings.readers_agree = 0;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_UNREADABLE);
    assert_string_equal(outcome->hint, "readers_disagree");
    assert_null(outcome->verification_result);
    assert_null(outcome->last_error);
    assert_int_equal(outcome->check_count, 0);
    findings = (idv_document_findings_t){ .hint = IDV_DOCUMENT_HINT_BLURRED };
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_UNREADABLE);
    assert_string_equal(outcome->hint, "blurred");
}

static void a_cut_picture_is_asked_for_again(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));
    idv_document_findings_t findings = findings_of(licence(pool));
    idv_method_outcome_t *outcome;

    findings.is_cut = 1;
    findings.side = IDV_DOCUMENT_SIDE_FRONT;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_UNREADABLE);
    assert_string_equal(outcome->hint, "cut_off");
    assert_string_equal(outcome->hint_side, "front");
    findings.side = IDV_DOCUMENT_SIDE_NONE; /* both */
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_string_equal(outcome->hint, "cut_off");
    assert_null(outcome->hint_side);
    rule.accept_cut = 1;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
    assert_null(outcome->hint_side);
    /* No better picture makes anybody older. */
    rule.accept_cut = 0;
    rule.required_age = 119;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, IDV_METHOD_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_good_document_passes),
        pooled_test(every_reason_declines_with_its_error),
        pooled_test(the_weightiest_reason_makes_the_error),
        pooled_test(holds_to_the_day_of_birth),
        pooled_test(an_open_century_leaves_the_age_open),
        pooled_test(days_are_those_of_the_jurisdiction),
        pooled_test(open_dates_of_birth_pass_only_when_certain),
        pooled_test(nothing_hides_that_somebody_is_too_young),
        pooled_test(without_a_required_age_none_is_checked),
        pooled_test(issuers_are_looked_up_again),
        pooled_test(the_other_code_must_match),
        pooled_test(a_portrait_is_missed),
        pooled_test(a_missing_portrait_hides_nothing),
        pooled_test(impossible_data_fails),
        pooled_test(unusual_data_leaves_a_doubt),
        pooled_test(documents_of_others_leave_a_doubt),
        pooled_test(a_cut_picture_is_asked_for_again),
        pooled_test(what_cannot_be_read_is_asked_for_again),
    };

    return unit_run("document/decision", tests);
}
