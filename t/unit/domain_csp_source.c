/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "domain/value/csp_source.h"

#define OWN "https://verify.example"

static void sources_allow_pages(void **state)
{
    static const struct {
        const char *source, *origin;
        int allowed;
    } rows[] = {
        {"'none'", "https://shop.example", 0},
        {"'self'", OWN, 1},
        {"'self'", "https://shop.example", 0},
        {"*", "https://shop.example", 1},
        {"*", "http://shop.example:81", 1},
        {"*", "moz-extension://0", 0},
        {"*", "null", 0},
        {"https:", "https://shop.example", 1},
        {"https:", "http://shop.example", 0},
        {"http:", "https://shop.example", 1},
        {"https://shop.example", "https://shop.example", 1},
        {"https://shop.example", "https://SHOP.example", 1},
        {"https://shop.example", "http://shop.example", 0},
        {"https://shop.example", "https://shop.example:8443", 0},
        {"https://shop.example", "https://shop.example.evil.example", 0},
        {"https://shop.example:443", "https://shop.example", 1},
        {"https://shop.example:8443", "https://shop.example:8443", 1},
        {"https://shop.example:8443", "https://shop.example", 0},
        {"https://shop.example:*", "https://shop.example:8443", 1},
        {"https://shop.example/path", "https://shop.example", 1},
        {"http://localhost:3000", "http://localhost:3000", 1},
        {"https://*.shop.example", "https://a.shop.example", 1},
        {"https://*.shop.example", "https://a.b.shop.example", 1},
        {"https://*.shop.example", "https://shop.example", 0},
        {"https://*.shop.example", "https://evilshop.example", 0},
        {"https://*.shop.example", "https://evil.example/.shop.example", 0},
        {"https://*.shop.example", "https://evil.example?.shop.example", 0},
        {"https://*.shop.example", "https://evil.example#.shop.example", 0},
        {"https://*.shop.example", "https://evil.example@a.shop.example", 0},
        {"https://*.shop.example", "https://evil.example\\.shop.example", 0},
        {"shop.example", "https://shop.example", 1},
        {"shop.example", "http://shop.example", 0},
        {"http://[::1]:81", "http://[::1]:81", 1},
        {"http://[::1]:81", "http://[::1]:82", 0},
        {"http://[::1]", "http://[::1]", 1},
        {"", "https://shop.example", 0},
        {":", "https://shop.example", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (idv_csp_source_allows(rows[i].source, OWN, rows[i].origin)
            != rows[i].allowed)
            fail_msg("%s and %s", rows[i].source, rows[i].origin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(sources_allow_pages),
    };

    return unit_run("domain_csp_source", tests);
}
