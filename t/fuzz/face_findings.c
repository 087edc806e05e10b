/* SPDX-License-Identifier: Apache-2.0 */
/* What a sandboxed reader says about the pictures of a person, and what is
 * decided on it. */
#include "fuzz/document_fuzz.h"

#include "methods/face/face_decision.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const idv_liveness_challenge_t challenge = {
        .id = "lvc_1",
        .prompts = {IDV_LIVENESS_LEFT, IDV_LIVENESS_UP, IDV_LIVENESS_NEUTRAL,
                    IDV_LIVENESS_DOWN},
        .told = {1000, 4000, 7000, 10000},
        .arrived = {4000, 7000, 10000, 13000}};
    const idv_liveness_rule_t rule = {.challenge = &challenge};
    apr_pool_t *pool = fuzz_pool();
    idv_face_findings_t *findings;
    idv_method_outcome_t *outcome;

    if (!idv_face_findings_read((idv_bytes_t){data, size}, &findings, pool)) {
        if (findings->frame_count == IDV_LIVENESS_PARTS
            && idv_liveness_decide(findings, &rule, &outcome, pool))
            abort();
        if (idv_face_match_decide(findings, IDV_ASSURANCE_SIGNED,
                                      &outcome, pool))
            abort();
    }
    apr_pool_destroy(pool);
    return 0;
}
