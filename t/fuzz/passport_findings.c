/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader that was taken over may print of a chip. */
#include "fuzz/passport_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_passport_findings_t *findings;

    if (!idv_passport_findings_read((const char *)data, size, &findings, pool))
        fuzz_findings(findings, pool);
    apr_pool_destroy(pool);
    return 0;
}
