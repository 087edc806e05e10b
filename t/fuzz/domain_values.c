/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of strangers: addresses, phone numbers, URLs, jurisdictions
 * (of geo headers, too), ages. A normal form is its own normal form. */
#include "fuzz/fuzz.h"

#include "domain/identifier.h"
#include "domain/jurisdiction.h"
#include "domain/limits.h"
#include "domain/max_age.h"
#include "domain/url.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    const char *text = apr_pstrmemdup(pool, (const char *)data, size);
    int days;

    check_identifiers(text, pool);
    check_jurisdictions(text, pool);
    check_url(text, pool);
    for (int form = IDV_MAX_AGE_SESSION; form <= IDV_MAX_AGE_LOOKUP; form++)
        if (!idv_max_age_parse(text, (idv_max_age_form_t)form, "max_age",
                               &days, pool))
            promise(days >= 1 && days <= IDV_MAX_AGE_DAYS);
    apr_pool_destroy(pool);
    return 0;
}
