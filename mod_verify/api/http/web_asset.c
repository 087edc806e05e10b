/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/web_asset.h"

#include <stdlib.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#define CONTENT_SECURITY_POLICY "Content-Security-Policy"
#define FOR_EVER "public, max-age=31536000, immutable"
#define FALLBACK_LANGUAGE "en"

static const struct {
    const char *name;
    const char *value;
} header_list[] = {
#define IDV_WEB_HEADER(name, value) {name, value},
#include "api/http/web_headers.def"
#undef IDV_WEB_HEADER
};

static const char dashboard_policy[] =
    "script-src 'self'; default-src 'none'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; trusted-types 'none'; "
    "require-trusted-types-for 'script'";
static const char no_permissions[] =
    "camera=(), digital-credentials-get=(), microphone=(), geolocation=(), "
    "payment=()";

static const idv_web_asset_t *find(const idv_web_asset_t *assets,
                                   const char *path)
{
    for (; assets->path; assets++)
        if (strcmp(assets->path, path) == 0)
            return assets;
    return NULL;
}

const idv_web_asset_t *idv_web_asset_find(const char *path)
{
    return find(idv_web_assets, path);
}

const idv_web_asset_t *idv_dashboard_asset_find(const char *path)
{
    return find(idv_dashboard_assets, path);
}

const idv_web_asset_t *idv_api_document_find(const char *path)
{
    return find(idv_api_documents, path);
}

/* A page of a table, in all its languages. */
typedef struct {
    const idv_web_asset_t *assets;
    const char *name;
} page_t;

/* PAGE in the language at the start of TAG, which has LENGTH bytes ("de-AT"
 * gets "de"), or NULL. */
static const idv_web_asset_t *page_in(const page_t *page, const char *tag,
                                      apr_size_t length)
{
    char path[32];

    for (apr_size_t i = 0; i < length; i++)
        if (tag[i] == '-')
            length = i;
    if (length < 2 || length > 3)
        return NULL;
    apr_snprintf(path, sizeof(path), "%s.%c%c%.*s.html", page->name,
                 apr_tolower(tag[0]), apr_tolower(tag[1]), (int)length - 2,
                 tag + 2);
    return find(page->assets, path);
}

/* The value of an element in a weighted list (RFC 9110, 12.4.2), trimmed. */
typedef struct {
    const char *value;
    apr_size_t length;
    double weight;
} weighted_t;

/* Removes the first element from LIST; zero at its end. */
static int take_element(const char **list, weighted_t *element)
{
    const char *text = *list, *end, *weight;

    if (!text || !*text)
        return 0;
    end = text + strcspn(text, ",");
    *list = *end ? end + 1 : end;
    while (text < end && apr_isspace(*text))
        text++;
    element->value = text;
    element->length = strcspn(text, ",; \t");
    weight = memchr(text, ';', (size_t)(end - text));
    weight = weight ? memchr(weight, '=', (size_t)(end - weight)) : NULL;
    element->weight = weight ? strtod(weight + 1, NULL) : 1;
    return 1;
}

static const idv_web_asset_t *negotiate(const page_t *page, const char *lang,
                                        const char *accept_language)
{
    const idv_web_asset_t *found =
        lang ? page_in(page, lang, strlen(lang)) : NULL;
    weighted_t element;
    double best = 0;

    if (found)
        return found;
    while (take_element(&accept_language, &element)) {
        const idv_web_asset_t *asset =
            page_in(page, element.value, element.length);

        if (asset && element.weight > best) {
            best = element.weight;
            found = asset;
        }
    }
    return found ? found : page_in(page, FALLBACK_LANGUAGE, 2);
}

const idv_web_asset_t *idv_web_page_find(const char *page, const char *lang,
                                         const char *accept_language)
{
    page_t wanted = {idv_web_assets, page};

    return negotiate(&wanted, lang, accept_language);
}

const idv_web_asset_t *idv_dashboard_page_find(const char *lang,
                                               const char *accept_language)
{
    page_t wanted = {idv_dashboard_assets, IDV_WEB_PAGE};

    return negotiate(&wanted, lang, accept_language);
}

/* What the header says of each coding; negative where it says nothing. */
typedef struct {
    double brotli;
    double gzip;
    double identity;
    double others;
} weights_t;

static weights_t weights_of(const char *accept_encoding)
{
    weights_t weights = {-1, -1, -1, -1};
    const struct {
        const char *name;
        double *weight;
    } codings[] = {
        {"br", &weights.brotli},
        {"gzip", &weights.gzip},
        {"identity", &weights.identity},
        {"*", &weights.others},
    };
    weighted_t element;

    while (take_element(&accept_encoding, &element))
        for (apr_size_t i = 0; i < sizeof(codings) / sizeof(*codings); i++)
            if (element.length == strlen(codings[i].name)
                && strncasecmp(element.value, codings[i].name, element.length)
                       == 0)
                *codings[i].weight = element.weight;
    return weights;
}

const idv_web_body_t *idv_web_encoding_pick(const idv_web_asset_t *asset,
                                            const char *accept_encoding)
{
    weights_t weights = weights_of(accept_encoding);
    int plain_is_refused =
        weights.identity == 0 || (weights.identity < 0 && weights.others == 0);
    const idv_web_body_t *best = &asset->plain;

    /* Clients that send "*" only may understand less than they say. */
    if (plain_is_refused && weights.brotli < 0)
        weights.brotli = weights.others;
    if (plain_is_refused && weights.gzip < 0)
        weights.gzip = weights.others;
    if (weights.gzip > 0 && weights.gzip >= weights.identity) {
        best = &asset->gzip;
        weights.identity = weights.gzip;
    }
    if (asset->brotli.data && weights.brotli > 0
        && weights.brotli >= weights.identity)
        best = &asset->brotli;
    return best;
}

void idv_web_headers_set(apr_table_t *headers, const idv_web_asset_t *asset,
                         const char *version, const char *frame_ancestors,
                         apr_pool_t *pool)
{
    static const char page[] = IDV_WEB_PAGE ".";
    int is_for_others = strcmp(asset->path, IDV_WEB_EMBED_SCRIPT) == 0
                     || strncmp(asset->path, page, sizeof(page) - 1) == 0;
    apr_size_t count = sizeof(header_list) / sizeof(*header_list);

    for (apr_size_t i = 0; i < count; i++) {
        const char *value = header_list[i].value;

        if (strcmp(header_list[i].name, CONTENT_SECURITY_POLICY) == 0)
            value = apr_pstrcat(pool, value, "; script-src-elem 'self' ",
                                idv_web_script_hash, "; frame-ancestors ",
                                frame_ancestors, NULL);
        apr_table_setn(headers, header_list[i].name, value);
    }
    if (version && strcmp(version, idv_web_assets_version) == 0)
        apr_table_setn(headers, "Cache-Control", FOR_EVER);
    /* Customers' pages load the script and frame the page; all else is ours. */
    apr_table_setn(headers, "Cross-Origin-Resource-Policy",
                   is_for_others ? "cross-origin" : "same-origin");
    apr_table_mergen(headers, "Vary", "Accept-Encoding");
}

void idv_dashboard_headers_set(apr_table_t *headers, const char *version)
{
    apr_size_t count = sizeof(header_list) / sizeof(*header_list);

    for (apr_size_t i = 0; i < count; i++)
        apr_table_setn(headers, header_list[i].name, header_list[i].value);
    apr_table_setn(headers, CONTENT_SECURITY_POLICY, dashboard_policy);
    apr_table_setn(headers, "Permissions-Policy", no_permissions);
    if (version && strcmp(version, idv_dashboard_assets_version) == 0)
        apr_table_setn(headers, "Cache-Control", FOR_EVER);
    apr_table_setn(headers, "Cross-Origin-Resource-Policy", "same-origin");
    apr_table_mergen(headers, "Vary", "Accept-Encoding");
}

void idv_api_page_headers_set(apr_table_t *headers, apr_pool_t *pool)
{
    apr_size_t count = sizeof(header_list) / sizeof(*header_list);

    for (apr_size_t i = 0; i < count; i++)
        apr_table_setn(headers, header_list[i].name, header_list[i].value);
    apr_table_setn(headers, CONTENT_SECURITY_POLICY,
                   apr_pstrcat(pool, "default-src 'none'; style-src ",
                               idv_api_page_style_hash,
                               "; form-action 'none'; base-uri 'none'; "
                               "frame-ancestors 'none'",
                               NULL));
    apr_table_setn(headers, "Permissions-Policy", no_permissions);
    apr_table_setn(headers, "Cache-Control", IDV_WEB_FOR_A_WHILE);
    apr_table_setn(headers, "Cross-Origin-Resource-Policy", "same-origin");
    apr_table_mergen(headers, "Vary", "Accept-Encoding");
}
