/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/country.h"

#include <string.h>

#define LAST_PLACE_ON_EARTH (-12 * 60)

typedef struct {
    char code[8];
    int utc_offset;
} region_t;

static const idv_country_t countries[] = {
#define COUNTRY(alpha2, alpha3, offset) { alpha2, alpha3, offset },
#include "domain/countries.def"
#undef COUNTRY
};

static const region_t regions[] = {
#define REGION(code, offset) { code, offset },
#include "domain/regions.def"
#undef REGION
};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

const idv_country_t *idv_country_by_alpha2(const char *code)
{
    for (size_t i = 0; i < COUNT(countries); i++)
        if (strcmp(countries[i].alpha2, code) == 0)
            return &countries[i];
    return NULL;
}

const idv_country_t *idv_country_by_alpha3(const char *code)
{
    for (size_t i = 0; i < COUNT(countries); i++)
        if (strcmp(countries[i].alpha3, code) == 0)
            return &countries[i];
    return NULL;
}

static int utc_offset_of(const char *jurisdiction)
{
    const idv_country_t *country;
    char alpha2[3];

    if (!jurisdiction || strlen(jurisdiction) < 2)
        return LAST_PLACE_ON_EARTH;
    for (size_t i = 0; i < COUNT(regions); i++)
        if (strcmp(regions[i].code, jurisdiction) == 0)
            return regions[i].utc_offset;
    memcpy(alpha2, jurisdiction, 2);
    alpha2[2] = '\0';
    country = idv_country_by_alpha2(alpha2);
    return country ? country->utc_offset : LAST_PLACE_ON_EARTH;
}

idv_date_t idv_jurisdiction_date(const char *jurisdiction, idv_time_t now)
{
    return idv_date_at(now, utc_offset_of(jurisdiction));
}
