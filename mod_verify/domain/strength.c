/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/strength.h"

#include <string.h>

#include "domain/method.h"

static const char *const values[IDV_STRENGTH_COUNT] = {
#define X(name, value) [IDV_STRENGTH_##name] = value,
    IDV_STRENGTHS(X)
#undef X
};

static const char *const uppers[IDV_STRENGTH_COUNT] = {
#define X(name, value) [IDV_STRENGTH_##name] = #name,
    IDV_STRENGTHS(X)
#undef X
};

const char *idv_strength_value(idv_strength_t strength)
{
    return values[strength];
}

const char *idv_strength_upper(idv_strength_t strength)
{
    return uppers[strength];
}

idv_strength_t idv_strength_parse(const char *value)
{
    idv_method_t method;

    for (int i = IDV_STRENGTH_NONE + 1; value && i < IDV_STRENGTH_COUNT; i++)
        if (!strcmp(values[i], value))
            return i;
    method = idv_method_parse(value);
    return method == IDV_METHOD_NONE ? IDV_STRENGTH_NONE
                                     : idv_method_strength(method);
}

int idv_strength_satisfies(idv_strength_t have, idv_strength_t want)
{
    return have >= want;
}
