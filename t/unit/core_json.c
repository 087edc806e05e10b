/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/json.h"

static void refuses_what_is_not_strict_json(void **state)
{
    static const char *const texts[] = {
        "",           "[]",          "\"text\"",
        "{\"a\":1",   "{\"a\":1}{}", "{\"a\":1,\"a\":2}",
        "{\"a\":\"\\u0000\"}",       "{\"a\":\"\xff\"}",
        "{'a':1}",    "{\"a\":01}",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        json_t *value;
        idv_error_t *error =
            idv_json_parse(texts[i], strlen(texts[i]), &value, pool);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        assert_null(value);
    }
}

static void limits_nesting_and_ignores_brackets_in_strings(void **state)
{
    apr_pool_t *pool = *state;
    json_t *value;
    const char *deepest = "{\"a\":[[[[[[[[[[[[[[[\"[[[[{{{{\\\"[[\"]]]]]]]]]]]]]]]}";
    const char *deeper = "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}";

    assert_null(idv_json_parse(deepest, strlen(deepest), &value, pool));
    assert_non_null(idv_json_parse(deeper, strlen(deeper), &value, pool));
}

static void keeps_the_order_of_keys(void **state)
{
    apr_pool_t *pool = *state;
    const char *text = "{\"z\":1,\"a\":\"\xc3\xa4\",\"m\":null}", *dumped;
    apr_size_t length;
    json_t *value;

    assert_null(idv_json_parse(text, strlen(text), &value, pool));
    assert_null(idv_json_dump(value, &dumped, &length, pool));
    assert_string_equal(dumped, text);
    assert_int_equal(length, strlen(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(refuses_what_is_not_strict_json),
        pooled_test(limits_nesting_and_ignores_brackets_in_strings),
        pooled_test(keeps_the_order_of_keys),
    };

    return unit_run("core/json", tests);
}
