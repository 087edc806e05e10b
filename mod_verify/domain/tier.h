/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_TIER_H
#define IDV_DOMAIN_TIER_H

/*
 * Age tiers, ordered: a higher one satisfies a lower one, never the reverse.
 * The order of the list is the order of the tiers. Constant data.
 */
#include "core/error.h"

#define IDV_AGE_TIERS(X)                                                       \
    X(MIN_AGE_13, "min_age_13", 13)                                            \
    X(MIN_AGE_16, "min_age_16", 16)                                            \
    X(MIN_AGE_18, "min_age_18", 18)                                            \
    X(MIN_AGE_21, "min_age_21", 21)

typedef enum {
    IDV_TIER_NONE, /* no age is demanded, or none is proved */
#define X(name, value, age) IDV_TIER_##name,
    IDV_AGE_TIERS(X)
#undef X
    IDV_TIER_COUNT
} idv_age_tier_t;

/* The value in the interface ("min_age_18"); NULL for none. */
const char *idv_tier_value(idv_age_tier_t tier);

/* The value in grants ("MIN_AGE_18"); NULL for none. */
const char *idv_tier_upper(idv_age_tier_t tier);

/* The age in years that the tier stands for; 0 for none. */
int idv_tier_age(idv_age_tier_t tier);

/* The tier named VALUE; IDV_TIER_NONE for NULL and for what is no tier. */
idv_age_tier_t idv_tier_parse(const char *value);

/* The smallest tier that is not below AGE years, as a rule demands it (19 and
 * 20 give min_age_21); the highest tier for more, none for 0. */
idv_age_tier_t idv_tier_demanded(int age);

/* The highest tier that a person of AGE completed years satisfies. */
idv_age_tier_t idv_tier_reached(int age);

/* Non-zero when a proof of HAVE is good enough where WANT is demanded. */
int idv_tier_satisfies(idv_age_tier_t have, idv_age_tier_t want);

#endif
