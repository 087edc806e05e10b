/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/assurance.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *value;
    double ceiling;
} levels[IDV_ASSURANCE_COUNT] = {
#define X(name, value, ceiling) [IDV_ASSURANCE_##name] = {value, ceiling},
    IDV_ASSURANCES(X)
#undef X
};

const char *idv_assurance_value(idv_assurance_t assurance)
{
    return levels[assurance].value;
}

idv_assurance_t idv_assurance_parse(const char *value)
{
    for (int i = IDV_ASSURANCE_NONE + 1; value && i < IDV_ASSURANCE_COUNT; i++)
        if (!strcmp(levels[i].value, value))
            return i;
    return IDV_ASSURANCE_NONE;
}

double idv_assurance_confidence(idv_assurance_t assurance, double reading)
{
    return floor(levels[assurance].ceiling * reading * 1000) / 1000;
}

int idv_assurance_identifies(idv_assurance_t assurance)
{
    return assurance >= IDV_ASSURANCE_CONSISTENT;
}
