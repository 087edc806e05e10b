/* SPDX-License-Identifier: Apache-2.0 */
/* Both directions of what the watchdog and verify-analyze say to each other.
 * The first byte says which message the others are: R a request's header, A an
 * answer, Z the zygote's first packet. What is decoded is encoded again and must
 * come back. */
#include "fuzz/fuzz.h"

#include "domain/method/analysis_protocol.h"

static void decode_request(idv_bytes_t bytes, apr_pool_t *pool)
{
    idv_analysis_request_t request, again;
    idv_bytes_t head;

    if (bytes.length > IDV_ANALYZE_HEADER_MAX
        || idv_analysis_request_decode(bytes, &request, pool))
        return;
    promise(request.part_count >= 1
            && request.part_count <= IDV_ANALYZE_PARTS_MAX);
    promise(request.milliseconds >= 1
            && request.milliseconds <= IDV_ANALYZE_MILLISECONDS_MAX);
    /* Text of a header may grow when it is escaped. */
    if (idv_analysis_request_encode(&request, &head, pool))
        return;
    promise(idv_analysis_length_decode(head.data)
            == head.length - IDV_ANALYZE_LENGTH_SIZE);
    head.data += IDV_ANALYZE_LENGTH_SIZE;
    head.length -= IDV_ANALYZE_LENGTH_SIZE;
    promise(!idv_analysis_request_decode(head, &again, pool));
    promise(strcmp(request.method, again.method) == 0);
    promise(request.now == again.now);
    promise(request.milliseconds == again.milliseconds);
    promise(request.part_count == again.part_count);
    for (int i = 0; i < request.part_count; i++) {
        promise(strcmp(request.parts[i].name, again.parts[i].name) == 0);
        promise(request.parts[i].bytes.length == again.parts[i].bytes.length);
        promise(request.parts[i].bytes.length >= 1
                && request.parts[i].bytes.length <= IDV_ANALYZE_PART_MAX);
    }
}

/* Read as a client reads it, which asks for no byte behind the answer. */
static void decode_answer(idv_bytes_t bytes, apr_pool_t *pool)
{
    idv_bytes_t received = {bytes.data, 0};
    idv_analysis_answer_t answer = idv_analysis_answer_decode(received);
    unsigned char head[IDV_ANALYZE_LENGTH_SIZE];

    while (answer.state == IDV_ANALYSIS_ANSWER_PARTIAL) {
        promise(answer.missing > 0);
        promise(received.length + answer.missing <= IDV_ANALYZE_ANSWER_MAX);
        if (answer.missing > bytes.length - received.length)
            return;
        received.length += answer.missing;
        answer = idv_analysis_answer_decode(received);
    }
    promise(answer.missing == 0);
    if (answer.state != IDV_ANALYSIS_ANSWER_FINDINGS)
        return;
    promise(answer.findings.data + answer.findings.length
            == received.data + received.length);
    promise(!idv_analysis_answer_encode(answer.findings, head, pool));
    promise(memcmp(head, bytes.data, sizeof(head)) == 0);
}

static void decode_readiness(idv_bytes_t bytes, apr_pool_t *pool)
{
    idv_analysis_readiness_t readiness, again;

    if (bytes.length > IDV_ANALYZE_READY_MAX)
        return;
    idv_analysis_readiness_decode(bytes, &readiness, pool);
    idv_analysis_readiness_decode(
        idv_analysis_readiness_encode(&readiness, pool), &again, pool);
    promise((readiness.fault == NULL) == (again.fault == NULL));
    promise(!again.fault || strcmp(readiness.fault, again.fault) == 0);
    promise(strcmp(readiness.layers, again.layers) == 0);
    /* The line break that was missing may be one byte too many. */
    promise(strncmp(readiness.missing, again.missing, strlen(again.missing))
            == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t bytes = {data + 1, size - 1};

    if (size > 0 && data[0] == 'R')
        decode_request(bytes, pool);
    else if (size > 0 && data[0] == 'A')
        decode_answer(bytes, pool);
    else if (size > 0 && data[0] == 'Z')
        decode_readiness(bytes, pool);
    apr_pool_destroy(pool);
    return 0;
}
