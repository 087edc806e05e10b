/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_T_FUZZ_MDL_FUZZ_H
#define IDV_T_FUZZ_MDL_FUZZ_H

/*
 * The promises that the fuzz targets of mobile documents share.
 */
#include "fuzz/fuzz.h"
#include "methods/mdl/mdl_decision.h"
#include "methods/mdl/mdl_verification.h"

/* 2026-06-01T12:00:00Z */
#define FUZZ_NOW ((idv_time_t)1780315200 * IDV_SECOND)

/* Findings read back the same, and can be decided on: PASSED only when every
 * check passed and the age is shown. */
static inline void fuzz_findings(const idv_mdl_findings_t *findings,
                                 apr_pool_t *pool)
{
    static const idv_mdl_rule_t rule = { .now = FUZZ_NOW,
                                         .jurisdiction = "US-MD",
                                         .required_age = 21 };
    idv_mdl_findings_t *back;
    idv_method_outcome_t *outcome;
    const char *text, *again;
    apr_size_t length, length_again;

    promise(!idv_mdl_findings_write(findings, &text, &length, pool));
    promise(!idv_mdl_findings_read(text, length, &back, pool));
    promise(!idv_mdl_findings_write(back, &again, &length_again, pool));
    promise(length == length_again && memcmp(text, again, length) == 0);
    promise(!idv_mdl_decide(back, &rule, &outcome, pool));
    promise((outcome->hint != NULL)
            == (outcome->verdict == IDV_METHOD_UNREADABLE));
    promise((outcome->doubts != 0)
            == (outcome->verdict == IDV_METHOD_UNDETERMINED));
    if (outcome->verdict == IDV_METHOD_PASSED)
        promise(outcome->facts.age >= 21);
    for (int i = 0; i < outcome->check_count; i++)
        promise(outcome->verdict != IDV_METHOD_PASSED
                || outcome->checks[i].result == IDV_CHECK_PASSED);
}

/* An answer to a request of CHANNEL, with a key or without. */
static inline void fuzz_answer(idv_mdl_channel_t channel, int has_key,
                               idv_bytes_t bytes, apr_pool_t *pool)
{
    static const unsigned char scalar[32] = { 4, 5, 6 };
    static const idv_mdl_element_t elements[] = {
        { IDV_MDL_NAME_SPACE, "age_over_21", 0 },
        { IDV_MDL_NAME_SPACE, "family_name", 1 },
        { IDV_MDL_NAME_SPACE, "birth_date", 1 },
        { IDV_MDL_NAME_SPACE, "portrait", 1 },
    };
    static const idv_mdl_query_t query = { "mdl", IDV_MDL_DOC_TYPE, elements,
                                           4 };
    idv_mdl_request_t request = {
        .channel = channel,
        .accepted = ~0u,
        .parts = { .client_id = "x509_san_dns:verify.example",
                   .nonce = "bm9uY2U",
                   .response_uri = "https://verify.example/response",
                   .origin = "https://verify.example",
                   .encryption_info = "gmVkY2FwaaJlbm9uY2U" },
        .encryption_key = { scalar, has_key ? 32 : 0 },
        .encryption_key_id = "1",
        .queries = &query,
        .query_count = 1,
        .trust = { NULL, 0, FUZZ_NOW },
    };
    idv_mdl_findings_t *findings;

    promise(!idv_mdl_verify(&request, bytes, &findings, pool));
    /* Nobody is trusted here. */
    promise(!idv_mdl_is_proved(findings) && !idv_mdl_all_passed(findings));
    promise(!findings->ages->nelts && !findings->person.family_name);
    fuzz_findings(findings, pool);
}

#endif
