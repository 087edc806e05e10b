/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from print that agrees with the code, that differs and that could not
 * be read. */
#include "unit/unit.h"

#include <jansson.h>

#include "unit/document_licence.h"

static int flag(const idv_method_outcome_t *outcome, const char *key)
{
    const json_t *value = json_object_get(outcome->verification_result, key);

    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

/* A trace in a picture is told of, and decides nothing; where none can be seen,
 * nothing is said. */
static void traces_of_pictures_are_a_risk_alone(void **state)
{
    static const struct {
        idv_document_trace_t raster, paste;
        unsigned traces;
        idv_check_result_t recapture;
    } rows[] = {
        {{0, 0}, {0, 0}, 0, IDV_CHECK_FAILED}, /* not made */
        {{1, 0.49}, {0, 0}, 0, IDV_CHECK_PASSED},
        {{1, 0.5}, {1, 0}, 1u << IDV_TRACE_RECAPTURED, IDV_CHECK_UNDETERMINED},
        {{1, 0}, {1, 1}, 1u << IDV_TRACE_PASTED, IDV_CHECK_PASSED},
        {{1, 1}, {1, 1}, 1u << IDV_TRACE_RECAPTURED | 1u << IDV_TRACE_PASTED,
         IDV_CHECK_UNDETERMINED},
    };
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_findings_t findings = findings_of(licence(pool));
        idv_method_outcome_t *outcome;
        int made = 0;

        findings.raster = rows[i].raster;
        findings.paste = rows[i].paste;
        assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
        assert_int_equal(outcome->verdict, IDV_METHOD_PASSED);
        assert_int_equal(outcome->doubts, 0);
        assert_null(outcome->last_error);
        assert_int_equal(outcome->traces, rows[i].traces);
        for (int k = 0; k < outcome->check_count; k++)
            if (strcmp(outcome->checks[k].name, "picture_recapture") == 0) {
                assert_int_equal(outcome->checks[k].result, rows[i].recapture);
                made = 1;
            }
        assert_int_equal(made, rows[i].raster.is_known);
        if (rows[i].traces & 1u << IDV_TRACE_RECAPTURED)
            assert_string_equal(reason_in(outcome, "picture_recapture"),
                                "picture_has_raster");
        if (rows[i].traces & 1u << IDV_TRACE_PASTED)
            assert_string_equal(reason_in(outcome, "picture_paste"),
                                "picture_has_paste");
    }
}

/* What is printed on the front, field by field, and what follows. */
static void print_is_held_against_the_code(void **state)
{
#define U IDV_PRINT_UNDETERMINED
#define X IDV_PRINT_CONTRADICTED
#define C IDV_PRINT_CONSISTENT
    static const struct {
        idv_print_verdicts_t print;
        idv_document_comparison_t codes;
        idv_method_verdict_t verdict;
        const char *reason; /* of the check */
        int matches;
    } rows[] = {
        {{{C, C, C, C, C, C}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         NULL, 1},
        {{{C, U, C, C, U, U}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         NULL, 1},
        {{{C, U, U, C, U, C}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         NULL, 1},
        {{{C, C, U, C, C, U}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         "printed_front_unread", 0},
        {{{U, C, C, C, C, C}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         "printed_front_unread", 0},
        {{{C, C, C, U, C, C}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         "printed_front_unread", 0},
        {{{U, U, U, U, U, U}, 0}, IDV_DOCUMENT_NOT_COMPARED, IDV_METHOD_PASSED,
         "printed_front_unread", 0},
        {{{U, U, U, U, U, U}, 0}, IDV_DOCUMENT_MATCHES, IDV_METHOD_PASSED,
         "printed_front_unread", 1},
        {{{C, C, C, X, C, C}, 0}, IDV_DOCUMENT_NOT_COMPARED,
         IDV_METHOD_UNDETERMINED, "printed_date_of_birth_differs", 0},
        {{{C, C, C, C, C, X}, 0}, IDV_DOCUMENT_MATCHES, IDV_METHOD_UNDETERMINED,
         "printed_date_of_expiry_differs", 0},
        {{{C, C, X, C, C, C}, 0}, IDV_DOCUMENT_NOT_COMPARED,
         IDV_METHOD_UNDETERMINED, "printed_number_differs", 0},
        {{{U, U, U, U, U, U, X}, 0}, IDV_DOCUMENT_NOT_COMPARED,
         IDV_METHOD_UNDETERMINED, "printed_holder_differs", 0},
        {{{C, U, C, C, U, U, C}, 0}, IDV_DOCUMENT_NOT_COMPARED,
         IDV_METHOD_PASSED, NULL, 1},
        {{{C, C, C, C, C, C}, 0}, IDV_DOCUMENT_DIFFERS, IDV_METHOD_FAILED, NULL,
         0},
    };
#undef U
#undef X
#undef C
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 7, 2, 12));

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_findings_t findings = findings_of(licence(pool));
        idv_method_outcome_t *outcome;
        const char *reason;

        findings.print_was_sought = 1;
        findings.print = rows[i].print;
        findings.barcode_cross_reference = rows[i].codes;
        assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
        assert_int_equal(outcome->verdict, rows[i].verdict);
        reason = reason_in(outcome, "printed_front");
        assert_int_equal(!reason, !rows[i].reason);
        if (reason)
            assert_string_equal(reason, rows[i].reason);
        assert_int_equal(flag(outcome, "barcode_cross_ref_match"),
                         rows[i].matches);
        assert_int_equal(outcome->assurance, IDV_ASSURANCE_DECODED);
        assert_int_equal(outcome->doubts,
                         rows[i].verdict == IDV_METHOD_UNDETERMINED
                             ? 1u << IDV_DOUBT_UNDETERMINED
                             : 0);
    }
}

/* Who is under age is identified all the same, but not by another's print. */
static void print_that_differs_identifies_nobody(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_rule_t rule = rule_at(instant(2024, 6, 30, 12));
    idv_document_findings_t findings = findings_of(licence(pool));
    idv_method_outcome_t *outcome;

    findings.barcode_cross_reference = IDV_DOCUMENT_MATCHES;
    findings.is_confirmed = 1;
    findings.confirmed_by = IDV_DOCUMENT_SOURCE_MRZ_TD1;
    findings.print_was_sought = 1;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(flag(outcome, "identity_verified"), 1);
    findings.print.of[IDV_PRINT_DATE_OF_BIRTH] = IDV_PRINT_CONTRADICTED;
    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(flag(outcome, "identity_verified"), 0);
    assert_null(strstr(outcome->last_error->code, "undetermined"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(print_is_held_against_the_code),
        pooled_test(traces_of_pictures_are_a_risk_alone),
        pooled_test(print_that_differs_identifies_nobody),
    };

    return unit_run("methods/document/document_decision", tests);
}
