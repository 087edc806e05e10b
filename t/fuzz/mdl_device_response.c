/* SPDX-License-Identifier: Apache-2.0 */
/* A DeviceResponse, decrypted. */
#include "fuzz/mdl_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();

    fuzz_answer(IDV_MDL_PROXIMITY, 1, (idv_bytes_t){ data, size }, pool);
    apr_pool_destroy(pool);
    return 0;
}
