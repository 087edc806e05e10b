/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a brand's logo. */
#include "domain/account/logo.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();

    idv_logo_type((idv_bytes_t){data, size}, pool);
    apr_pool_destroy(pool);
    return 0;
}
