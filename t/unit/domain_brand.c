/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/account/brand.h"

static void measures_the_contrast_of_white(void **state)
{
    (void)state;
    assert_int_equal((int)(idv_brand_contrast("#000000") * 10 + 0.5), 210);
    assert_int_equal((int)(idv_brand_contrast("#ffffff") * 10 + 0.5), 10);
    /* The example of many: #767676 is the lightest grey that passes. */
    assert_true(idv_brand_contrast("#767676") >= 4.5);
    assert_true(idv_brand_contrast("#777777") < 4.5);
    assert_true(idv_brand_contrast("#12345") == 0);
    assert_true(idv_brand_contrast("#12345g") == 0);
    assert_true(idv_brand_contrast("red") == 0);
    assert_true(idv_brand_contrast(NULL) == 0);
}

static const char *fault(const char *text, apr_pool_t *pool)
{
    json_t *brand = idv_json_load(text, pool);
    idv_error_t *error;

    assert_non_null(brand);
    error = idv_brand_check(brand, pool);
    if (!error)
        return NULL;
    return error->param ? error->param : "";
}

static void names_the_part_that_is_wrong(void **state)
{
    apr_pool_t *pool = *state;

    assert_null(fault("{}", pool));
    assert_null(fault("{\"name\":\"Shop\",\"accent\":\"#0a5c36\",\"logo\":null,"
                      "\"support\":\"tel:+1555\",\"theme\":\"auto\","
                      "\"privacy_url\":\"https://shop.example/p\"}", pool));
    assert_string_equal(fault("{\"name\":\"\"}", pool), "name");
    assert_string_equal(fault("{\"name\":\"a\\nb\"}", pool), "name");
    assert_string_equal(fault("{\"name\":1}", pool), "name");
    for (int i = 0; i < 9; i++) {
        static const char *const names[] = {
            " ", "\\u200b", "\\u00a0\\u3000", "a\\u2069\\u202e", "a\\u2028b",
            "\\u0085", "a\\u007f", "\\ufeffa", "a\\u2067"};

        assert_string_equal(fault(apr_psprintf(pool, "{\"name\":\"%s\"}",
                                               names[i]), pool), "name");
    }
    /* Marks of direction and joiners are part of words. */
    assert_null(fault("{\"name\":\"\\u0645\\u06cc\\u200c\\u062e\\u0648"
                      "\\u200f \\u00e9\\u2019\"}", pool));
    assert_string_equal(fault("{\"accent\":\"#ffff00\"}", pool), "accent");
    assert_string_equal(fault("{\"support\":\"data:x\"}", pool), "support");
    assert_string_equal(fault("{\"support\":\"https://\"}", pool), "support");
    assert_string_equal(fault("{\"privacy_url\":\"http://a\"}", pool),
                        "privacy_url");
    for (int i = 0; i < 6; i++) {
        static const char *const urls[] = {
            "https://x\\\"onclick=", "https://user:pw@x/", "https://x/<b>",
            "https://x:99999/", "https://x/%zz", "https://x/\\\\y"};

        assert_string_equal(fault(apr_psprintf(pool,
            "{\"privacy_url\":\"%s\"}", urls[i]), pool), "privacy_url");
        assert_string_equal(fault(apr_psprintf(pool,
            "{\"support\":\"%s\"}", urls[i]), pool), "support");
    }
    assert_null(fault("{\"privacy_url\":\"https://b\\u00fccher.example/p?a=b#c\","
                      "\"support\":\"mailto:help@shop.example\"}", pool));
    assert_string_equal(fault("{\"logo\":\"https://shop.example/l.png\"}",
                              pool), "logo");
    assert_string_equal(fault("{\"theme\":\"pink\"}", pool), "theme");
    assert_string_equal(fault("{\"typeface\":\"x\"}", pool), "typeface");
    assert_string_equal(fault("[]", pool), "");
}

static void checks_the_looks(void **state)
{
    apr_pool_t *pool = *state;

    assert_null(fault("{\"font\":\"serif\",\"radius\":\"none\","
                      "\"density\":\"compact\",\"background\":\"#fbf7f0\"}",
                      pool));
    assert_string_equal(fault("{\"font\":\"x\"}", pool), "font");
    assert_string_equal(fault("{\"font\":\"\"}", pool), "font");
    assert_string_equal(fault("{\"font\":\"seri\"}", pool), "font");
    assert_string_equal(fault("{\"font\":\"system|serif\"}", pool), "font");
    assert_string_equal(fault("{\"radius\":\"1px\"}", pool), "radius");
    assert_string_equal(fault("{\"density\":1}", pool), "density");
    assert_string_equal(fault("{\"background\":\"white\"}", pool),
                        "background");
    assert_string_equal(fault("{\"background\":\"#c8c8c8\"}", pool),
                        "background");
    /* Each is good with white, but not together. */
    assert_null(fault("{\"accent\":\"#757575\"}", pool));
    assert_string_equal(fault("{\"accent\":\"#757575\","
                              "\"background\":\"#f0f0f0\"}", pool),
                        "background");
}

static void rewords_nothing_about_consent(void **state)
{
    apr_pool_t *pool = *state;
    char text[300], wording[400];

    assert_null(fault("{\"wording\":{\"de\":{\"verified.title\":\"Fertig\"},"
                      "\"ar\":{}}}", pool));
    assert_null(fault("{\"wording\":null,\"result_days\":null}", pool));
    for (int i = 0; i < 5; i++) {
        static const char *const keys[] = {"consent.title", "page.secure",
                                           "selfie.agree", "verified", ""};

        snprintf(wording, sizeof(wording), "{\"wording\":{\"en\":{\"%s\":"
                                           "\"x\"}}}", keys[i]);
        assert_string_equal(fault(wording, pool), "wording");
    }
    assert_string_equal(fault("{\"wording\":{\"xx\":{}}}", pool), "wording");
    assert_string_equal(fault("{\"wording\":{\"en\":[]}}", pool), "wording");
    assert_string_equal(fault("{\"wording\":\"x\"}", pool), "wording");
    assert_string_equal(fault("{\"wording\":{\"en\":{\"verified.title\":"
                              "\"a\\nb\"}}}", pool), "wording");
    memset(text, 'x', sizeof(text));
    text[201] = '\0';
    snprintf(wording, sizeof(wording), "{\"wording\":{\"en\":{"
                                       "\"verified.title\":\"%s\"}}}", text);
    assert_string_equal(fault(wording, pool), "wording");
}

static const char *logo_fault(const char *uri, apr_pool_t *pool)
{
    return fault(apr_pstrcat(pool, "{\"logo\":\"", uri, "\"}", NULL), pool);
}

/* One white pixel. */
#define PNG_START "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
#define PNG_SIDES "\0\0\0\1\0\0\0\1"
#define PNG_KIND "\x08\0\0\0\0\x3a\x7e\x9b\x55"
#define PNG_PIXELS \
    "\0\0\0\nIDAT\x78\x9c\x63\xf8\x0f\0\1\1\1\0\x1b\xb6\xee\x56"
#define PNG_END "\0\0\0\0IEND\xae\x42\x60\x82"

static const unsigned char png[] =
    PNG_START PNG_SIDES PNG_KIND PNG_PIXELS PNG_END;

/* Whether the SIZE - 1 bytes of a text literal are taken for a logo. */
static int is_logo(const char *bytes, size_t size, apr_pool_t *pool)
{
    const char *uri;

    return !idv_brand_logo((idv_bytes_t){(const unsigned char *)bytes,
                                         size - 1}, &uri, pool);
}

#define IS_LOGO(bytes) is_logo(bytes, sizeof(bytes), pool)

static void checks_the_structure_of_bitmaps(void **state)
{
    apr_pool_t *pool = *state;

    assert_true(IS_LOGO(PNG_START PNG_SIDES PNG_KIND PNG_PIXELS PNG_END));
    assert_true(IS_LOGO(PNG_START "\0\0\x27\x10\0\0\x27\x10" PNG_KIND
                        PNG_PIXELS PNG_END));
    assert_false(IS_LOGO(PNG_START "\0\0\x27\x11\0\0\0\1" PNG_KIND
                         PNG_PIXELS PNG_END));
    assert_false(IS_LOGO(PNG_START "\0\0\0\1\0\0\0\0" PNG_KIND
                         PNG_PIXELS PNG_END));
    assert_false(IS_LOGO("\x89PNG\r\n\x1a\n"));
    assert_false(IS_LOGO("\x89PNGjunkjunkjunkjunkjunkjunkjunkjunk"));
    assert_false(IS_LOGO(PNG_START PNG_SIDES PNG_KIND PNG_END));
    assert_false(IS_LOGO(PNG_START PNG_SIDES PNG_KIND PNG_PIXELS));
    assert_false(IS_LOGO(PNG_START PNG_SIDES PNG_KIND PNG_PIXELS PNG_END "x"));
    /* Each beginning, and a chunk that is longer than the file. */
    for (size_t size = 1; size < sizeof(png); size++)
        assert_false(is_logo((const char *)png, size, pool));
    assert_false(IS_LOGO(PNG_START PNG_SIDES PNG_KIND
                         "\xff\xff\xff\xff" "IDAT" PNG_END PNG_END));
    assert_true(IS_LOGO("RIFF\x10\0\0\0WEBPVP8L\4\0\0\0\x2f\0\0\0"));
    assert_false(IS_LOGO("RIFF\x11\0\0\0WEBPVP8L\4\0\0\0\x2f\0\0\0"));
    assert_false(IS_LOGO("RIFF\x10\0\0\0WEBPVP8L\5\0\0\0\x2f\0\0\0"));
    assert_false(IS_LOGO("RIFF\x10\0\0\0WEBPjunk\4\0\0\0\x2f\0\0\0"));
    assert_false(IS_LOGO("RIFFjunkWEBPjunkjunkjunk"));
}

static void takes_only_svg_as_the_root(void **state)
{
    apr_pool_t *pool = *state;

    assert_true(IS_LOGO("\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <html> -->"
                        "<!DOCTYPE svg PUBLIC \"a\" \"b\">\n<svg></svg>"));
    assert_true(IS_LOGO("<!DOCTYPE svg [<!ENTITY a '>'> ] >\n<svg\n/>\n"));
    assert_false(IS_LOGO("<!-- <svg/> --><html></html>"));
    assert_false(IS_LOGO("<!DOCTYPE html><html><svg/></html>"));
    assert_false(IS_LOGO("<!DOCTYPE svg [<!ENTITY a '<svg/>'>"));
    assert_false(IS_LOGO("<?xml <svg/>"));
    assert_false(IS_LOGO("<!--><svg/>"));
    assert_false(IS_LOGO("<svgx/>"));
    assert_false(IS_LOGO("<svg "));
    assert_false(IS_LOGO("<svg"));
    assert_false(IS_LOGO("text <svg/>"));
    assert_false(IS_LOGO("<svg/>\0"));
}

static void takes_pictures_for_logos_only(void **state)
{
    apr_pool_t *pool = *state;
    /* Not base64, nothing, text, and a picture of another type. */
    static const char *const others[] = {
        "data:image/png;base64,'><img/src=x/onerror=x>",
        "data:image/png;base64,====",
        "data:image/png;base64,iVBORw0KGgo", "data:image/png;base64,dGV4dA==",
        "data:image/webp;base64,iVBORw0KGgo=",
        "data:image/png;base64,PHN2Zy8+", "data:image/png;base64,"};
    static const char svg[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    const char *uri;

    assert_null(idv_brand_logo((idv_bytes_t){png, sizeof(png) - 1}, &uri, pool));
    assert_int_equal(strncmp(uri, "data:image/png;base64,iVBORw0KGgo", 33), 0);
    assert_null(logo_fault(uri, pool));
    assert_null(idv_brand_logo(
        (idv_bytes_t){(const unsigned char *)svg, sizeof(svg) - 1}, &uri,
        pool));
    assert_non_null(strstr(uri, "data:image/svg+xml;base64,PHN2Zy"));
    assert_null(logo_fault(uri, pool));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_string_equal(logo_fault(others[i], pool), "logo");
    assert_non_null(idv_brand_logo(
        (idv_bytes_t){(const unsigned char *)"text", 4}, &uri, pool));
    assert_non_null(idv_brand_logo((idv_bytes_t){png, 0}, &uri, pool));
    assert_non_null(idv_brand_logo(
        (idv_bytes_t){png, IDV_BRAND_LOGO_MAX + 1}, &uri, pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_the_contrast_of_white),
        pooled_test(names_the_part_that_is_wrong),
        pooled_test(checks_the_looks),
        pooled_test(rewords_nothing_about_consent),
        pooled_test(checks_the_structure_of_bitmaps),
        pooled_test(takes_only_svg_as_the_root),
        pooled_test(takes_pictures_for_logos_only),
    };

    return unit_run("domain_brand", tests);
}
