/* SPDX-License-Identifier: Apache-2.0 */
#include "api/web_asset.h"

#include <stdlib.h>
#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#define CONTENT_SECURITY_POLICY "Content-Security-Policy"

static const struct {
    const char *name;
    const char *value;
} header_list[] = {
#define IDV_WEB_HEADER(name, value) {name, value},
#include "api/web_headers.def"
#undef IDV_WEB_HEADER
};

const idv_web_asset_t *idv_web_asset_find(const char *path)
{
    for (const idv_web_asset_t *asset = idv_web_assets; asset->path; asset++)
        if (strcmp(asset->path, path) == 0)
            return asset;
    return NULL;
}

/* Whether the element of an Accept-Encoding list from TEXT to END names gzip,
 * and with a weight above zero. */
static int element_admits_gzip(const char *text, const char *end)
{
    const char *weight;

    while (text < end && apr_isspace(*text))
        text++;
    if (end - text < 4 || strncasecmp(text, "gzip", 4) != 0)
        return 0;
    text += 4;
    while (text < end && apr_isspace(*text))
        text++;
    if (text == end)
        return 1;
    if (*text != ';')
        return 0;
    weight = memchr(text, '=', (size_t)(end - text));
    return !weight || strtod(weight + 1, NULL) > 0;
}

int idv_web_accepts_gzip(const char *accept_encoding)
{
    const char *text = accept_encoding, *end;

    while (text && *text) {
        end = text + strcspn(text, ",");
        if (element_admits_gzip(text, end))
            return 1;
        text = *end ? end + 1 : end;
    }
    return 0;
}

void idv_web_headers_set(apr_table_t *headers, const idv_web_asset_t *asset,
                         const char *frame_ancestors, apr_pool_t *pool)
{
    int is_for_others = strcmp(asset->path, IDV_WEB_EMBED_SCRIPT) == 0
                        || strcmp(asset->path, IDV_WEB_PAGE) == 0;
    apr_size_t count = sizeof(header_list) / sizeof(*header_list);

    for (apr_size_t i = 0; i < count; i++) {
        const char *value = header_list[i].value;

        if (strcmp(header_list[i].name, CONTENT_SECURITY_POLICY) == 0)
            value = apr_pstrcat(pool, value, "; frame-ancestors ",
                                frame_ancestors, NULL);
        apr_table_setn(headers, header_list[i].name, value);
    }
    /* Customers' pages load the script and frame the page; the rest is ours. */
    apr_table_setn(headers, "Cross-Origin-Resource-Policy",
                   is_for_others ? "cross-origin" : "same-origin");
    apr_table_mergen(headers, "Vary", "Accept-Encoding");
}
