/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/deviations.h"

#include <string.h>

#include "methods/document/document_decision.h"

const char *idv_deviation_code(int index)
{
    int reason = index - (int)IDV_DOCUMENT_REASON_COUNT;

    if (index > 0 && index < (int)IDV_DOCUMENT_REASON_COUNT)
        return idv_document_reason_is_of_form(index)
                 ? idv_document_reason_code(index)
                 : NULL;
    if (reason > 0 && index < IDV_DEVIATIONS
        && idv_passport_reason_state(reason) == IDV_PASSPORT_UNDETERMINED
        && idv_passport_check_deviation(idv_passport_reason_check(reason))
               != IDV_PASSPORT_DEVIATION_NONE)
        return idv_passport_reason_code(reason);
    return NULL;
}

/* The index of the deviation that CHECK found; -1: none. */
static int deviation_of(const idv_method_check_t *check)
{
    if (check->result != IDV_CHECK_UNDETERMINED || !check->reason)
        return -1;
    for (int i = 0; i < IDV_DEVIATIONS; i++) {
        const char *code = idv_deviation_code(i);

        if (code && strcmp(code, check->reason) == 0)
            return i;
    }
    return -1;
}

void idv_deviations_count(const idv_method_outcome_t *outcome,
                          _Atomic long long *counters)
{
    for (int i = 0; i < outcome->check_count; i++) {
        int index = deviation_of(&outcome->checks[i]);

        if (index >= 0)
            atomic_fetch_add_explicit(&counters[index], 1,
                                      memory_order_relaxed);
    }
}
