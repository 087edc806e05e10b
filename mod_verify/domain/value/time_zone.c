/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/time_zone.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    const char *countries;
} zone_t;

/* In the order of their names. */
static const zone_t zones[] = {
#define IDV_TIME_ZONE(name, countries) {name, countries},
#include "domain/value/time_zones.def"
#undef IDV_TIME_ZONE
};

static int compare_names(const void *name, const void *zone)
{
    return strcmp(name, ((const zone_t *)zone)->name);
}

const char *idv_time_zone_countries(const char *name)
{
    const zone_t *zone = bsearch(name, zones, sizeof(zones) / sizeof(*zones),
                                 sizeof(*zones), compare_names);

    return zone ? zone->countries : NULL;
}
