/* SPDX-License-Identifier: Apache-2.0 */
/* What a wallet sends: the first byte chooses the channel (0 to 2) and whether
 * an encrypted answer was asked for (4). */
#include "fuzz/mdl_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const idv_mdl_channel_t channels[] = { IDV_MDL_REDIRECT,
                                                  IDV_MDL_DC_API,
                                                  IDV_MDL_ISO_DC_API };
    apr_pool_t *pool = fuzz_pool();

    if (size && data[0] % 4 < 3)
        fuzz_answer(channels[data[0] % 4],
                    data[0] & 4 || data[0] % 4 == 2,
                    (idv_bytes_t){ data + 1, size - 1 }, pool);
    apr_pool_destroy(pool);
    return 0;
}
