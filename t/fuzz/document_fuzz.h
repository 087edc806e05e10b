/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_FUZZ_DOCUMENT_FUZZ_H
#define IDV_T_FUZZ_DOCUMENT_FUZZ_H

/*
 * The promises that the fuzz targets of the document room share.
 */
#include "fuzz/fuzz.h"
#include "methods/document/document_decision.h"

/* 2024-07-01T12:00:00Z */
#define FUZZ_NOW ((idv_time_t)1719835200000)

/* Findings that may be written read back the same, and can be decided on:
 * PASSED only without a failed check or a doubt. */
static inline void fuzz_findings(const idv_document_findings_t *findings,
                                 apr_pool_t *pool)
{
    static const idv_document_rule_t rule = { .now = FUZZ_NOW,
                                              .jurisdiction = "US-MD",
                                              .required_age = 21 };
    idv_document_findings_t *back;
    idv_method_outcome_t *outcome;
    const char *text, *again;
    apr_size_t length, length_again;

    promise(!idv_document_findings_write(findings, &text, &length, pool));
    promise(!idv_document_findings_read(text, length, &back, pool));
    promise(!idv_document_findings_write(back, &again, &length_again, pool));
    promise(length == length_again && memcmp(text, again, length) == 0);
    promise(!idv_document_decide(back, &rule, &outcome, pool));
    promise((outcome->hint != NULL)
            == (outcome->verdict == IDV_METHOD_UNREADABLE));
    promise((outcome->last_error != NULL)
            == (outcome->verdict == IDV_METHOD_FAILED
                || outcome->verdict == IDV_METHOD_UNDETERMINED));
    if (outcome->verdict == IDV_METHOD_PASSED)
        promise(outcome->facts.age >= 21);
    for (int i = 0; i < outcome->check_count; i++)
        promise(outcome->verdict != IDV_METHOD_PASSED
                || outcome->checks[i].result == IDV_CHECK_PASSED
                || outcome->checks[i].is_silent);
}

/* A document that was parsed makes findings. */
static inline void fuzz_document(const idv_document_t *document,
                                 apr_pool_t *pool)
{
    idv_document_findings_t findings = { .readable = 1,
                                         .readers_agree = 1,
                                         .confidence = 0.5,
                                         .document = document };

    fuzz_findings(&findings, pool);
}

#endif
