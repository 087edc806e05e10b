/* SPDX-License-Identifier: Apache-2.0 */
/* The Bearer token of an Authorization header. */
#include "unit/unit.h"

#include "core/bearer_token.h"

static void finds_tokens(void **state)
{
    static const char *const good[][2] = {
        {"Bearer a", "a"},
        {"bearer svc_sk_x-Y.9", "svc_sk_x-Y.9"},
        {"BEARER   two~+/==", "two~+/=="},
    };
    static const char *const bad[] = {
        "", "Bearer", "Bearer ", "Bearer    ", "Bearer\ta", " Bearer a",
        "Basic a", "Bearera", "a", "Bearer a b", "Bearer a ", "Bearer a,b",
        "Bearer =", "Bearer a=b", "Bearer \"a\"", "Bearer a\n",
        "Bearer \xc3\xa4", "Bearer a\x7f", "Bearer a:b",
    };

    (void)state;
    assert_null(idv_bearer_token_parse(NULL));
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_string_equal(idv_bearer_token_parse(good[i][0]), good[i][1]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (idv_bearer_token_parse(bad[i]))
            fail_msg("\"%s\" was accepted", bad[i]);
}

static void limits_tokens(void **state)
{
    char value[7 + IDV_BEARER_TOKEN_MAX + 2] = "Bearer ";

    (void)state;
    memset(value + 7, 'a', IDV_BEARER_TOKEN_MAX);
    assert_ptr_equal(idv_bearer_token_parse(value), value + 7);
    value[7 + IDV_BEARER_TOKEN_MAX] = 'a';
    assert_null(idv_bearer_token_parse(value));
    value[7 + IDV_BEARER_TOKEN_MAX] = '=';
    assert_null(idv_bearer_token_parse(value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(finds_tokens),
        pooled_test(limits_tokens),
    };

    return unit_run("core/bearer_token", tests);
}
