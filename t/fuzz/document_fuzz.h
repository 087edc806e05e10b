/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_FUZZ_DOCUMENT_FUZZ_H
#define IDV_T_FUZZ_DOCUMENT_FUZZ_H

/*
 * What the fuzz targets of the document room share: a pool for each input, and
 * the promises that hold for whatever a stranger sends.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "methods/document/document_decision.h"

/* 2024-07-01T12:00:00Z */
#define FUZZ_NOW ((idv_time_t)1719835200000)

/* A broken promise is a crash, which the fuzzer keeps. */
#define promise(condition)                                                     \
    do {                                                                       \
        if (!(condition))                                                      \
            abort();                                                           \
    } while (0)

static inline apr_pool_t *fuzz_pool(void)
{
    static apr_pool_t *parent;
    apr_pool_t *pool;

    if (!parent) {
        promise(apr_initialize() == APR_SUCCESS);
        promise(apr_pool_create(&parent, NULL) == APR_SUCCESS);
    }
    promise(apr_pool_create(&pool, parent) == APR_SUCCESS);
    return pool;
}

/* Findings that may be written read back the same, and can be decided on:
 * PASSED only without a failed check. */
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
            == (outcome->verdict == IDV_METHOD_FAILED));
    if (outcome->verdict == IDV_METHOD_PASSED)
        promise(outcome->facts.age >= 21);
    for (int i = 0; i < outcome->check_count; i++)
        promise(outcome->verdict != IDV_METHOD_PASSED
                || outcome->checks[i].passed);
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
