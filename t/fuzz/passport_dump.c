/* SPDX-License-Identifier: Apache-2.0 */
/* What an app may send as the dump of a chip, from its text to the outcome.
 * Without a CSCA nothing passes. */
#include "fuzz/passport_fuzz.h"

#include "methods/passport/passport_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char challenge[IDV_CHIP_CHALLENGE_SIZE] = { 1 };
    apr_pool_t *pool = fuzz_pool();
    idv_passport_evidence_t evidence = { .now = FUZZ_NOW,
                                         .challenge = { challenge, 8 } };
    idv_passport_findings_t *findings;
    idv_chip_dump_t *dump;

    if (!idv_chip_dump_read((const char *)data, size, &dump, pool)) {
        promise(dump->challenge.length == 0
                || dump->challenge.length == IDV_CHIP_CHALLENGE_SIZE);
        for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
            promise(dump->files[i].length <= IDV_CHIP_DUMP_MAX);
        evidence.dump = dump;
        evidence.list = idv_csca_list_create(pool);
        promise(!idv_passport_read(&evidence, &findings, pool));
        promise(fuzz_findings(findings, pool)->verdict != IDV_METHOD_PASSED);
    }
    apr_pool_destroy(pool);
    return 0;
}
