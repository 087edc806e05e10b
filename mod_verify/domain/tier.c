/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/tier.h"

#include <string.h>

static const struct {
    const char *value;
    const char *upper;
    int age;
} tiers[IDV_TIER_COUNT] = {
#define X(name, value, age) [IDV_TIER_##name] = {value, #name, age},
    IDV_AGE_TIERS(X)
#undef X
};

const char *idv_tier_value(idv_age_tier_t tier)
{
    return tiers[tier].value;
}

const char *idv_tier_upper(idv_age_tier_t tier)
{
    return tiers[tier].upper;
}

int idv_tier_age(idv_age_tier_t tier)
{
    return tiers[tier].age;
}

idv_age_tier_t idv_tier_parse(const char *value)
{
    for (int i = IDV_TIER_NONE + 1; value && i < IDV_TIER_COUNT; i++)
        if (!strcmp(tiers[i].value, value))
            return i;
    return IDV_TIER_NONE;
}

idv_age_tier_t idv_tier_demanded(int age)
{
    if (age <= 0)
        return IDV_TIER_NONE;
    for (int i = IDV_TIER_NONE + 1; i < IDV_TIER_COUNT; i++)
        if (tiers[i].age >= age)
            return i;
    return IDV_TIER_COUNT - 1;
}

idv_age_tier_t idv_tier_reached(int age)
{
    idv_age_tier_t reached = IDV_TIER_NONE;

    for (int i = IDV_TIER_NONE + 1; i < IDV_TIER_COUNT; i++)
        if (tiers[i].age <= age)
            reached = i;
    return reached;
}

int idv_tier_satisfies(idv_age_tier_t have, idv_age_tier_t want)
{
    return have >= want;
}
