/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

#include "unit/unit.h"

#include "core/json.h"
#include "core/json_writer.h"

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
    const char *text = "{\"z\":1,\"a\":\"\xc3\xa4\",\"m\":null}";
    json_t *value;

    assert_null(idv_json_parse(text, strlen(text), &value, pool));
    assert_string_equal(idv_json_text(value, pool), text);
}

static void loads_what_was_kept(void **state)
{
    apr_pool_t *pool = *state;

    assert_int_equal(json_integer_value(idv_json_load("7", pool)), 7);
    assert_true(json_is_array(idv_json_load("[]", pool)));
    assert_null(idv_json_load(NULL, pool));
    assert_null(idv_json_load("", pool));
    assert_null(idv_json_load("{", pool));
}

static idv_error_t *read_file(const char *text, apr_size_t limit,
                              json_t **value, apr_pool_t *pool)
{
    char path[] = "/tmp/json-XXXXXX";
    int file = mkstemp(path);
    idv_error_t *error;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    error = idv_json_file_read(path, limit, value, pool);
    unlink(path);
    return error;
}

static void reads_files(void **state)
{
    apr_pool_t *pool = *state;
    json_t *value;

    assert_null(read_file("{\"a\":1}", 7, &value, pool));
    assert_int_equal(json_object_size(value), 1);
    assert_null(read_file("[\"a\"]", 100, &value, pool));
    assert_int_equal(json_array_size(value), 1);
    assert_non_null(read_file("{\"a\":1}", 6, &value, pool));
    assert_null(value);
    assert_non_null(read_file("", 100, &value, pool));
    assert_non_null(read_file("{\"a\":1,\"a\":1}", 100, &value, pool));
    assert_non_null(idv_json_file_read("/tmp/no/such/file", 100, &value, pool));
}

static void names_members(void **state)
{
    apr_pool_t *pool = *state;
    static const struct {
        const char *key, *pointer;
    } examples[] = {
        {"foo", "/foo"},   {"", "/"},   {"a/b", "/a~1b"},
        {"m~n", "/m~0n"},  {" ", "/ "}, {"~/~1", "/~0~1~01"},
        {"k\"l", "/k\"l"},
    };

    for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++)
        assert_string_equal(idv_json_pointer_member("", examples[i].key, pool),
                            examples[i].pointer);
    assert_string_equal(idv_json_pointer_member("/nodes", "a/b", pool),
                        "/nodes/a~1b");
}

static void names_elements(void **state)
{
    assert_string_equal(idv_json_pointer_element("/foo", 0, *state), "/foo/0");
    assert_string_equal(idv_json_pointer_element("", 12, *state), "/12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(refuses_what_is_not_strict_json),
        pooled_test(limits_nesting_and_ignores_brackets_in_strings),
        pooled_test(keeps_the_order_of_keys),
        pooled_test(loads_what_was_kept),
        pooled_test(reads_files),
        pooled_test(names_members),
        pooled_test(names_elements),
    };

    return unit_run("core/json", tests);
}
