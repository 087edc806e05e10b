/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_deviations.h"

#include <string.h>

const char *idv_mdl_deviation_code(int index)
{
    return index > 0 && index < IDV_MDL_DEVIATIONS
                && idv_mdl_reason_is_of_form(index)
             ? idv_mdl_reason_code(index)
             : NULL;
}

void idv_mdl_deviations_count(const idv_method_outcome_t *outcome,
                              _Atomic long long *counters)
{
    for (int i = 0; i < outcome->check_count; i++)
        for (int k = 0; k < IDV_MDL_DEVIATIONS && outcome->checks[i].reason;
             k++) {
            const char *code = idv_mdl_deviation_code(k);

            if (code && strcmp(code, outcome->checks[i].reason) == 0)
                atomic_fetch_add_explicit(&counters[k], 1,
                                          memory_order_relaxed);
        }
}
