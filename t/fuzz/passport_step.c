/* SPDX-License-Identifier: Apache-2.0 */
/* The step of the relay that the sandboxed reader prints: what is read of it is
 * within its bounds. */
#include "fuzz/fuzz.h"

#include "methods/passport/chip_relay.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_chip_relay_step_t *step;

    if (!idv_chip_relay_step_read((idv_bytes_t){data, size}, &step, pool)) {
        promise(step->command_count <= IDV_CHIP_RELAY_COMMANDS_MAX);
        promise((step->status == IDV_CHIP_RELAY_WAITS)
                == (step->command_count > 0));
    }
    apr_pool_destroy(pool);
    return 0;
}
