/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_decision.h"

#include <limits.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "domain/value/jurisdiction.h"
#include "methods/mdl/mdl_request.h"

#define METHOD "mdl"

#define R(name) IDV_MDL_REASON_##name

static const idv_method_error_t errors[] = {
#define X(name, code, message, category) { code, message, category },
    IDV_MDL_ERRORS(X)
#undef X
};

const idv_method_error_t *idv_mdl_error(idv_mdl_error_t error)
{
    return &errors[error];
}

/* The error of each reason; reasons are ordered by weight. */
static const int error_of_reason[] = {
    -1,
#define X(name, code, check, result, error) IDV_MDL_ERROR_##error,
    IDV_MDL_REASONS(X)
#undef X
};

static void conclude(idv_mdl_findings_t *findings, idv_mdl_reason_t reason,
                     int applies)
{
    if (applies)
        idv_mdl_fail(findings, reason);
    else
        idv_mdl_pass(findings, idv_mdl_reason_check(reason));
}

/* --- age --- */

/* The range of ages that the document shows: 0 to INT_MAX if it shows
 * nothing. */
typedef struct {
    int lowest, highest;
    int contradicts;
} shown_age_t;

static shown_age_t shown_age(const idv_mdl_findings_t *findings,
                             idv_date_t today)
{
    idv_date_t birth = findings->person.birth_date;
    shown_age_t shown = { 0, INT_MAX, 0 };

    for (int i = 0; i < findings->ages->nelts; i++) {
        const idv_mdl_age_t *age =
            &APR_ARRAY_IDX(findings->ages, i, idv_mdl_age_t);

        if (age->is_true && age->over > shown.lowest)
            shown.lowest = age->over;
        if (!age->is_true && age->over <= shown.highest)
            shown.highest = age->over - 1;
    }
    shown.contradicts = shown.lowest > shown.highest;
    if (birth.year) {
        int years = idv_date_age(birth, today).lowest;

        shown.contradicts |= years < shown.lowest;
        shown.lowest = shown.highest = years;
    }
    return shown;
}

static void check_age(idv_mdl_findings_t *findings, const shown_age_t *age,
                      int required_age)
{
    conclude(findings, R(AGE_STATEMENTS_CONTRADICT), age->contradicts);
    if (age->highest < required_age)
        idv_mdl_fail(findings, R(UNDER_AGE));
    else if (age->lowest < required_age)
        idv_mdl_fail(findings, R(AGE_UNDETERMINED));
}

/* --- checks of the decision --- */

static void check_revocation(idv_mdl_findings_t *findings, int is_published,
                             idv_revocation_t state,
                             const idv_mdl_reason_t reasons[2])
{
    if (!is_published)
        return;
    if (state == IDV_REVOCATION_REVOKED)
        idv_mdl_fail(findings, reasons[0]);
    else
        conclude(findings, reasons[1], state != IDV_REVOCATION_GOOD);
}

static void check_revocations(idv_mdl_findings_t *findings,
                              const idv_mdl_rule_t *rule)
{
    static const idv_mdl_reason_t issuer[] = { R(ISSUER_REVOKED),
                                               R(ISSUER_REVOCATION_UNKNOWN) };
    static const idv_mdl_reason_t credential[] = {
        R(CREDENTIAL_REVOKED), R(CREDENTIAL_STATUS_UNKNOWN)
    };

    check_revocation(findings, findings->crl_addresses->nelts > 0,
                     rule->issuer_revocation, issuer);
    check_revocation(findings,
                     findings->status_list_address
                         || findings->identifier_list_address,
                     rule->credential_status, credential);
}

static int has_identity(const idv_mdl_person_t *person)
{
    return person->family_name && person->given_name
           && person->document_number && person->birth_date.year;
}

static void judge(idv_mdl_findings_t *findings, const idv_mdl_rule_t *rule,
                  idv_date_t today, const shown_age_t *age)
{
    const idv_mdl_person_t *person = &findings->person;

    check_revocations(findings, rule);
    if (person->expiry_date.year)
        conclude(findings, R(DOCUMENT_EXPIRED),
                 !rule->accepts_expired
                     && idv_date_compare(today, person->expiry_date) > 0);
    if (rule->requires_identity)
        conclude(findings, R(IDENTITY_ELEMENT_MISSING), !has_identity(person));
    if (person->document_number)
        conclude(findings, R(DOCUMENT_OF_ANOTHER_PERSON),
                 rule->document_of_another_person);
    if (rule->required_age > 0)
        check_age(findings, age, rule->required_age);
    else if (age->contradicts)
        idv_mdl_fail(findings, R(AGE_STATEMENTS_CONTRADICT));
}

/* For a document that nobody vouches for, the only thing that counts is that
 * its holder is too young. Otherwise it would be easier to get a forgery
 * approved than a genuine document. */
static void judge_unproved(idv_mdl_findings_t *findings,
                           const idv_mdl_rule_t *rule, const shown_age_t *age)
{
    if (rule->required_age > 0 && !age->contradicts
        && age->highest < rule->required_age)
        idv_mdl_fail(findings, R(UNDER_AGE));
}

/* --- outcome --- */

/* Non-zero if REASON has no consequence. */
static int is_note(idv_mdl_reason_t reason, const idv_mdl_rule_t *rule)
{
    return idv_mdl_reason_is_of_form(reason) && !rule->doubts_deviations;
}

/* The most serious reason of all checks, NONE if every one passed. */
static idv_mdl_reason_t first_reason(const idv_mdl_findings_t *findings,
                                     const idv_mdl_rule_t *rule)
{
    idv_mdl_reason_t first = R(NONE);

    for (int i = 0; i < findings->checks->nelts; i++) {
        idv_mdl_reason_t reason =
            APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t).reason;

        if (reason != R(NONE) && !is_note(reason, rule)
            && (first == R(NONE) || reason < first))
            first = reason;
    }
    return first;
}

/* The remaining doubts; 0 if a check failed. */
static unsigned doubts_of(const idv_mdl_findings_t *findings,
                          const idv_mdl_rule_t *rule)
{
    unsigned doubts = 0;

    for (int i = 0; i < findings->checks->nelts; i++) {
        idv_mdl_reason_t reason =
            APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t).reason;

        if (idv_mdl_reason_result(reason) == IDV_MDL_FAILED)
            return 0;
        if (reason == R(DOCUMENT_OF_ANOTHER_PERSON))
            doubts |= 1u << IDV_DOUBT_DOCUMENT_REUSED;
        else if (reason != R(NONE) && !is_note(reason, rule))
            doubts |= 1u << IDV_DOUBT_UNDETERMINED;
    }
    return doubts;
}

/* An undetermined check counts neither for nor against the document. */
static idv_check_result_t result_of(idv_mdl_reason_t reason)
{
    if (reason == R(NONE))
        return IDV_CHECK_PASSED;
    return idv_mdl_reason_result(reason) == IDV_MDL_FAILED
                   || reason == R(DOCUMENT_OF_ANOTHER_PERSON)
               ? IDV_CHECK_FAILED
               : IDV_CHECK_UNDETERMINED;
}

static void list_checks(const idv_mdl_findings_t *findings,
                        const idv_mdl_rule_t *rule,
                        idv_method_outcome_t *outcome, apr_pool_t *result)
{
    int count = findings->checks->nelts;
    idv_method_check_t *list =
        apr_pcalloc(result, (apr_size_t)(count + 1) * sizeof(*list));

    for (int i = 0; i < count; i++) {
        const idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        list[i].name = idv_mdl_check_code(check->name);
        list[i].result = result_of(check->reason);
        list[i].reason = idv_mdl_reason_code(check->reason);
        list[i].is_silent = is_note(check->reason, rule);
    }
    outcome->checks = list;
    outcome->check_count = count;
}

static idv_error_t *summarize(const idv_mdl_findings_t *findings,
                              idv_mdl_reason_t reason, const shown_age_t *age,
                              idv_method_outcome_t *outcome, apr_pool_t *result)
{
    /* Identity does not depend on age. */
    int is_identified = (reason == R(NONE) || reason == R(UNDER_AGE)
                         || reason == R(AGE_UNDETERMINED))
                        && has_identity(&findings->person);
    int shows_age = age->lowest > 0 || age->highest < INT_MAX;
    json_t *summary = json_pack(
        "{s:s, s:s?, s:f, s:b, s:i, s:b, s:i, s:s?}", "method", METHOD,
        "assurance", idv_assurance_value(outcome->assurance), "confidence",
        idv_assurance_confidence(outcome->assurance, 1), "age_verified",
        reason == R(NONE) && shows_age, "age_estimate",
        age->lowest > 0 ? age->lowest : 0, "identity_verified", is_identified,
        "liveness_score", 0, "document_type", findings->doc_type);

    if (!summary)
        return idv_error_internal(result, "no memory for a decision");
    outcome->verification_result = idv_json_own(summary, result);
    return NULL;
}

/* Names for statistics. Other documents are not asked for. */
static const struct {
    const char *doc_type, *kind;
} kinds[] = {
    {IDV_MDL_DOC_TYPE, "mobile_driver_license"},
    {IDV_AGE_ATTESTATION_DOC_TYPE, "age_attestation"},
};

static idv_method_document_t name_document(const idv_mdl_findings_t *findings,
                                           apr_pool_t *result)
{
    const idv_mdl_person_t *person = &findings->person;
    const char *place = person->issuing_jurisdiction;
    idv_method_document_t document = {0};

    if (!place)
        place = person->issuing_country;
    if (!place)
        place = findings->issuer_country;
    if (place && strlen(place) == 2 && findings->issuer_region)
        place = apr_pstrcat(result, place, "-", findings->issuer_region, NULL);
    document.issuer = apr_pstrdup(result, place);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (findings->doc_type
            && strcmp(findings->doc_type, kinds[i].doc_type) == 0)
            document.kind = kinds[i].kind;
    return document;
}

/* Facts that a credential may carry. */
static void carry_facts(const idv_mdl_findings_t *findings,
                        const shown_age_t *age, idv_method_outcome_t *outcome)
{
    const idv_mdl_person_t *person = &findings->person;

    outcome->facts.age = age->lowest > 0 ? age->lowest : -1;
    outcome->facts.jurisdiction = outcome->document.issuer;
    outcome->facts.expiry = person->expiry_date.year
                                ? person->expiry_date
                                : idv_date_at(findings->valid_until, 0);
}

static void set_unreadable(idv_mdl_reason_t reason,
                           idv_method_outcome_t *outcome)
{
    outcome->verdict = IDV_METHOD_UNREADABLE;
    outcome->hint = errors[error_of_reason[reason]].code;
    outcome->assurance = IDV_ASSURANCE_NONE;
}

static int is_unreadable(idv_mdl_reason_t reason)
{
    return reason != R(NONE)
        && (error_of_reason[reason] == IDV_MDL_ERROR_UNREADABLE
            || error_of_reason[reason] == IDV_MDL_ERROR_NOT_PROVIDED
            || error_of_reason[reason] == IDV_MDL_ERROR_DECLINED);
}

idv_error_t *idv_mdl_decide(const idv_mdl_findings_t *given,
                            const idv_mdl_rule_t *rule,
                            idv_method_outcome_t **out, apr_pool_t *result)
{
    idv_method_outcome_t *outcome = apr_pcalloc(result, sizeof(*outcome));
    idv_date_t today = idv_jurisdiction_date(rule->jurisdiction, rule->now);
    idv_mdl_findings_t findings = *given;
    shown_age_t age = shown_age(given, today);
    idv_mdl_reason_t reason;

    *out = outcome;
    outcome->facts.age = -1;
    findings.checks = apr_array_copy(result, given->checks);
    if (idv_mdl_is_proved(&findings)) {
        outcome->assurance = IDV_ASSURANCE_SIGNED;
        judge(&findings, rule, today, &age);
    } else if (idv_mdl_all_passed(&findings)) {
        return idv_error_internal(result, "checks are missing from the "
                                          "findings");
    } else {
        judge_unproved(&findings, rule, &age);
    }
    if (!age.contradicts && age.highest < INT_MAX
        && (outcome->assurance || age.highest < rule->required_age))
        outcome->facts.younger_than = age.highest + 1;
    list_checks(&findings, rule, outcome, result);
    reason = first_reason(&findings, rule);
    if (is_unreadable(reason)) {
        set_unreadable(reason, outcome);
        return NULL;
    }
    outcome->document = name_document(&findings, result);
    outcome->doubts = doubts_of(&findings, rule);
    IDV_TRY(summarize(&findings, reason, &age, outcome, result));
    if (reason != R(NONE))
        outcome->last_error = &errors[error_of_reason[reason]];
    outcome->verdict = reason == R(NONE) ? IDV_METHOD_PASSED
                       : outcome->doubts ? IDV_METHOD_UNDETERMINED
                                         : IDV_METHOD_FAILED;
    if (outcome->verdict != IDV_METHOD_FAILED)
        carry_facts(&findings, &age, outcome);
    return NULL;
}
