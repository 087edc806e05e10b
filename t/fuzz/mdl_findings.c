/* SPDX-License-Identifier: Apache-2.0 */
/* What an analyzer that was taken over may print. */
#include "fuzz/mdl_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_mdl_findings_t *findings;

    if (!idv_mdl_findings_read((const char *)data, size, &findings, pool))
        fuzz_findings(findings, pool);
    apr_pool_destroy(pool);
    return 0;
}
