/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/json_writer.h"
#include "core/query_string.h"

static void reads_names_values_and_arrays(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "{}"},
        {"&&", "{}"},
        {"b=2&a=1", "{\"b\":\"2\",\"a\":\"1\"}"},
        {"a", "{\"a\":\"\"}"},
        {"a=b=c", "{\"a\":\"b=c\"}"},
        {"a+b=c+d%2b", "{\"a b\":\"c d+\"}"},
        {"%61=%C3%a4", "{\"a\":\"\xc3\xa4\"}"},
        {"e[]=1&e%5b%5d=2", "{\"e\":[\"1\",\"2\"]}"},
        {"e[0]=1&e%5b1%5d=2&e[]=3", "{\"e\":[\"1\",\"2\",\"3\"]}"},
        {"e[999]=1", "{\"e\":[\"1\"]}"},
        {"e[1000]=1", "{\"e[1000]\":\"1\"}"},
        {"e[a]=1", "{\"e[a]\":\"1\"}"},
        {"e[0=1", "{\"e[0\":\"1\"}"},
        {"[0]=1", "{\"[0]\":\"1\"}"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *object;
        const char *text;

        assert_null(idv_query_string_parse(cases[i].text, &object, pool));
        text = idv_json_text(object, pool);
        assert_string_equal(text, cases[i].json);
    }
    {
        json_t *object;

        assert_null(idv_query_string_parse(NULL, &object, pool));
        assert_int_equal(json_object_size(object), 0);
    }
}

static void refuses_what_is_broken(void **state)
{
    static const struct {
        const char *text, *param;
    } cases[] = {
        {"a=%", "a"},       {"a=%4", "a"},   {"a=%0g", "a"},  {"a=%00", "a"},
        {"a=%ff", "a"},     {"a=1&a=2", "a"}, {"a=1&a[]=2", "a"}, {"a[0]=1&a=2", "a"},
        {"a[]=1&a=2", "a"}, {"=1", NULL},    {"%=1", NULL},
        {"%ff=1", NULL},    {"%ff[]=1", NULL},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        json_t *object;
        idv_error_t *error =
            idv_query_string_parse(cases[i].text, &object, pool);

        assert_non_null(error);
        assert_null(object);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        if (cases[i].param)
            assert_string_equal(error->param, cases[i].param);
        else
            assert_null(error->param);
    }
}

static void bounds_count_and_length(void **state)
{
    apr_pool_t *pool = *state;
    char text[IDV_QUERY_MAX_LENGTH + 2];
    json_t *object;

    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_non_null(idv_query_string_parse(text, &object, pool));
    text[sizeof(text) - 2] = '\0';
    assert_null(idv_query_string_parse(text, &object, pool));
    text[0] = '\0';
    for (int i = 0; i <= IDV_QUERY_MAX_PARAMETERS; i++)
        strcat(text, "e[]=&");
    assert_non_null(idv_query_string_parse(text, &object, pool));
    assert_null(idv_query_string_parse(text + 5, &object, pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(reads_names_values_and_arrays),
        pooled_test(refuses_what_is_broken),
        pooled_test(bounds_count_and_length),
    };

    return unit_run("core/query_string", tests);
}
