/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/use_case.h"

#include <stddef.h>
#include <string.h>

static const char *const values[IDV_USE_CASE_COUNT] = {
#define X(name, value) [IDV_USE_CASE_##name] = value,
    IDV_USE_CASES(X)
#undef X
};

const char *idv_use_case_value(idv_use_case_t use_case)
{
    return values[use_case];
}

idv_use_case_t idv_use_case_parse(const char *value)
{
    for (int i = IDV_USE_CASE_NONE + 1; value && i < IDV_USE_CASE_COUNT; i++)
        if (!strcmp(values[i], value))
            return i;
    return IDV_USE_CASE_NONE;
}
