/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/jurisdiction.h"

#include <string.h>

#include <apr_strings.h>

/* --- countries and their calendar --- */

#define LAST_PLACE_ON_EARTH (-12 * 60)

typedef struct {
    char code[8];
    int utc_offset;
} region_t;

static const idv_country_t countries[] = {
#define COUNTRY(alpha2, alpha3, offset) { alpha2, alpha3, offset },
#include "domain/value/countries.def"
#undef COUNTRY
};

static const region_t time_regions[] = {
#define REGION(code, offset) { code, offset },
#include "domain/value/regions.def"
#undef REGION
};


const idv_country_t *idv_country_by_alpha2(const char *code)
{
    for (size_t i = 0; i < sizeof(countries) / sizeof(*countries); i++)
        if (strcmp(countries[i].alpha2, code) == 0)
            return &countries[i];
    return NULL;
}

const idv_country_t *idv_country_by_alpha3(const char *code)
{
    for (size_t i = 0; i < sizeof(countries) / sizeof(*countries); i++)
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
    for (size_t i = 0; i < sizeof(time_regions) / sizeof(*time_regions); i++)
        if (strcmp(time_regions[i].code, jurisdiction) == 0)
            return time_regions[i].utc_offset;
    memcpy(alpha2, jurisdiction, 2);
    alpha2[2] = '\0';
    country = idv_country_by_alpha2(alpha2);
    return country ? country->utc_offset : LAST_PLACE_ON_EARTH;
}

idv_date_t idv_jurisdiction_date(const char *jurisdiction, idv_time_t now)
{
    return idv_date_at(now, utc_offset_of(jurisdiction));
}

/* --- jurisdictions --- */

static const char *const sources[IDV_JURISDICTION_SOURCE_COUNT] = {
#define X(name, value) [IDV_JURISDICTION_##name] = value,
    IDV_JURISDICTION_SOURCES(X)
#undef X
};

const char *idv_jurisdiction_source_value(idv_jurisdiction_source_t source)
{
    return sources[source];
}

/* Copies TEXT in upper case when it is MIN to MAX ASCII letters and, where
 * DIGITS is set, digits. */
static const char *upper_code(const char *text, size_t min, size_t max,
                              int digits, apr_pool_t *pool)
{
    size_t length = strnlen(text, max + 1);
    char *code;

    if (length < min || length > max)
        return NULL;
    code = apr_pstrmemdup(pool, text, length);
    for (char *c = code; *c; c++) {
        if (*c >= 'a' && *c <= 'z')
            *c -= 'a' - 'A';
        if (!(*c >= 'A' && *c <= 'Z') && !(digits && *c >= '0' && *c <= '9'))
            return NULL;
    }
    return code;
}

static const char *country_code(const char *text, apr_pool_t *pool)
{
    const char *code = upper_code(text, 2, 2, 0, pool);

    return code && idv_country_by_alpha2(code) ? code : NULL;
}

/* The regions of countries where they have laws of their own. */
static const char *const law_regions[] = {
    "AU ACT NSW NT QLD SA TAS VIC WA ",
    "CA AB BC MB NB NL NS NT NU ON PE QC SK YT ",
    "US AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD "
    "ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN "
    "TX UM UT VA VI VT WA WI WV WY ",
};

static const char *region_code(const char *country, const char *text,
                               apr_pool_t *pool)
{
    const char *code = upper_code(text, 1, 3, 1, pool);

    if (!code)
        return NULL;
    for (size_t i = 0; i < sizeof(law_regions) / sizeof(*law_regions); i++)
        if (strncmp(law_regions[i], country, 2) == 0)
            return strstr(law_regions[i] + 2, apr_pstrcat(pool, " ", code, " ",
                                                      NULL))
                ? code : NULL;
    return code;
}

/* Territories of the United States with codes of their own, of which "PR" and
 * "US-PR" are one jurisdiction; NULL for other countries. */
static const char *territory(const char *country, apr_pool_t *pool)
{
    return strstr(" AS GU MP PR UM VI ", apr_pstrcat(pool, " ", country, " ",
                                                     NULL))
             ? apr_pstrcat(pool, "US-", country, NULL)
             : NULL;
}

/* COUNTRY with REGION, or without for NULL; a territory has no regions. */
static const char *place(const char *country, const char *region,
                         apr_pool_t *pool)
{
    const char *known = territory(country, pool);

    if (known)
        return known;
    return region ? apr_pstrcat(pool, country, "-", region, NULL) : country;
}

const char *idv_jurisdiction_normalize(const char *text, apr_pool_t *pool)
{
    const char *country, *region;

    if (strnlen(text, IDV_JURISDICTION_SIZE) >= IDV_JURISDICTION_SIZE)
        return NULL;
    if (!strchr(text, '-')) {
        country = country_code(text, pool);
        return country ? place(country, NULL, pool) : NULL;
    }
    if (strcspn(text, "-") != 2)
        return NULL;
    country = country_code(apr_pstrmemdup(pool, text, 2), pool);
    if (!country || territory(country, pool))
        return NULL;
    region = region_code(country, text + 3, pool);
    return region ? place(country, region, pool) : NULL;
}

const char *idv_jurisdiction_join(const char *country, const char *region,
                                  apr_pool_t *pool)
{
    country = country ? country_code(country, pool) : NULL;
    region = country && region ? region_code(country, region, pool) : NULL;
    return country ? place(country, region, pool) : NULL;
}

idv_error_t *idv_jurisdiction_parse(const char *text, const char *param,
                                    const char **out, apr_pool_t *pool)
{
    *out = idv_jurisdiction_normalize(text, pool);
    if (!*out)
        return idv_error_param(pool, param,
                               "must be an ISO 3166 country code, optionally "
                               "with a region, such as `DE` or `US-CA`.");
    return NULL;
}

int idv_jurisdiction_covers(const char *wider, const char *part)
{
    return strcmp(wider, part) == 0
        || (!wider[2] && strncmp(wider, part, 2) == 0);
}

int idv_jurisdiction_disagree(const char *a, const char *b)
{
    return !idv_jurisdiction_covers(a, b) && !idv_jurisdiction_covers(b, a);
}

void idv_jurisdiction_resolve(const idv_jurisdiction_sources_t *known,
                              idv_jurisdiction_audit_t *audit)
{
    const char *const by_source[IDV_JURISDICTION_SOURCE_COUNT] = {
        [IDV_JURISDICTION_EXPLICIT] = known->declared,
        [IDV_JURISDICTION_GEO_HEADER] = known->geo_header,
        [IDV_JURISDICTION_IP_DATABASE] = known->ip_database,
        [IDV_JURISDICTION_WORKFLOW] = known->workflow,
    };

    memset(audit, 0, sizeof(*audit));
    audit->declared = known->declared;
    audit->ip_derived =
        known->geo_header ? known->geo_header : known->ip_database;
    audit->mismatch =
        audit->declared && audit->ip_derived
            ? idv_jurisdiction_disagree(audit->declared, audit->ip_derived)
            : -1;
    for (int i = 1; i < IDV_JURISDICTION_SOURCE_COUNT; i++) {
        if (!by_source[i])
            continue;
        audit->resolved = by_source[i];
        audit->source = i;
        return;
    }
}

void idv_jurisdiction_believe_place(const idv_jurisdiction_sources_t *sources,
                                    idv_jurisdiction_audit_t *audit)
{
    audit->resolved = audit->ip_derived;
    audit->source = sources->geo_header ? IDV_JURISDICTION_GEO_HEADER
                                        : IDV_JURISDICTION_IP_DATABASE;
}
