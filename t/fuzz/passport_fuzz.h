/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_FUZZ_PASSPORT_FUZZ_H
#define IDV_T_FUZZ_PASSPORT_FUZZ_H

/*
 * The promises that the fuzz targets of the passport room share.
 */
#include "fuzz/fuzz.h"
#include "methods/passport/passport_decision.h"

/* 2026-06-15T12:00:00Z */
#define FUZZ_NOW ((idv_time_t)1781524800000)

/* Findings that may be written read back the same, and can be decided on:
 * PASSED only with data that are proven and of age. The outcome is returned. */
static inline idv_method_outcome_t *
fuzz_findings(const idv_passport_findings_t *findings, apr_pool_t *pool)
{
    static const idv_passport_rule_t rule = {
        .document = { .now = FUZZ_NOW, .jurisdiction = "DE",
                      .required_age = 18 },
        .revocation = IDV_REVOCATION_GOOD,
        .require_genuine_chip = 1,
    };
    idv_passport_findings_t *back;
    idv_method_outcome_t *outcome;
    const char *text, *again;
    apr_size_t length, length_again;

    promise(!idv_passport_findings_write(findings, &text, &length, pool));
    promise(!idv_passport_findings_read(text, length, &back, pool));
    promise(!idv_passport_findings_write(back, &again, &length_again, pool));
    promise(length == length_again && memcmp(text, again, length) == 0);
    promise(!idv_passport_decide(back, &rule, &outcome, pool));
    promise((outcome->hint != NULL)
            == (outcome->verdict == IDV_METHOD_UNREADABLE));
    promise((outcome->last_error != NULL)
            == (outcome->verdict == IDV_METHOD_FAILED
                || outcome->verdict == IDV_METHOD_UNDETERMINED));
    promise((outcome->doubts != 0)
            == (outcome->verdict == IDV_METHOD_UNDETERMINED));
    if (outcome->verdict == IDV_METHOD_PASSED)
        promise(outcome->facts.age >= 18
                && outcome->assurance == IDV_ASSURANCE_SIGNED
                && json_is_true(json_object_get(outcome->verification_result,
                                                "chip_passive_auth_passed"))
                && json_is_true(json_object_get(outcome->verification_result,
                                                "chip_active_auth_passed")));
    return outcome;
}

#endif
