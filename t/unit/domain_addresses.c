/* SPDX-License-Identifier: Apache-2.0 */
/* Jurisdictions, identifiers and URLs: the forms of what strangers write. */
#include "unit/unit.h"

#include "domain/value/identifier.h"
#include "domain/value/jurisdiction.h"
#include "domain/value/url.h"

#define count_of(array) (sizeof(array) / sizeof(*(array)))

static void normalizes_jurisdictions(void **state)
{
    static const char *const bad[] = {
        "", "U", "USA", "us_ca", "US-", "US-CALI", "-CA", "US-C\xc3\x84", "XX",
        "EU", "UK", "U1", "US-CA ", " US", "US--", "US-C-A", "U-S",
        "US-ZZ", "US-C", "CA-CA", "AU-AC",
    };
    apr_pool_t *pool = *state;
    const char *out;

    assert_string_equal(idv_jurisdiction_normalize("us-ca", pool), "US-CA");
    assert_string_equal(idv_jurisdiction_normalize("GB", pool), "GB");
    assert_string_equal(idv_jurisdiction_normalize("fr-2a", pool), "FR-2A");
    assert_string_equal(idv_jurisdiction_normalize("AT-9", pool), "AT-9");
    assert_string_equal(idv_jurisdiction_normalize("XK", pool), "XK");
    for (size_t i = 0; i < count_of(bad); i++) {
        assert_null(idv_jurisdiction_normalize(bad[i], pool));
        assert_string_equal(
            idv_jurisdiction_parse(bad[i], "jurisdiction", &out, pool)->param,
            "jurisdiction");
    }
    assert_string_equal(idv_jurisdiction_join("us", "md", pool), "US-MD");
    assert_string_equal(idv_jurisdiction_join("US", "", pool), "US");
    assert_string_equal(idv_jurisdiction_join("US", "AE", pool), "US");
    assert_string_equal(idv_jurisdiction_join("AU", "act", pool), "AU-ACT");
    assert_string_equal(idv_jurisdiction_join("US", "wy", pool), "US-WY");
    assert_string_equal(idv_jurisdiction_join("US", "Maryland", pool), "US");
    /* A territory has two names, and no regions. */
    assert_string_equal(idv_jurisdiction_normalize("pr", pool), "US-PR");
    assert_string_equal(idv_jurisdiction_normalize("US-PR", pool), "US-PR");
    assert_string_equal(idv_jurisdiction_join("VI", NULL, pool), "US-VI");
    assert_string_equal(idv_jurisdiction_join("GU", "X", pool), "US-GU");
    assert_null(idv_jurisdiction_normalize("PR-SJ", pool));
    assert_null(idv_jurisdiction_join("T1", "MD", pool));
    assert_null(idv_jurisdiction_join("", NULL, pool));
    assert_null(idv_jurisdiction_join(NULL, "MD", pool));
}

static void covers_regions(void **state)
{
    (void)state;
    assert_true(idv_jurisdiction_covers("US", "US-CA"));
    assert_true(idv_jurisdiction_covers("US-CA", "US-CA"));
    assert_false(idv_jurisdiction_covers("US-CA", "US"));
    assert_false(idv_jurisdiction_covers("US-CA", "US-NY"));
    assert_false(idv_jurisdiction_disagree("US-CA", "US"));
    assert_true(idv_jurisdiction_disagree("US-CA", "US-NY"));
    assert_true(idv_jurisdiction_disagree("DE", "AT"));
}

static void resolves_by_precedence(void **state)
{
    idv_jurisdiction_sources_t sources = {"US-CA", "DE", "FR", "GB"};
    idv_jurisdiction_audit_t audit;

    (void)state;
    idv_jurisdiction_resolve(&sources, &audit);
    assert_string_equal(audit.resolved, "US-CA");
    assert_int_equal(audit.source, IDV_JURISDICTION_EXPLICIT);
    assert_string_equal(audit.ip_derived, "DE");
    assert_int_equal(audit.mismatch, 1);
    sources.geo_header = "US";
    idv_jurisdiction_resolve(&sources, &audit);
    assert_int_equal(audit.mismatch, 0);
    sources.declared = NULL;
    idv_jurisdiction_resolve(&sources, &audit);
    assert_int_equal(audit.source, IDV_JURISDICTION_GEO_HEADER);
    assert_int_equal(audit.mismatch, -1);
    sources.geo_header = NULL;
    idv_jurisdiction_resolve(&sources, &audit);
    assert_int_equal(audit.source, IDV_JURISDICTION_IP_DATABASE);
    assert_string_equal(audit.ip_derived, "FR");
    sources.ip_database = NULL;
    idv_jurisdiction_resolve(&sources, &audit);
    assert_int_equal(audit.source, IDV_JURISDICTION_WORKFLOW);
    assert_null(audit.ip_derived);
    sources.workflow = NULL;
    idv_jurisdiction_resolve(&sources, &audit);
    assert_null(audit.resolved);
    assert_null(idv_jurisdiction_source_value(audit.source));
}

static void normalizes_emails(void **state)
{
    static const char *const good[][2] = {
        {" Specimen.Erika+x@EXAMPLE.Com\t", "specimen.erika+x@example.com"},
        {"a@b\xc3\xbc" "cher.example", "a@xn--bcher-kva.example"},
        {"a@B\xc3\x9c" "CHER.example", "a@xn--bcher-kva.example"},
        {"a@xn--bcher-kva.example", "a@xn--bcher-kva.example"},
        {"j\xc3\xb6rg@example.com", "j\xc3\xb6rg@example.com"},
    };
    static const char *const bad[] = {
        "", " ", "@", "a", "a@", "@example.com", "a@b", "a@@example.com",
        "a@b@example.com", ".a@example.com", "a.@example.com",
        "a..b@example.com", "a b@example.com", "\"a\"@example.com",
        "a@[127.0.0.1]", "a@127.0.0.1", "a@-x.example", "a@x-.example",
        "a@x..example", "a@exam ple.com", "a@example.com.", "a@ex_ample.com",
        "a\n@example.com", "a,b@example.com", "a<b>@example.com",
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "@example.com"),
    };
    apr_pool_t *pool = *state;
    const char *out;

    for (size_t i = 0; i < count_of(good); i++) {
        assert_null(idv_email_normalize(good[i][0], "email", &out, pool));
        assert_string_equal(out, good[i][1]);
    }
    for (size_t i = 0; i < count_of(bad); i++) {
        idv_error_t *error = idv_email_normalize(bad[i], "email", &out, pool);

        if (!error)
            fail_msg("\"%s\" was accepted as %s", bad[i], out);
        assert_string_equal(error->param, "email");
        assert_null(out);
    }
}

static void normalizes_phones(void **state)
{
    static const char *const bad[] = {
        "", "+", "00491701234567", "0170 1234567", "+0491234567", "+123456",
        "+1234567890123456", "+49 170 CALLME", "+49+170123456", "++4917012345",
        "+49170123456x7", "+\xd9\xa1\xd9\xa2\xd9\xa3",
    };
    apr_pool_t *pool = *state;
    const char *out;

    assert_null(
        idv_phone_normalize(" +1 (555) 010-99/88 ", "phone", &out, pool));
    assert_string_equal(out, "+15550109988");
    assert_null(idv_phone_normalize("+49.170.1234567", "phone", &out, pool));
    assert_string_equal(out, "+491701234567");
    for (size_t i = 0; i < count_of(bad); i++) {
        idv_error_t *error = idv_phone_normalize(bad[i], "phone", &out, pool);

        if (!error)
            fail_msg("\"%s\" was accepted as %s", bad[i], out);
        assert_string_equal(error->param, "phone");
    }
}

static void checks_urls(void **state)
{
    static const char *const good[] = {
        "https://example.com", "HTTPS://Example.COM/a?b=c&d=%20#e",
        "https://example.com:8443/", "https://192.0.2.1/",
        "https://[2001:db8::1]:1/",
        "https://[::ffff:192.0.2.1]/", "https://[1:2:3:4:5:6:7:8]",
        "https://xn--bcher-kva.example/",
        "http://localhost:3000/done", "http://127.0.0.1/", "http://127.9.9.9/",
        "http://[::1]:80/", "http://app.localhost/", "https://a/",
    };
    static const char *const bad[] = {
        "", "example.com", "//example.com", "ftp://example.com/", "https:/x",
        "https://", "https:///x", "https://u:p@example.com/",
        "https://u@example.com", "https://example.com:0/",
        "https://example.com:65536/", "https://example.com:/",
        "https://example.com:80x/", "https://exa mple.com/",
        "https://example.com/a b", "https://example.com/\n",
        "https://example.com\\@evil.example/", "https://example.com/%2",
        "https://example.com/%zz", "https://-a.example/", "https://a..b/",
        ("https://b\xc3\xbc" "cher.example/"), "https://example.com/\xc3\xbc",
        "https://[::1", "https://[::1]x/", "https://[1:2]/", "https://[:::]/",
        "https://[fe80::1%25eth0]/", "https://[1::2::3]/", "https://127.1/",
        "https://0x7f000001/", "https://2130706433/", "https://0177.0.0.1/",
        "https://256.1.1.1/", "https://1.2.3/", "http://example.com/",
        "http://localhost.example/", "http://notlocalhost/",
        "http://128.0.0.1/",
        "javascript:alert(1)", " https://example.com/",
        "https://example.com/#a#b",
        "http://[::2]/", "https://example.com./", "https://_x.example/",
        "https://a.0x10/", "https://[]/", "https://[1:2:3:4:5:6:7:8:9]/",
        "https://example.com/<x>", "https://example.com@evil.example/",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < count_of(good); i++)
        if (idv_url_check(good[i], IDV_URL_REDIRECT, "return_url", pool))
            fail_msg("\"%s\" was refused", good[i]);
    for (size_t i = 0; i < count_of(bad); i++) {
        idv_error_t *error =
            idv_url_check(bad[i], IDV_URL_REDIRECT, "return_url", pool);

        if (!error)
            fail_msg("\"%s\" was accepted", bad[i]);
        assert_string_equal(error->param, "return_url");
    }
    assert_non_null(
        idv_url_check("http://localhost/", IDV_URL_WEBHOOK, "url", pool));
    assert_non_null(
        idv_url_check("https://example.com/#x", IDV_URL_WEBHOOK, "url", pool));
    assert_null(
        idv_url_check("https://example.com/?x", IDV_URL_WEBHOOK, "url", pool));
    assert_string_equal(idv_url_host("https://a.example:8443/b:c", pool),
                        "a.example");
    assert_string_equal(idv_url_host("HTTPS://192.0.2.1?x", pool),
                        "192.0.2.1");
    assert_string_equal(idv_url_host("https://[2001:db8::1]:1/", pool),
                        "2001:db8::1");
}

static void converts_host_names(void **state)
{
    static const struct {
        const char *text, *url;
    } cases[] = {
        {"https://b\xc3\xbc"
         "cher.example/",
         "https://xn--bcher-kva.example/"},
        {"https://B\xc3\x9c"
         "CHER.example:8443/a?b#c",
         "https://xn--bcher-kva.example:8443/a?b#c"},
        {"https://stra\xc3\x9f"
         "e.example",
         "https://xn--strae-oqa.example"},
        {"https://\xe4\xbe\x8b\xe3\x80\x82\xe4\xbe\x8b",
         "https://xn--fsq.xn--fsq"}, /* U+3002 is a dot */
        {"https://example.com/", "https://example.com/"},
    };
    static const char *const bad[] = {
        "https://b\xc3\xbc_x.example/",
        "https://\xc3\xbc@example.com/",
        ("https://b\xc3\xbc" "cher.example/\xc3\xbc"),
        "https://\xff.example/",
        "https://\xe2\x80\x8b.example/", /* a zero-width space */
    };
    apr_pool_t *pool = *state;
    const char *url;

    for (size_t i = 0; i < count_of(cases); i++) {
        assert_null(idv_url_normalize(cases[i].text, IDV_URL_REDIRECT,
                                      "return_url", &url, pool));
        assert_string_equal(url, cases[i].url);
    }
    for (size_t i = 0; i < count_of(bad); i++)
        if (!idv_url_normalize(bad[i], IDV_URL_REDIRECT, "return_url", &url,
                               pool))
            fail_msg("\"%s\" was accepted as %s", bad[i], url);
}

static void says_what_is_wrong_with_a_host(void **state)
{
    static const struct {
        const char *url, *fault;
    } cases[] = {
        {"https://", "must have a host."},
        {"https://:443/", "must have a host."},
        {"https://a_b.example/", "letters, digits, hyphens and dots"},
        {"https://a..example/", "empty label"},
        {"https://a.example./", "final dot"},
        {"https://-a.example/", "hyphen"},
        {"https://127.1/", "four decimal numbers"},
        {"https://192.0.2.01/", "four decimal numbers"},
        {"https://2001:db8::1/", "in brackets"},
        {"https://[2001:db8::1/", "in brackets"},
        {"https://[1::2::3]/", "in brackets"},
        {"https://[fe80::1%25eth0]/", "zone"},
        {"https://[::1]x/", "nothing but a port"},
        {"https://a.example:0/", "port from 1 to 65535"},
        {"https://u@a.example/", "user information"},
        {"https://\xff.example/", "IDNA"},
    };
    apr_pool_t *pool = *state;
    const char *url;

    for (size_t i = 0; i < count_of(cases); i++) {
        idv_error_t *error =
            idv_url_normalize(cases[i].url, IDV_URL_WEBHOOK, "url", &url, pool);

        if (!error || !strstr(error->message, cases[i].fault))
            fail_msg("\"%s\": %s", cases[i].url,
                     error ? error->message : "accepted");
    }
}

static void checks_origins(void **state)
{
    static const char *const good[] = {
        "https://shop.example", "https://shop.example:8443",
        "http://localhost:3000", "http://127.0.0.1", "http://[::1]:8080",
        "https://xn--bcher-kva.example", "https://[2001:db8::1]",
    };
    static const char *const bad[] = {
        "", "*", "null", "https://*.shop.example", "https://shop.example/",
        "https://shop.example/x", "https://shop.example?x",
        "https://shop.example#", "http://shop.example", "HTTPS://shop.example",
        "https://Shop.example", "https://shop.example:443",
        "http://localhost:80", "https://shop.example:08443",
        "https://shop.example:", "https://u@shop.example", "shop.example",
        "https://shop.example https://a.example", "https://[::1]:443",
        "https://[2001:DB8::1]",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < count_of(good); i++)
        if (idv_url_check(good[i], IDV_URL_ORIGIN, "origin", pool))
            fail_msg("\"%s\" was refused", good[i]);
    for (size_t i = 0; i < count_of(bad); i++)
        if (!idv_url_check(bad[i], IDV_URL_ORIGIN, "origin", pool))
            fail_msg("\"%s\" was accepted", bad[i]);
}

static void limits_urls(void **state)
{
    apr_pool_t *pool = *state;
    char url[2050] = "https://example.com/";

    memset(url + strlen(url), 'a', 2048 - strlen(url));
    assert_null(idv_url_check(url, IDV_URL_WEBHOOK, "url", pool));
    url[2048] = 'a';
    assert_non_null(idv_url_check(url, IDV_URL_WEBHOOK, "url", pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(normalizes_jurisdictions),
        pooled_test(covers_regions),
        pooled_test(resolves_by_precedence),
        pooled_test(normalizes_emails),
        pooled_test(normalizes_phones),
        pooled_test(checks_urls),
        pooled_test(converts_host_names),
        pooled_test(says_what_is_wrong_with_a_host),
        pooled_test(checks_origins),
        pooled_test(limits_urls),
    };

    return unit_run("domain/addresses", tests);
}
