/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operator may import as trusted, of each kind. Nothing is signed by
 * whoever is given, so that lists of others end at their signatures; what stands
 * behind these is fuzzed by trust_vical.c and trust_etsi_list.c.
 */
#include "fuzz/fuzz.h"

#include "methods/trust/trust_file.h"

/* A certificate of nobody, which no list is signed by. */
static const unsigned char nobody[] = {0x30, 0x03, 0x02, 0x01, 0x01};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    apr_array_header_t *signers = apr_array_make(pool, 1, sizeof(idv_bytes_t));
    idv_bytes_t file = {data, size};
    idv_trust_reading_t reading = {.signers = signers, .now = IDV_DAY};

    APR_ARRAY_PUSH(signers, idv_bytes_t) =
        (idv_bytes_t){nobody, sizeof(nobody)};
    promise(idv_trust_file_kind(file) < IDV_TRUST_KIND_COUNT);
    for (int kind = 0; kind < IDV_TRUST_KIND_COUNT; kind++) {
        idv_trust_content_t *content;

        reading.kind = (idv_trust_kind_t)kind;
        if (idv_trust_file_read(file, &reading, &content, pool))
            continue;
        promise(idv_trust_kind_is_plain((idv_trust_kind_t)kind));
        promise(content->certificates->nelts > 0);
    }
    apr_pool_destroy(pool);
    return 0;
}
