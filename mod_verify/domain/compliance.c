/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/compliance.h"

#include <string.h>

static const char *const acceptances[IDV_MDL_ACCEPTANCE_COUNT] = {
#define X(name, value) [IDV_MDL_ACCEPTANCE_##name] = value,
    IDV_MDL_ACCEPTANCES(X)
#undef X
};

const char *idv_mdl_acceptance_value(idv_mdl_acceptance_t acceptance)
{
    return acceptances[acceptance];
}

idv_mdl_acceptance_t idv_mdl_acceptance_parse(const char *value)
{
    for (int i = 0; value && i < IDV_MDL_ACCEPTANCE_COUNT; i++)
        if (!strcmp(acceptances[i], value))
            return i;
    return IDV_MDL_ACCEPTANCE_UNKNOWN;
}
