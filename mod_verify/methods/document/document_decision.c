/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document_decision.h"

#include <stdio.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "core/json.h"
#include "domain/value/jurisdiction.h"
#include "methods/document/licence_rules.h"

#define METHOD "document_capture"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))
#define R(name) IDV_DOCUMENT_REASON_##name

enum {
#define X(name, code, message) ERROR_##name,
    IDV_DOCUMENT_ERRORS(X)
#undef X
};

static const idv_method_error_t errors[] = {
#define X(name, code, message) { code, message, "verification_declined" },
    IDV_DOCUMENT_ERRORS(X)
#undef X
};

/* The error of each reason; reasons are ordered by weight. */
static const int error_of_reason[] = {
    -1,
#define X(name, code, check, error) ERROR_##error,
    IDV_DOCUMENT_REASONS(X)
#undef X
};

int idv_document_reason_is_of_form(idv_document_reason_t reason)
{
    return error_of_reason[reason] == ERROR_UNVERIFIED
        || idv_document_reason_check(reason) == IDV_DOCUMENT_CHECK_NAMES;
}

/* Issuers of documents that are not countries of ISO 3166-1. */
static const char *const other_issuers[] = { "EU", "UN", "XX",
                                             IDV_DOCUMENT_TEST_ISSUER };

static int issuer_is_known(const char *code)
{
    for (int i = 0; i < COUNT(other_issuers); i++)
        if (strcmp(other_issuers[i], code) == 0)
            return 1;
    return idv_country_by_alpha2(code) != NULL;
}

/* --- what no issuer ever issued ---
 *
 * Holders who are older than anybody, and licences for children. Terms and numbers are
 * checked by licence_rules.h. These checks prove nothing, since forgers can read them;
 * they catch careless forgeries. Each bound leaves room above the known law, so that no
 * genuine document fails. */

/* The oldest person known reached 122. A holder of 120 must show the document
 * in person. */
#define AGE_MAX 120

/* The lowest age for an instruction permit (South Dakota, Kansas and others). */
#define DRIVER_AGE_MIN 14

static int was_driver_too_young(const idv_document_t *document)
{
    return document->kind == IDV_DOCUMENT_DRIVER_LICENSE
           && document->date_of_issue.year != 0
           && idv_date_is_complete(document->date_of_birth)
           && idv_date_age(document->date_of_birth, document->date_of_issue)
                      .lowest
                  < DRIVER_AGE_MIN;
}

/* Adds the check date_of_birth and those of licence_rules.h. YOUNGEST is the
 * lowest age in completed years that the date of birth allows, or -1. */
static void check_plausibility(idv_document_t *document, int youngest,
                               idv_date_t today)
{
    idv_document_conclude(document, R(DATE_OF_BIRTH_IMPLAUSIBLE),
                          youngest > AGE_MAX);
    idv_document_conclude(document, R(DATE_OF_ISSUE_IMPLAUSIBLE),
                          was_driver_too_young(document));
    idv_licence_rules_check(document, today);
}

/* --- checks of the rule --- */

static int is_of_test_issuer(const idv_document_t *document)
{
    const char *issuer = document->issuing_country;

    return issuer && strcmp(issuer, IDV_DOCUMENT_TEST_ISSUER) == 0;
}

/* Checks what the sandboxed reader does not decide: whether the issuer is in our
 * tables, and whether the rule accepts test issuers. */
static void check_issuer(idv_document_t *document,
                         const idv_document_rule_t *rule)
{
    const char *issuer = document->issuing_country;

    idv_document_conclude(document, R(ISSUER_UNKNOWN),
                          !issuer || !issuer_is_known(issuer));
    idv_document_conclude(document, R(TEST_ISSUER_REFUSED),
                          is_of_test_issuer(document)
                              && !rule->accept_test_issuers);
}

/* Non-zero if DOCUMENT must show a portrait, but none was found. */
static int lacks_portrait(const idv_document_findings_t *findings,
                          const idv_document_t *document)
{
    return findings->portrait == IDV_DOCUMENT_PORTRAIT_MISSING
           && idv_document_kind_has_portrait(document->kind)
           && !is_of_test_issuer(document);
}

static void check_portrait(const idv_document_findings_t *findings,
                           idv_document_t *document)
{
    if (findings->portrait != IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT)
        idv_document_conclude(document, R(DOCUMENT_PORTRAIT_MISSING),
                              lacks_portrait(findings, document));
}

/* Print that contradicts the code leaves a doubt. Print that was not read leaves none. */
static void check_print(const idv_document_findings_t *findings,
                        idv_document_t *document)
{
    static const struct {
        idv_print_field_t field;
        idv_document_reason_t reason;
    } against[] = {
        {IDV_PRINT_DATE_OF_BIRTH, R(PRINTED_DATE_OF_BIRTH_DIFFERS)},
        {IDV_PRINT_DATE_OF_EXPIRY, R(PRINTED_DATE_OF_EXPIRY_DIFFERS)},
        {IDV_PRINT_NUMBER, R(PRINTED_NUMBER_DIFFERS)},
        {IDV_PRINT_HOLDER, R(PRINTED_HOLDER_DIFFERS)},
    };
    const idv_print_verdicts_t *print = &findings->print;

    if (!findings->print_was_sought)
        return;
    for (int i = 0; i < COUNT(against); i++)
        idv_document_conclude(document, against[i].reason,
                              print->of[against[i].field]
                                  == IDV_PRINT_CONTRADICTED);
    if (idv_print_conclude(print) == IDV_PRINT_UNDETERMINED)
        idv_document_check(document, IDV_DOCUMENT_CHECK_PRINTED_FRONT,
                           R(PRINTED_FRONT_UNREAD));
}

/* A trace in the pixels is a risk signal: the check reports it, but neither a
 * doubt nor an error follows. */
static void check_trace(const idv_document_trace_t *trace,
                        idv_document_reason_t reason, unsigned bit,
                        idv_document_t *document,
                        idv_method_outcome_t *outcome)
{
    int is_seen = trace->is_known && trace->score >= IDV_DOCUMENT_TRACE_LIMIT;

    if (!trace->is_known)
        return;
    idv_document_conclude(document, reason, is_seen);
    if (is_seen)
        outcome->traces |= bit;
}

/* Non-zero if another code of the document, or the print of its front, agrees
 * with the code that was read, and nothing differs. */
static int is_cross_referenced(const idv_document_findings_t *findings)
{
    idv_document_comparison_t codes = findings->barcode_cross_reference;
    idv_print_verdict_t print = idv_print_conclude(&findings->print);

    return codes != IDV_DOCUMENT_DIFFERS && print != IDV_PRINT_CONTRADICTED
        && (codes == IDV_DOCUMENT_MATCHES || print == IDV_PRINT_CONSISTENT);
}

static void check_expiry(idv_document_t *document, idv_date_t today,
                         const idv_document_rule_t *rule)
{
    idv_date_t expiry = document->date_of_expiry;

    idv_document_conclude(document, R(EXPIRED),
                          !rule->accept_expired && expiry.year != 0
                              && idv_date_compare(today, expiry) > 0);
}

/* Whether a person born on BIRTH was born before the day of the rule: 1, 0, or
 * -1 if the date is too uncertain to tell. */
static int is_born_before(idv_date_t birth, const idv_document_rule_t *rule)
{
    idv_date_t day = {0};

    if (!rule->born_before
        || sscanf(rule->born_before, "%4d-%2d-%2d", &day.year, &day.month,
                  &day.day) != 3)
        return 1;
    if (idv_date_compare(idv_date_earliest(birth), day) >= 0)
        return 0;
    return idv_date_is_complete(birth) || birth.year < day.year ? 1 : -1;
}

/* The same for both centuries, if the document allows two. */
static int is_in_time(const idv_document_t *document,
                      const idv_document_rule_t *rule)
{
    int in_time = is_born_before(document->date_of_birth, rule);

    return document->earlier_birth.year == 0
                || is_born_before(document->earlier_birth, rule) == in_time
             ? in_time
             : -1;
}

static void check_age(idv_document_t *document, const idv_age_range_t *age,
                      const idv_document_rule_t *rule)
{
    int required_age = rule->required_age;
    idv_document_reason_t reason = R(NONE);
    int in_time = !idv_date_is_valid(document->date_of_birth)
                    ? 1
                    : is_in_time(document, rule);

    if (!idv_date_is_valid(document->date_of_birth))
        reason = R(AGE_UNDETERMINED);
    else if (age->highest < required_age || in_time == 0)
        reason = R(UNDER_AGE);
    else if (age->lowest < required_age || in_time < 0)
        reason = R(AGE_UNDETERMINED);
    idv_document_check(document, IDV_DOCUMENT_CHECK_AGE, reason);
}

/* Ordered by weight: one doubt of this kind is enough. */
static void check_sightings(idv_document_t *document,
                            const idv_document_rule_t *rule)
{
    const idv_document_sightings_t *seen = &rule->seen;
    int is_test = is_of_test_issuer(document);

    idv_document_conclude(document, R(SAME_PICTURE_TWICE),
                          seen->same_picture_twice);
    idv_document_conclude(document, R(PICTURE_OF_ANOTHER_SESSION),
                          seen->picture_of_another_session && !is_test);
    idv_document_conclude(document, R(DOCUMENT_OF_ANOTHER_PERSON),
                          seen->document_of_another_person && !is_test);
}

static int digits_hold(const idv_document_t *document)
{
    static const idv_document_check_name_t digits[] = {
        IDV_DOCUMENT_CHECK_CHECK_DIGIT_DOCUMENT_NUMBER,
        IDV_DOCUMENT_CHECK_CHECK_DIGIT_DATE_OF_BIRTH,
        IDV_DOCUMENT_CHECK_CHECK_DIGIT_DATE_OF_EXPIRY,
        IDV_DOCUMENT_CHECK_CHECK_DIGIT_OPTIONAL_DATA,
        IDV_DOCUMENT_CHECK_CHECK_DIGIT_COMPOSITE,
    };
    int held = 0;

    for (int i = 0; i < COUNT(digits); i++) {
        const idv_document_check_t *check =
            idv_document_find_check(document, digits[i]);

        if (check && check->reason != R(NONE))
            return 0;
        held += check != NULL;
    }
    return held > 0;
}

/* Non-zero if a genuine document may have the deviation REASON. A barcode has
 * no check digits, so there only the sex may be unusual. */
static int is_unusual(const idv_document_t *document,
                      idv_document_reason_t reason)
{
    static const idv_document_reason_t unusual[] = {
#define X(name) R(name),
        IDV_DOCUMENT_UNUSUAL_FORM(X)
#undef X
    };

    if (document->source == IDV_DOCUMENT_SOURCE_PDF417_AAMVA)
        return reason == R(SEX_INVALID);
    for (int i = 0; i < COUNT(unusual); i++)
        if (unusual[i] == reason)
            return digits_hold(document);
    return 0;
}

/* The doubt that REASON leaves if it is only about the issuer's way of writing;
 * 0 otherwise. RULE may say that a signature proves the text. */
static unsigned doubt_of_form(const idv_document_t *document,
                              const idv_document_rule_t *rule,
                              idv_document_reason_t reason)
{
    if (reason == R(NONE) || idv_document_reason_is_silent(reason))
        return 0;
    if (rule->is_authentic && idv_document_reason_is_of_form(reason))
        return 1u << IDV_DOUBT_NONCONFORMING;
    return is_unusual(document, reason) ? 1u << IDV_DOUBT_UNDETERMINED : 0;
}

/* The doubts that the failed checks leave; 0 if a check failed for certain. */
static unsigned doubts_of(const idv_document_t *document,
                          const idv_document_rule_t *rule)
{
    unsigned doubts = 0;

    for (int i = 0; i < document->checks->nelts; i++) {
        const idv_document_check_t *check =
            &APR_ARRAY_IDX(document->checks, i, idv_document_check_t);

        if (check->reason == R(NONE)
            || idv_document_reason_is_silent(check->reason))
            continue;
        if (doubt_of_form(document, rule, check->reason))
            doubts |= doubt_of_form(document, rule, check->reason);
        else if (idv_document_reason_is_undetermined(check->reason))
            doubts |= 1u << IDV_DOUBT_UNDETERMINED;
        else if (check->name == IDV_DOCUMENT_CHECK_DOCUMENT_REUSED)
            doubts |= 1u << IDV_DOUBT_DOCUMENT_REUSED;
        else
            return 0;
    }
    return doubts;
}

/* Non-zero if A is more serious than B; merely unusual form is least
 * serious. */
static int outweighs(const idv_document_t *document,
                     const idv_document_rule_t *rule, idv_document_reason_t a,
                     idv_document_reason_t b)
{
    int a_is_form = doubt_of_form(document, rule, a) != 0;
    int b_is_form = doubt_of_form(document, rule, b) != 0;

    if (b == R(NONE) || a_is_form != b_is_form)
        return b == R(NONE) || b_is_form;
    return a < b;
}

/* The most serious reason of all failed checks, NONE if none failed. */
static idv_document_reason_t first_reason(const idv_document_t *document,
                                          const idv_document_rule_t *rule)
{
    idv_document_reason_t first = R(NONE);

    for (int i = 0; i < document->checks->nelts; i++) {
        idv_document_reason_t reason =
            APR_ARRAY_IDX(document->checks, i, idv_document_check_t).reason;

        if (reason != R(NONE) && !idv_document_reason_is_silent(reason)
            && outweighs(document, rule, reason, first))
            first = reason;
    }
    return first;
}

static void list_checks(const idv_document_t *document,
                        const idv_document_rule_t *rule,
                        idv_method_outcome_t *outcome, apr_pool_t *result)
{
    int count = document->checks->nelts;
    idv_method_check_t *list = apr_palloc(result, count * sizeof(*list));

    for (int i = 0; i < count; i++) {
        const idv_document_check_t *check =
            &APR_ARRAY_IDX(document->checks, i, idv_document_check_t);

        list[i].name = idv_document_check_code(check->name);
        list[i].result = check->reason == R(NONE) ? IDV_CHECK_PASSED
                       : doubt_of_form(document, rule, check->reason)
                               || idv_document_reason_is_undetermined(
                                   check->reason)
                               || idv_document_reason_is_silent(check->reason)
                           ? IDV_CHECK_UNDETERMINED
                           : IDV_CHECK_FAILED;
        list[i].reason = idv_document_reason_code(check->reason);
        list[i].is_silent = idv_document_reason_is_silent(check->reason);
    }
    outcome->checks = list;
    outcome->check_count = count;
}

static idv_error_t *summarize(const idv_document_findings_t *findings,
                              idv_document_reason_t reason, int age,
                              idv_method_outcome_t *outcome, apr_pool_t *result)
{
    idv_assurance_t assurance = outcome->assurance;
    /* A document that identifies its holder does so at any age. */
    int is_identified = (reason == R(NONE) || reason == R(UNDER_AGE)
                         || reason == R(AGE_UNDETERMINED))
                        && idv_assurance_identifies(assurance)
                        && !lacks_portrait(findings, findings->document)
                        && idv_print_conclude(&findings->print)
                               != IDV_PRINT_CONTRADICTED;
    int is_of_age = reason == R(NONE) && age >= 0;
    int barcode_matches = is_cross_referenced(findings);
    json_t *summary =
        json_pack("{s:s, s:s, s:f, s:b, s:i, s:b, s:i, s:b, s:b}", "method",
                  METHOD, "assurance", idv_assurance_value(assurance),
                  "confidence",
                  idv_assurance_confidence(assurance, findings->confidence),
                  "age_verified", is_of_age, "age_estimate", age > 0 ? age : 0,
                  "identity_verified", is_identified, "liveness_score", 0,
                  "face_match_passed", 0, "barcode_cross_ref_match",
                  barcode_matches);

    if (!summary)
        return idv_error_internal(result, "no memory for a decision");
    outcome->verification_result = idv_json_own(summary, result);
    return NULL;
}

static int fails_for_age(const idv_document_t *document)
{
    for (int i = 0; i < document->checks->nelts; i++)
        if (APR_ARRAY_IDX(document->checks, i, idv_document_check_t).reason
            == R(UNDER_AGE))
            return 1;
    return 0;
}

/* The error shown to the person if the document does not pass for REASON. Being
 * too young comes first, since no better picture changes that. */
static const idv_method_error_t *error_of(const idv_document_t *document,
                                          const idv_document_rule_t *rule,
                                          idv_document_reason_t reason)
{
    if (fails_for_age(document))
        return &errors[ERROR_UNDER_AGE];
    return &errors[doubt_of_form(document, rule, reason)
                       ? ERROR_UNDETERMINED
                       : error_of_reason[reason]];
}

/* The age that the holder has certainly not reached. A holder who was born
 * after the day that the law names has not reached the required age, whatever
 * the age is. */
static int younger_than(const idv_document_t *document,
                        const idv_document_rule_t *rule, int highest)
{
    int years = highest >= 0 ? highest + 1 : 0;

    return fails_for_age(document) && years > rule->required_age
             ? rule->required_age
             : years;
}

static idv_method_document_t name_document(const idv_document_t *document,
                                           apr_pool_t *result)
{
    const char *country = document->issuing_country;
    const char *region = document->issuing_region;

    return (idv_method_document_t){
        .kind = idv_document_kind_code(document->kind),
        .issuer = region ? apr_pstrcat(result, country, "-", region, NULL)
                         : apr_pstrdup(result, country)};
}

/* Facts that a credential may carry, for a document that passed. */
static void carry_facts(const idv_document_t *document, int age,
                        idv_method_outcome_t *outcome)
{
    outcome->facts.age = age;
    outcome->facts.expiry = document->date_of_expiry;
    outcome->facts.jurisdiction = outcome->document.issuer;
}

static const char *hint_of(const idv_document_findings_t *findings)
{
    if (findings->readable)
        return idv_document_hint_code(IDV_DOCUMENT_HINT_READERS_DISAGREE);
    if (findings->hint == IDV_DOCUMENT_HINT_NONE)
        return idv_document_hint_code(IDV_DOCUMENT_HINT_ANALYSIS_FAILED);
    return idv_document_hint_code(findings->hint);
}

/* Adds the decision's own checks to those of the readers. */
static void judge(const idv_document_findings_t *findings,
                  idv_document_t *document,
                  const idv_document_rule_t *rule, idv_date_t today,
                  const idv_age_range_t *age)
{
    idv_document_comparison_t barcode = findings->barcode_cross_reference;

    if (barcode != IDV_DOCUMENT_NOT_COMPARED)
        idv_document_conclude(document, R(BARCODE_MISMATCH),
                              barcode == IDV_DOCUMENT_DIFFERS);
    check_issuer(document, rule);
    idv_document_conclude(document, R(DATE_OF_BIRTH_IN_FUTURE),
                          document->date_of_birth.year != 0
                              && age->highest < 0);
    check_plausibility(document, age->lowest, today);
    check_expiry(document, today, rule);
    if (rule->required_age > 0)
        check_age(document, age, rule);
    check_sightings(document, rule);
    check_portrait(findings, document);
    check_print(findings, document);
}

/* Non-zero if the side with the portrait was not sent, so that it can be
 * requested. */
static int lacks_front(const idv_document_findings_t *findings)
{
    return findings->sides == 1
           && lacks_portrait(findings, findings->document)
           && idv_document_source_is_on_back(findings->document->source);
}

/* New pictures will be taken, so the doubts and traces of these do not
 * count. */
static void ask_again(idv_method_outcome_t *outcome, const char *hint,
                      idv_document_side_name_t side)
{
    outcome->verdict = IDV_METHOD_UNREADABLE;
    outcome->hint = hint;
    outcome->hint_side = idv_document_side_code(side);
    outcome->doubts = 0;
    outcome->traces = 0;
}

/* Non-zero if another picture is needed, which OUTCOME then asks for. */
static int lacks_picture(const idv_document_findings_t *findings,
                         const idv_document_rule_t *rule,
                         idv_document_reason_t reason,
                         idv_method_outcome_t *outcome)
{
    if (lacks_front(findings) && outcome->doubts)
        ask_again(outcome,
                  idv_document_hint_code(IDV_DOCUMENT_HINT_FRONT_MISSING),
                  IDV_DOCUMENT_SIDE_NONE);
    else if (findings->is_cut && !rule->accept_cut
             && (reason == R(NONE) || outcome->doubts))
        ask_again(outcome, idv_document_hint_code(IDV_DOCUMENT_HINT_CUT_OFF),
                  findings->side);
    else
        return 0;
    return 1;
}

/* In a document that contradicts itself, no date is certain. But a document whose
 * holder is also too young still fails for the age: a forged document must not be
 * easier to get approved than a genuine one. */
static void fail(const idv_document_t *document, idv_document_reason_t reason,
                 idv_method_outcome_t *outcome)
{
    outcome->verdict = IDV_METHOD_FAILED;
    if (error_of_reason[reason] == ERROR_UNVERIFIED && !fails_for_age(document))
        outcome->facts.younger_than = 0;
}

idv_error_t *idv_document_decide(const idv_document_findings_t *findings,
                                 const idv_document_rule_t *rule,
                                 idv_method_outcome_t **out, apr_pool_t *result)
{
    idv_method_outcome_t *outcome = apr_pcalloc(result, sizeof(*outcome));
    idv_date_t today = idv_jurisdiction_date(rule->jurisdiction, rule->now);
    idv_age_range_t age = { -1, -1 };
    idv_document_reason_t reason;
    idv_document_t document;

    *out = outcome;
    outcome->facts.age = -1;
    if (!findings->readable || !findings->readers_agree) {
        ask_again(outcome, hint_of(findings), findings->side);
        return NULL;
    }
    document = *findings->document;
    document.checks = apr_array_copy(result, document.checks);
    outcome->document = name_document(&document, result);
    if (idv_date_is_valid(document.date_of_birth))
        age = idv_document_age(&document, today);
    judge(findings, &document, rule, today, &age);
    check_trace(&findings->raster, R(PICTURE_HAS_RASTER),
                1u << IDV_TRACE_RECAPTURED, &document, outcome);
    check_trace(&findings->paste, R(PICTURE_HAS_PASTE), 1u << IDV_TRACE_PASTED,
                &document, outcome);
    reason = first_reason(&document, rule);
    outcome->doubts = doubts_of(&document, rule);
    outcome->facts.younger_than = younger_than(&document, rule, age.highest);
    if (lacks_picture(findings, rule, reason, outcome))
        return NULL;
    outcome->assurance = findings->is_confirmed ? IDV_ASSURANCE_CONSISTENT
                                                : IDV_ASSURANCE_DECODED;
    list_checks(&document, rule, outcome, result);
    IDV_TRY(summarize(findings, reason, age.lowest, outcome, result));
    if (reason != R(NONE))
        outcome->last_error = error_of(&document, rule, reason);
    if (reason == R(NONE) || outcome->doubts) {
        outcome->verdict =
            reason == R(NONE) ? IDV_METHOD_PASSED : IDV_METHOD_UNDETERMINED;
        carry_facts(&document, age.lowest, outcome);
    } else {
        fail(&document, reason, outcome);
    }
    return NULL;
}
