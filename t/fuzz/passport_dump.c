/* SPDX-License-Identifier: Apache-2.0 */
/* What an app may send as the dump of a chip. */
#include "fuzz/fuzz.h"

#include "methods/passport/chip_dump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_chip_dump_t *dump;

    if (!idv_chip_dump_read((const char *)data, size, &dump, pool)) {
        promise(dump->challenge.length == 0
                || dump->challenge.length == IDV_CHIP_CHALLENGE_SIZE);
        for (int i = 0; i < IDV_CHIP_FILE_COUNT; i++)
            promise(dump->files[i].length <= IDV_CHIP_DUMP_MAX);
    }
    apr_pool_destroy(pool);
    return 0;
}
