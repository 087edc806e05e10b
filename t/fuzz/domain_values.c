/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of strangers: addresses, phone numbers, URLs, jurisdictions
 * (of geo headers, too), ages. A normal form is its own normal form. */
#include "fuzz/fuzz.h"

#include "domain/request/parameters.h"
#include "domain/value/identifier.h"
#include "domain/value/jurisdiction.h"
#include "domain/value/url.h"

static void check_identifiers(const char *text, apr_pool_t *pool)
{
    const char *once, *twice;

    if (!idv_email_normalize(text, "email", &once, pool)) {
        promise(strlen(once) <= 254);
        promise(!idv_email_normalize(once, "email", &twice, pool));
        promise(strcmp(once, twice) == 0);
    }
    if (!idv_phone_normalize(text, "phone", &once, pool)) {
        promise(once[0] == '+' && strlen(once) >= 8 && strlen(once) <= 16);
        promise(!idv_phone_normalize(once, "phone", &twice, pool));
        promise(strcmp(once, twice) == 0);
    }
}

static void check_jurisdictions(const char *text, apr_pool_t *pool)
{
    const char *dash = strchr(text, '-');
    const char *normal = idv_jurisdiction_normalize(text, pool);

    if (normal) {
        promise(strlen(normal) < IDV_JURISDICTION_SIZE);
        promise(strcmp(normal, idv_jurisdiction_normalize(normal, pool)) == 0);
    }
    normal = dash ? idv_jurisdiction_join(
                 apr_pstrmemdup(pool, text, (apr_size_t)(dash - text)),
                 dash + 1, pool)
                  : idv_jurisdiction_join(text, NULL, pool);
    if (normal)
        promise(strcmp(normal, idv_jurisdiction_normalize(normal, pool)) == 0);
}

static void check_url(const char *text, apr_pool_t *pool)
{
    if (!idv_url_check(text, IDV_URL_WEBHOOK, "url", pool)) {
        promise(strncasecmp(text, "https://", 8) == 0);
        promise(!strchr(text, '#') && strlen(text) <= IDV_URL_MAX);
        promise(*idv_url_host(text, pool)
                && !strpbrk(idv_url_host(text, pool), "/@[]?#"));
        promise(!idv_url_check(text, IDV_URL_REDIRECT, "url", pool));
    }
    if (!idv_url_check(text, IDV_URL_ORIGIN, "url", pool))
        promise(!idv_url_check(text, IDV_URL_REDIRECT, "url", pool)
                && !strchr(strstr(text, "://") + 3, '/'));
    if (!idv_url_check(text, IDV_URL_REDIRECT, "url", pool))
        for (const char *c = text; *c; c++)
            promise(*c > ' ' && *c < 127 && *c != '\\' && *c != '"');
}

typedef struct {
    int days, number;
} ages_t;

static void check_ages(const char *text, apr_pool_t *pool)
{
    static const idv_parameter_t table[] = {
        IDV_PARAMETER(MAX_AGE, ages_t, days, 0, 0, IDV_TOKEN_TEXT_MAX),
        IDV_PARAMETER(MAX_AGE_NUMBER, ages_t, number, 0, 0, IDV_TOKEN_TEXT_MAX),
        {0},
    };
    ages_t ages = {1, 1};

    for (const idv_parameter_t *rule = table; rule->name; rule++) {
        const idv_parameters_t given = {
            .values = idv_json_own(json_pack("{s:s}", rule->name, text), pool)};

        if (given.values
            && !idv_parameters_read(&given, table, &ages, NULL, pool))
            promise(ages.days >= 1 && ages.days <= IDV_MAX_AGE_DAYS
                    && ages.number >= 1 && ages.number <= IDV_MAX_AGE_DAYS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);

    check_identifiers(text, pool);
    check_jurisdictions(text, pool);
    check_url(text, pool);
    check_ages(text, pool);
    apr_pool_destroy(pool);
    return 0;
}
