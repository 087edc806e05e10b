/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "api/web_asset.h"

#define BUDGET (44 * 1024) /* bytes, all files gzip-compressed */

static void finds_files_by_their_path_only(void **state)
{
    const idv_web_asset_t *page = idv_web_asset_find(IDV_WEB_PAGE);

    (void)state;
    assert_non_null(page);
    assert_string_equal(page->media_type, "text/html; charset=utf-8");
    assert_non_null(idv_web_asset_find("embed.js"));
    assert_non_null(idv_web_asset_find("assets/app.js"));
    assert_non_null(idv_web_asset_find("assets/texts/de.json"));
    assert_null(idv_web_asset_find("app.js"));
    assert_null(idv_web_asset_find("assets/index.html"));
    assert_null(idv_web_asset_find("assets/../embed.js"));
    assert_null(idv_web_asset_find("assets/README.md"));
    assert_null(idv_web_asset_find(""));
}

static void stays_small_and_tells_versions_apart(void **state)
{
    apr_size_t sum = 0;

    (void)state;
    for (const idv_web_asset_t *a = idv_web_assets; a->path; a++) {
        assert_true(a->plain.length > 0);
        assert_memory_equal(a->gzip.data, "\x1f\x8b", 2);
        assert_string_not_equal(a->plain.etag, a->gzip.etag);
        assert_int_equal(a->plain.etag[0], '"');
        sum += a->gzip.length;
    }
    assert_in_range(sum, 1, BUDGET);
}

static void compresses_for_who_asks(void **state)
{
    (void)state;
    assert_true(idv_web_accepts_gzip("gzip, deflate, br"));
    assert_true(idv_web_accepts_gzip("br;q=1.0, GZIP ; q=0.5"));
    assert_false(idv_web_accepts_gzip(NULL));
    assert_false(idv_web_accepts_gzip(""));
    assert_false(idv_web_accepts_gzip("br, deflate"));
    assert_false(idv_web_accepts_gzip("gzip;q=0"));
    assert_false(idv_web_accepts_gzip("gzip; q=0.000, br"));
    assert_false(idv_web_accepts_gzip("gzipped"));
}

static void guards_the_page(void **state)
{
    apr_pool_t *pool = *state;
    apr_table_t *headers = apr_table_make(pool, 8);
    const char *policy;

    idv_web_headers_set(headers, idv_web_asset_find(IDV_WEB_PAGE),
                        "https://shop.example", pool);
    policy = apr_table_get(headers, "Content-Security-Policy");
    assert_non_null(strstr(policy, "default-src 'none'; script-src 'self'"));
    assert_non_null(strstr(policy, "; frame-ancestors https://shop.example"));
    assert_null(strstr(policy, "unsafe"));
    assert_string_equal(apr_table_get(headers, "X-Content-Type-Options"),
                        "nosniff");
    assert_string_equal(
        apr_table_get(headers, "Cross-Origin-Resource-Policy"),
        "cross-origin");

    idv_web_headers_set(headers, idv_web_asset_find("assets/app.js"),
                        "'self'", pool);
    assert_string_equal(
        apr_table_get(headers, "Cross-Origin-Resource-Policy"),
        "same-origin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_files_by_their_path_only),
        cmocka_unit_test(stays_small_and_tells_versions_apart),
        cmocka_unit_test(compresses_for_who_asks),
        pooled_test(guards_the_page),
    };

    return unit_run("api_web_asset", tests);
}
