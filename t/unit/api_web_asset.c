/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "api/http/web_asset.h"

/* Bytes in one language as browsers get them, brotli-compressed. */
#define BUDGET (57 * 1000)
#define DASHBOARD_BUDGET (120 * 1000)
/* The same of who asks for gzip. */
#define DASHBOARD_FIRST_BUDGET (92 * 1000) /* of what comes first */
#define DASHBOARD_PAGE_BUDGET (120 * 1000) /* of what any of its pages needs */

static void finds_files_by_their_path_only(void **state)
{
    const idv_web_asset_t *page = idv_web_asset_find("index.en.html");

    (void)state;
    assert_non_null(page);
    assert_string_equal(page->media_type, "text/html; charset=utf-8");
    assert_non_null(idv_web_asset_find("embed.js"));
    assert_non_null(idv_web_asset_find("assets/widget.js"));
    assert_non_null(idv_web_asset_find("assets/methods/document_capture.js"));
    assert_non_null(idv_web_asset_find("assets/texts/de.json"));
    assert_null(idv_web_asset_find("openapi.json"));
    assert_non_null(idv_api_document_find("openapi.json"));
    assert_null(idv_api_document_find("embed.js"));
    assert_null(idv_web_asset_find("assets/app.js"));
    assert_null(idv_web_asset_find("assets/index.html"));
    assert_null(idv_web_asset_find("assets/../embed.js"));
    assert_null(idv_web_asset_find("assets/README.md"));
    assert_null(idv_web_asset_find(""));
}

/* ASSET has all its forms, and each has its own tag. */
static void has_all_forms(const idv_web_asset_t *asset)
{
    print_message("%s\n", asset->path);
    assert_true(asset->plain.length > 0);
    assert_null(asset->plain.coding);
    assert_int_equal(asset->plain.etag[0], '"');
    assert_string_equal(asset->gzip.coding, "gzip");
    assert_memory_equal(asset->gzip.data, "\x1f\x8b", 2);
    assert_string_not_equal(asset->plain.etag, asset->gzip.etag);
    assert_non_null(asset->brotli.data);
    assert_string_equal(asset->brotli.coding, "br");
    assert_true(asset->plain.length < 1000
                || asset->brotli.length < asset->gzip.length);
    assert_string_not_equal(asset->plain.etag, asset->brotli.etag);
    assert_string_not_equal(asset->gzip.etag, asset->brotli.etag);
}

static void stays_small_and_tells_versions_apart(void **state)
{
    apr_size_t sum = 0;

    (void)state;
    for (const idv_web_asset_t *a = idv_web_assets; a->path; a++) {
        has_all_forms(a);
        /* What is there in each language counts in one, and the page that
         * ends sharing is another one. */
        if (strstr(a->path, "texts/") || strstr(a->path, "revoke")
            || (strstr(a->path, ".html") && !strstr(a->path, ".en.")))
            continue;
        sum += a->brotli.length;
    }
    print_message("widget: %lu bytes\n", (unsigned long)sum);
    assert_in_range(sum, 1, BUDGET);
}

static const char *page_for(const char *lang, const char *accept_language)
{
    return idv_web_page_find(IDV_WEB_PAGE, lang, accept_language)->path;
}

static void speaks_the_language_that_is_wanted(void **state)
{
    (void)state;
    assert_string_equal(page_for(NULL, NULL), "index.en.html");
    assert_string_equal(page_for("de", "en"), "index.de.html");
    assert_string_equal(page_for("DE-at", NULL), "index.de.html");
    assert_string_equal(page_for("ar", NULL), "index.ar.html");
    assert_string_equal(page_for(NULL, "pt-BR, en;q=0.5"), "index.pt.html");
    assert_string_equal(page_for("xx", "de;q=0.5, en;q=0.4"), "index.de.html");
    assert_string_equal(page_for(NULL, "xx, de-CH;q=0.7, en;q=0.8"),
                        "index.en.html");
    assert_string_equal(page_for(NULL, "de;q=0"), "index.en.html");
    assert_string_equal(page_for("../../e", "*, d, deu, de_AT, %$"),
                        "index.en.html");
    assert_string_equal(
        idv_web_page_find(IDV_WEB_REVOKE_PAGE, "de", NULL)->path,
        "revoke.de.html");
}

static void picks_the_encoding_that_is_preferred(void **state)
{
    static const struct {
        const char *accept_encoding;
        const char *coding;
        const char *without_brotli;
    } cases[] = {
        {NULL, NULL, NULL},
        {"", NULL, NULL},
        {"gzip, deflate, br, zstd", "br", "gzip"},
        {"br", "br", NULL},
        {"BR", "br", NULL},
        {"gzip, deflate", "gzip", "gzip"},
        {"deflate, zstd", NULL, NULL},
        {"gzipped, brr, b", NULL, NULL},
        {"br;q=0.5, gzip;q=0.5", "br", "gzip"},
        {"br;q=0.4, GZIP ; q=0.5", "gzip", "gzip"},
        {"br;q=1.0, gzip;q=0.5", "br", "gzip"},
        {"br;q=0, gzip", "gzip", "gzip"},
        {"br;q=0.000, gzip; q=0.0", NULL, NULL},
        {"gzip;q=0, br", "br", NULL},
        {"br;q=abc", NULL, NULL},
        {"identity", NULL, NULL},
        {"identity, gzip, br", "br", "gzip"},
        {"identity;q=1, gzip;q=0.5, br;q=0.5", NULL, NULL},
        {"identity;q=0.5, gzip;q=0.5, br;q=0.4", "gzip", "gzip"},
        {"identity;q=0.3, gzip;q=0.2, br;q=0.4", "br", NULL},
        {"identity;q=1, *;q=0", NULL, NULL},
        {"*", NULL, NULL},
        {"*;q=0.5", NULL, NULL},
        {"br, *;q=0", "br", NULL},
        {"gzip;q=0.5, *", "gzip", "gzip"},
        {"identity;q=0, *", "br", "gzip"},
        {"identity;q=0, *;q=0.5, br;q=0", "gzip", "gzip"},
        {"identity;q=0, gzip;q=0.1", "gzip", "gzip"},
        {"identity;q=0, br;q=0.1, *;q=0", "br", NULL},
        {"identity;q=0, *;q=0", NULL, NULL},
        {"*;q=0", NULL, NULL},
        {"identity;q=0", NULL, NULL},
        {"br;q=nan, gzip;q=-1, ;;, =", NULL, NULL},
    };
    idv_web_asset_t packed = *idv_web_asset_find("embed.js"), old = packed;

    (void)state;
    memset(&old.brotli, 0, sizeof(old.brotli));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *wish = cases[i].accept_encoding;
        const char *coding = idv_web_encoding_pick(&packed, wish)->coding;
        const char *other = idv_web_encoding_pick(&old, wish)->coding;

        print_message("%s: %s, %s\n", wish ? wish : "-", coding ? coding : "-",
                      other ? other : "-");
        assert_string_equal(coding ? coding : "",
                            cases[i].coding ? cases[i].coding : "");
        assert_string_equal(
            other ? other : "",
            cases[i].without_brotli ? cases[i].without_brotli : "");
    }
}

static void guards_the_page(void **state)
{
    apr_pool_t *pool = *state;
    apr_table_t *headers = apr_table_make(pool, 8);
    const char *policy;

    idv_web_headers_set(headers, idv_web_asset_find("index.en.html"), NULL,
                        "https://shop.example", pool);
    assert_string_equal(apr_table_get(headers, "Cache-Control"), "no-cache");
    policy = apr_table_get(headers, "Content-Security-Policy");
    assert_non_null(strstr(policy, "default-src 'none'; script-src 'self'"));
    assert_non_null(strstr(policy, "; frame-ancestors https://shop.example"));
    assert_non_null(strstr(policy, "; script-src-elem 'self' 'sha256-"));
    assert_non_null(strstr(policy, idv_web_script_hash));
    assert_null(strstr(policy, "unsafe"));
    assert_string_equal(apr_table_get(headers, "X-Content-Type-Options"),
                        "nosniff");
    assert_string_equal(
        apr_table_get(headers, "Cross-Origin-Resource-Policy"),
        "cross-origin");

    idv_web_headers_set(headers, idv_web_asset_find("assets/widget.js"),
                        idv_web_assets_version, "'self'", pool);
    assert_string_equal(apr_table_get(headers, "Cache-Control"),
                        "public, max-age=31536000, immutable");
    assert_string_equal(
        apr_table_get(headers, "Cross-Origin-Resource-Policy"),
        "same-origin");
}

/* Non-zero if the text of ASSET contains NAME. */
static int names(const idv_web_asset_t *asset, const char *name)
{
    return memmem(asset->plain.data, asset->plain.length, name, strlen(name))
        != NULL;
}

/* What of the dashboard ASSET is, for somebody with PAGE. */
typedef enum { FIRST, LATER, NOT_COUNTED } part_t;

static part_t part_of(const idv_web_asset_t *asset,
                      const idv_web_asset_t *page)
{
    const char *path = asset->path;

    /* A page brings its texts and fetches the codes in its language, so one
     * language counts; the licences are read by who wants to. */
    if (strstr(path, "texts-") || strstr(path, "codes.json")
        || strstr(path, "licences")
        || (strstr(path, "wording-") && !strstr(path, "-de."))
        || (strstr(path, ".html") && asset != page))
        return NOT_COUNTED;
    if (!strstr(path, ".js") || strstr(path, ".json")
        || names(page, strrchr(path, '/')))
        return FIRST;
    return LATER;
}

static void keeps_the_dashboard_small(void **state)
{
    const idv_web_asset_t *page = idv_dashboard_asset_find("index.de.html");
    /* Bytes by part, and of the largest file of those that come later. */
    apr_size_t gzip[3] = {0}, brotli[3] = {0}, largest = 0;

    (void)state;
    assert_non_null(page);
    assert_non_null(idv_dashboard_asset_find("assets/dashboard.js"));
    assert_null(idv_dashboard_asset_find("assets/preact.mjs"));
    assert_non_null(idv_dashboard_asset_find("assets/licences.txt"));
    assert_null(idv_dashboard_asset_find("assets/parts.js"));
    assert_null(idv_web_asset_find("assets/dashboard.js"));
    for (const idv_web_asset_t *a = idv_dashboard_assets; a->path; a++) {
        part_t part = part_of(a, page);

        has_all_forms(a);
        assert_null(strstr(a->path, "chunk-"));
        gzip[part] += a->gzip.length;
        brotli[part] += a->brotli.length;
        if (part == LATER && a->gzip.length > largest)
            largest = a->gzip.length;
    }
    print_message("dashboard: first %lu bytes (brotli %lu), with a page %lu, "
                  "all %lu (brotli %lu)\n",
                  (unsigned long)gzip[FIRST], (unsigned long)brotli[FIRST],
                  (unsigned long)(gzip[FIRST] + largest),
                  (unsigned long)(gzip[FIRST] + gzip[LATER]),
                  (unsigned long)(brotli[FIRST] + brotli[LATER]));
    assert_in_range(gzip[FIRST], 1, DASHBOARD_FIRST_BUDGET);
    assert_in_range(gzip[FIRST] + largest, 1, DASHBOARD_PAGE_BUDGET);
    assert_in_range(brotli[FIRST] + brotli[LATER], 1, DASHBOARD_BUDGET);
}

static void guards_the_dashboard(void **state)
{
    apr_pool_t *pool = *state;
    apr_table_t *headers = apr_table_make(pool, 8);
    const idv_web_asset_t *page = idv_dashboard_page_find(NULL, "de-AT");
    const char *policy;

    assert_string_equal(page->path, "index.de.html");
    idv_dashboard_headers_set(headers, NULL);
    policy = apr_table_get(headers, "Content-Security-Policy");
    assert_memory_equal(policy, "script-src 'self'; ", 19);
    assert_null(strstr(policy, "sha256-"));
    assert_non_null(strstr(policy, "; default-src 'none';"));
    assert_non_null(strstr(policy, "; frame-ancestors 'none';"));
    assert_non_null(strstr(policy, "; trusted-types 'none';"));
    assert_non_null(strstr(policy, "; require-trusted-types-for 'script'"));
    assert_null(strstr(policy, "unsafe"));
    assert_string_equal(apr_table_get(headers, "Cache-Control"), "no-cache");
    assert_string_equal(
        apr_table_get(headers, "Cross-Origin-Resource-Policy"),
        "same-origin");
    idv_dashboard_headers_set(headers, "0123456789abcdef");
    assert_string_equal(apr_table_get(headers, "Cache-Control"), "no-cache");
    idv_dashboard_headers_set(headers, idv_dashboard_assets_version);
    assert_string_equal(apr_table_get(headers, "Cache-Control"),
                        "public, max-age=31536000, immutable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_files_by_their_path_only),
        cmocka_unit_test(stays_small_and_tells_versions_apart),
        cmocka_unit_test(speaks_the_language_that_is_wanted),
        cmocka_unit_test(picks_the_encoding_that_is_preferred),
        pooled_test(guards_the_page),
        cmocka_unit_test(keeps_the_dashboard_small),
        pooled_test(guards_the_dashboard),
    };

    return unit_run("api_web_asset", tests);
}
