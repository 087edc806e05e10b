/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passport_decision.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"

#define METHOD "nfc_passport"

#define C(name) IDV_PASSPORT_CHECK_##name
#define R(name) IDV_PASSPORT_REASON_##name

static const idv_method_error_t errors[] = {
#define X(name, code, message, category) {code, message, category},
    IDV_PASSPORT_ERRORS(X)
#undef X
};

/* A decision in progress. */
typedef struct {
    const idv_passport_findings_t *findings;
    const idv_passport_rule_t *rule;
    idv_passport_checks_t checks;         /* all */
    const idv_method_outcome_t *document; /* on the zone */
    int data_proven;                      /* passive authentication passed */
    int chip_proven;
} decision_t;

static void conclude(decision_t *decision, idv_passport_check_t name,
                     idv_passport_reason_t reason)
{
    idv_passport_checks_pass(&decision->checks, name);
    if (reason != R(NONE))
        idv_passport_checks_object(&decision->checks, reason);
}

static const idv_check_result_t results[] = {
    [IDV_PASSPORT_PASSED] = IDV_CHECK_PASSED,
    [IDV_PASSPORT_FAILED] = IDV_CHECK_FAILED,
    [IDV_PASSPORT_UNDETERMINED] = IDV_CHECK_UNDETERMINED,
};

static idv_passport_state_t state_of(const decision_t *decision,
                                     idv_passport_check_t name)
{
    return idv_passport_checks_state(&decision->checks, name);
}

/* --- the checks of the decision --- */

static void check_validity(decision_t *decision)
{
    const idv_passport_certificate_t *signer = decision->findings->signer;
    const idv_passport_certificate_t *csca = decision->findings->csca;
    idv_time_t now = decision->rule->document.now;
    int accept_expired = decision->rule->accept_expired_certificates;

    if (!signer)
        return;
    conclude(decision, C(CERTIFICATE_VALIDITY), R(NONE));
    if (now > signer->not_after && !accept_expired)
        conclude(decision, C(CERTIFICATE_VALIDITY), R(DOCUMENT_SIGNER_EXPIRED));
    if (now < signer->not_before)
        conclude(decision, C(CERTIFICATE_VALIDITY),
                 R(DOCUMENT_SIGNER_NOT_YET_VALID));
    if (csca && now > csca->not_after && !accept_expired)
        conclude(decision, C(CERTIFICATE_VALIDITY), R(CSCA_EXPIRED));
    if (csca && now < csca->not_before)
        conclude(decision, C(CERTIFICATE_VALIDITY), R(CSCA_NOT_YET_VALID));
}

/* Only the CSCA revokes; without a CSCA, nobody can tell. */
static void check_revocation(decision_t *decision)
{
    static const idv_passport_reason_t reasons[] = {
        [IDV_REVOCATION_UNKNOWN] = R(REVOCATION_UNKNOWN),
        [IDV_REVOCATION_GOOD] = R(NONE),
        [IDV_REVOCATION_REVOKED] = R(DOCUMENT_SIGNER_REVOKED),
    };

    if (decision->findings->csca)
        conclude(decision, C(CERTIFICATE_REVOCATION),
                 reasons[decision->rule->revocation]);
}

static int is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A zone shows only two digits of the year. */
static int is_same_day(idv_date_t a, idv_date_t b)
{
    return a.year % 100 == b.year % 100 && a.month == b.month && a.day == b.day;
}

/* The fields that have check digits in the printed zone. Names have none, and a
 * misread letter is not a forgery. */
static void check_printed_zone(decision_t *decision)
{
    const idv_document_t *chip = decision->findings->document;
    const idv_document_t *printed = decision->rule->printed;

    if (!printed)
        return;
    conclude(
        decision, C(PRINTED_ZONE),
        is_same_text(chip->number, printed->number)
                && is_same_text(chip->issuing_country, printed->issuing_country)
                && is_same_day(chip->date_of_birth, printed->date_of_birth)
                && is_same_day(chip->date_of_expiry, printed->date_of_expiry)
            ? R(NONE)
            : R(PRINTED_ZONE_MISMATCH));
}

/* Keys prove the chip genuine only if they are the issuer's, so data_proven
 * must be known. */
static void check_cloning(decision_t *decision)
{
    idv_passport_state_t active = state_of(decision, C(ACTIVE_AUTHENTICATION));
    idv_passport_state_t chip = state_of(decision, C(CHIP_AUTHENTICATION));
    idv_passport_reason_t reason = R(CHIP_NOT_PROVEN_GENUINE);

    if (active == IDV_PASSPORT_FAILED || chip == IDV_PASSPORT_FAILED)
        reason = R(CHIP_NOT_GENUINE);
    else if (decision->data_proven
             && (active == IDV_PASSPORT_PASSED || chip == IDV_PASSPORT_PASSED))
        reason = R(NONE);
    decision->chip_proven = reason == R(NONE);
    conclude(decision, C(CHIP_CLONING), reason);
}

/* --- the verdict --- */

/* Non-zero if the chip has a key for active authentication in its signed data,
 * but did not prove that it holds the private key. The reason does not matter:
 * anybody with a recording can cause every reason except the absence of such a
 * key. For example, a signature of an unknown kind needs only the public key.
 * This also applies to a workflow that accepts chips without such a key. */
static int is_proof_withheld(const decision_t *decision)
{
    return !decision->chip_proven
        && decision->checks.reasons[C(ACTIVE_AUTHENTICATION)]
               != R(ACTIVE_AUTHENTICATION_UNSUPPORTED);
}

/* Non-zero if an undetermined check leaves a doubt. */
static int is_doubt(const decision_t *decision, idv_passport_check_t name)
{
    if (idv_passport_check_deviation(name) == IDV_PASSPORT_DEVIATION_NOTE)
        return 0;
    switch (name) {
    case C(ACTIVE_AUTHENTICATION):
        return is_proof_withheld(decision);
    case C(PORTRAIT):
    case C(CHIP_AUTHENTICATION):
        return 0;
    case C(CHIP_CLONING):
        return decision->rule->require_genuine_chip;
    case C(CERTIFICATE_REVOCATION):
        return !decision->rule->accept_unknown_revocation;
    default:
        return 1;
    }
}

/* Non-zero if nothing follows from an undetermined check. ICAO 9303-11 has active
 * authentication and chip authentication as alternatives: one that passed answers what
 * the other leaves open. */
static int is_note(const decision_t *decision, idv_passport_check_t name)
{
    if (state_of(decision, name) != IDV_PASSPORT_UNDETERMINED)
        return 0;
    switch (name) {
    case C(ACTIVE_AUTHENTICATION):
    case C(CHIP_AUTHENTICATION):
        return decision->chip_proven;
    case C(CERTIFICATE_REVOCATION):
        return decision->rule->accept_unknown_revocation;
    default:
        return idv_passport_check_deviation(name)
            == IDV_PASSPORT_DEVIATION_NOTE;
    }
}

/* The most serious reason of the checks that failed or are in doubt; NONE if
 * there is none. */
static idv_passport_reason_t first_reason(const decision_t *decision,
                                          idv_passport_state_t state)
{
    idv_passport_reason_t first = R(NONE);

    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++) {
        idv_passport_reason_t reason = decision->checks.reasons[i];

        if (state_of(decision, i) != state
            || (state == IDV_PASSPORT_UNDETERMINED && !is_doubt(decision, i)))
            continue;
        if (first == R(NONE) || reason < first)
            first = reason;
    }
    return first;
}

static const idv_method_error_t *error_of(idv_passport_reason_t reason)
{
    return &errors[idv_passport_reason_error(reason)];
}

/* Non-zero if the data show that the holder is too young, no matter who vouches for
 * them. */
static int fails_for_age(const idv_method_outcome_t *document)
{
    const char *age = idv_document_check_code(IDV_DOCUMENT_CHECK_AGE);

    for (int i = 0; i < document->check_count; i++)
        if (document->checks[i].result == IDV_CHECK_FAILED
            && strcmp(document->checks[i].name, age) == 0)
            return 1;
    return 0;
}

/* The doubts that the checks of the chip leave. */
static unsigned doubts_of(const decision_t *decision)
{
    unsigned doubts = 0;

    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++)
        if (state_of(decision, i) == IDV_PASSPORT_UNDETERMINED
            && is_doubt(decision, i))
            doubts |= idv_passport_check_deviation(i)
                           == IDV_PASSPORT_DEVIATION_DOUBT
                        ? 1u << IDV_DOUBT_NONCONFORMING
                        : 1u << IDV_DOUBT_UNDETERMINED;
    return doubts;
}

/* Unproven data take precedence over their content, which takes precedence over
 * an expired certificate, because documents expire before it. */
static void judge(const decision_t *decision, idv_method_outcome_t *outcome)
{
    const idv_method_outcome_t *document = decision->document;
    idv_passport_reason_t failed = first_reason(decision, IDV_PASSPORT_FAILED);
    idv_passport_reason_t doubt =
        first_reason(decision, IDV_PASSPORT_UNDETERMINED);
    int is_unverified =
        failed != R(NONE)
        && idv_passport_reason_error(failed) == IDV_PASSPORT_ERROR_UNVERIFIED;

    if (failed != R(NONE) || document->verdict == IDV_METHOD_FAILED) {
        outcome->verdict = IDV_METHOD_FAILED;
        outcome->last_error =
            is_unverified || document->verdict != IDV_METHOD_FAILED
                ? error_of(failed)
                : document->last_error;
    } else if (doubt != R(NONE)
               || document->verdict == IDV_METHOD_UNDETERMINED) {
        outcome->verdict = IDV_METHOD_UNDETERMINED;
        outcome->doubts = document->doubts | doubts_of(decision);
        outcome->last_error =
            doubt != R(NONE) ? error_of(doubt) : document->last_error;
    } else {
        outcome->verdict = IDV_METHOD_PASSED;
    }
    if (outcome->verdict != IDV_METHOD_FAILED)
        outcome->facts = document->facts;
    else if (decision->data_proven || fails_for_age(document))
        outcome->facts.younger_than = document->facts.younger_than;
}

static void list_checks(const decision_t *decision,
                        idv_method_outcome_t *outcome, apr_pool_t *result)
{
    const idv_method_outcome_t *document = decision->document;
    idv_method_check_t *list = apr_pcalloc(
        result, (IDV_PASSPORT_CHECK_COUNT + (apr_size_t)document->check_count)
                    * sizeof(*list));
    int count = 0;

    for (int i = 0; i < IDV_PASSPORT_CHECK_COUNT; i++)
        if (decision->checks.is_made[i]) {
            idv_passport_reason_t reason = decision->checks.reasons[i];

            list[count].name = idv_passport_check_code(i);
            list[count].is_silent = is_note(decision, i);
            list[count].result = results[state_of(decision, i)];
            list[count++].reason = idv_passport_reason_code(reason);
        }
    memcpy(list + count, document->checks,
           (size_t)document->check_count * sizeof(*list));
    outcome->checks = list;
    outcome->check_count = count + document->check_count;
}

/* Identity depends neither on age nor on the issuer's way of writing. */
static int is_identified(const decision_t *decision)
{
    const char *age = idv_document_check_code(IDV_DOCUMENT_CHECK_AGE);
    const idv_method_outcome_t *document = decision->document;
    unsigned doubts = document->doubts | doubts_of(decision);

    for (int i = 0; i < document->check_count; i++)
        if (document->checks[i].result == IDV_CHECK_FAILED
            && strcmp(document->checks[i].name, age) != 0)
            return 0;
    /* An uncertain age is a doubt about the document, which identifies its
     * holder nevertheless. */
    return decision->data_proven
        && state_of(decision, C(ISSUING_STATE)) == IDV_PASSPORT_PASSED
        && first_reason(decision, IDV_PASSPORT_FAILED) == R(NONE)
        && !(doubts_of(decision) & 1u << IDV_DOUBT_UNDETERMINED)
        && !(doubts & 1u << IDV_DOUBT_DOCUMENT_REUSED);
}

static idv_error_t *summarize(const decision_t *decision,
                              idv_method_outcome_t *outcome, apr_pool_t *result)
{
    json_t *age = json_object_get(decision->document->verification_result,
                                  "age_estimate");
    int is_of_age =
        outcome->verdict == IDV_METHOD_PASSED && outcome->facts.age >= 0;
    json_t *summary = json_pack(
        "{s:s, s:s, s:f, s:b, s:O, s:b, s:i, s:b, s:b}", "method", METHOD,
        "assurance", idv_assurance_value(outcome->assurance), "confidence",
        idv_assurance_confidence(outcome->assurance, 1), "age_verified",
        is_of_age, "age_estimate", age, "identity_verified",
        is_identified(decision), "liveness_score", 0,
        "chip_passive_auth_passed", decision->data_proven,
        "chip_active_auth_passed", decision->chip_proven);

    if (!summary)
        return idv_error_internal(result, "no memory for a decision");
    outcome->verification_result = idv_json_own(summary, result);
    return NULL;
}

/* Decides about DG1 like a document that was read with certainty; requires
 * decide_chip(). */
static idv_error_t *decide_document(decision_t *decision, apr_pool_t *result)
{
    idv_document_rule_t rule = decision->rule->document;
    idv_document_findings_t findings = {.readable = 1,
                                        .readers_agree = 1,
                                        .confidence = 1,
                                        .document =
                                            decision->findings->document};
    idv_method_outcome_t *outcome;

    /* A certificate that has expired since still proves the data that it
     * signed. */
    rule.is_authentic =
        idv_passport_checks_prove_data(&decision->checks)
        && state_of(decision, C(CERTIFICATE_REVOCATION)) != IDV_PASSPORT_FAILED;
    IDV_TRY(idv_document_decide(&findings, &rule, &outcome, result));
    decision->document = outcome;
    return NULL;
}

static void decide_chip(decision_t *decision)
{
    check_validity(decision);
    check_revocation(decision);
    check_printed_zone(decision);
    decision->data_proven =
        idv_passport_checks_prove_data(&decision->checks)
        && state_of(decision, C(CERTIFICATE_VALIDITY)) == IDV_PASSPORT_PASSED
        && state_of(decision, C(CERTIFICATE_REVOCATION)) != IDV_PASSPORT_FAILED;
    check_cloning(decision);
}

idv_error_t *idv_passport_decide(const idv_passport_findings_t *findings,
                                 const idv_passport_rule_t *rule,
                                 idv_method_outcome_t **out, apr_pool_t *result)
{
    idv_method_outcome_t *outcome = apr_pcalloc(result, sizeof(*outcome));
    decision_t decision = {
        .findings = findings, .rule = rule, .checks = findings->checks};

    *out = outcome;
    outcome->facts.age = -1;
    if (!findings->readable) {
        outcome->verdict = IDV_METHOD_UNREADABLE;
        outcome->hint =
            idv_passport_hint_code(findings->hint == IDV_PASSPORT_HINT_NONE
                                       ? IDV_PASSPORT_HINT_ANALYSIS_FAILED
                                       : findings->hint);
        return NULL;
    }
    decide_chip(&decision);
    IDV_TRY(decide_document(&decision, result));
    outcome->document = decision.document->document;
    outcome->assurance =
        decision.data_proven ? IDV_ASSURANCE_SIGNED : IDV_ASSURANCE_DECODED;
    judge(&decision, outcome);
    /* Unproven data without an objection cannot occur; if they do, the document
     * does not pass. */
    if (outcome->verdict == IDV_METHOD_PASSED && !decision.data_proven) {
        outcome->verdict = IDV_METHOD_UNDETERMINED;
        outcome->doubts = 1u << IDV_DOUBT_UNDETERMINED;
        outcome->last_error = &errors[IDV_PASSPORT_ERROR_UNVERIFIED];
    }
    list_checks(&decision, outcome, result);
    return summarize(&decision, outcome, result);
}
