/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <apr_tables.h>

#include "core/json_writer.h"
#include "core/yaml_document.h"
#include "core/yaml_writer.h"

static void reads_what_json_can_express(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a: 1", "{\"a\":1}"},
        {"{\"a\": [1, -2, 0.5]}", "{\"a\":[1,-2,0.5]}"},
        {"a: [yes, No, on, OFF, y]", "{\"a\":[\"yes\",\"No\",\"on\",\"OFF\","
                                     "\"y\"]}"},
        {"a: [true, False, NULL, ~, tRue]", "{\"a\":[true,false,null,null,"
                                            "\"tRue\"]}"},
        {"a: [007, 0x1, 1_0, 12e, +1, .5, 1:30]",
         "{\"a\":[\"007\",\"0x1\",\"1_0\",\"12e\",\"+1\",\".5\",\"1:30\"]}"},
        {"a: ['1', \"true\", '']", "{\"a\":[\"1\",\"true\",\"\"]}"},
        {"a:\n  b:\n  - c: |\n      x\n      y\n",
         "{\"a\":{\"b\":[{\"c\":\"x\\ny\\n\"}]}}"},
        {"a: # nothing", "{\"a\":null}"},
        {"{\"a\": \"\\ud83c\\udf7a\"}", "{\"a\":\"\xf0\x9f\x8d\xba\"}"},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_yaml_document_t document;

        assert_null(idv_yaml_read(cases[i].text, strlen(cases[i].text),
                                  &document, pool));
        assert_string_equal(idv_json_text(document.root, pool), cases[i].json);
    }
}

static void refuses_with_a_line(void **state)
{
    static const struct {
        const char *text;
        int line;
    } cases[] = {
        {"", 1},
        {"- a", 1},
        {"a: 1\nb: &x 2\n", 2},
        {"a: 1\nb: *x\n", 2},
        {"a: 1\nb: !!str 2\n", 2},
        {"a: 1\n\na: 2\n", 3},
        {"a: 1\n? [x]\n: 1\n", 2},
        {"a: 1\n---\nb: 1\n", 2},
        {"a: 1\nb: \"\\0\"\n", 2},
        {"a: 1\nb: 99999999999999999999\n", 2},
        {"a: 1\nb: [\n", 3},
        {"a: 1\nb: \"\xff\"\n", 2},
        {"a: 1\n\tb: 1\n", 2},
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        idv_yaml_document_t document;

        assert_non_null(idv_yaml_read(cases[i].text, strlen(cases[i].text),
                                      &document, pool));
        assert_null(document.root);
        if (i != 11) /* libyaml has not counted the lines yet */
            assert_int_equal(document.line, cases[i].line);
    }
}

/* PART, N times. */
static const char *repeated(const char *part, int n, apr_pool_t *pool)
{
    apr_array_header_t *parts = apr_array_make(pool, n, sizeof(char *));

    for (int i = 0; i < n; i++)
        APR_ARRAY_PUSH(parts, const char *) = part;
    return apr_array_pstrcat(pool, parts, 0);
}

static void has_limits(void **state)
{
    apr_pool_t *pool = *state;
    const char *texts[] = {
        apr_pstrcat(pool, "a: ", repeated("[", 16, pool), NULL),
        apr_pstrcat(pool, "a: ", repeated("[", 100000, pool), NULL),
        apr_pstrcat(pool, "a: [", repeated("1,", 200000, pool), "]", NULL),
        apr_pstrcat(pool, repeated("a", 256, pool), ": 1", NULL),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        idv_yaml_document_t document;

        assert_non_null(
            idv_yaml_read(texts[i], strlen(texts[i]), &document, pool));
    }
}

static void knows_the_lines(void **state)
{
    static const char text[] = "a:\n- b: 1\n  c/~d: 2\n- {e: 3,\n   f: 4}\n";
    static const struct {
        const char *pointer;
        int line;
    } cases[] = {
        {"", 1},       {"/a", 1},         {"/a/0", 2},     {"/a/0/b", 2},
        {"/a/1/f", 5}, {"/a/0/c~1~0d", 3}, {"/a/1/g/h", 4}, {"/a/7", 1},
        {"/x", 1},
    };
    apr_pool_t *pool = *state;
    idv_yaml_document_t document;

    assert_null(idv_yaml_read(text, strlen(text), &document, pool));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(idv_yaml_line(&document, cases[i].pointer, pool),
                         cases[i].line);
}

static void writes_what_it_reads(void **state)
{
    static const char *const texts[] = {
        "{\"a\":[\"yes\",\"null\",\"1\",\"007\",\"\",\"-\",\"a: b\",\"#\",\" x\","
        "\"a\\nb\",\"\\n\",\"\\t\",\"2026-11-28\",\"/x\",\"*\",\"&a\",\"@\"]}",
        "{\"yes\":{},\"\":[],\"1\":null,\"b\":[[1,[2]],{\"c\":{}}]}",
        "{\"a\":\"\\u001b[31m\",\"b\":\"\xc3\xa4\xf0\x9f\x8d\xba\","
        "\"\xe2\x80\xae\":\"\xf3\xa0\x80\x81\"}",
        "{\"a\":[1,0.5,1e300,true,false,-7]}",
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        json_t *value = idv_json_load(texts[i], pool);
        idv_yaml_document_t document;
        const char *text;

        assert_null(idv_yaml_write(value, &text, pool));
        assert_null(strchr(text, '\033'));
        assert_null(strstr(text, "\xe2\x80\xae"));
        assert_null(idv_yaml_read(text, strlen(text), &document, pool));
        assert_true(json_equal(document.root, value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(reads_what_json_can_express),
        pooled_test(refuses_with_a_line),
        pooled_test(has_limits),
        pooled_test(knows_the_lines),
        pooled_test(writes_what_it_reads),
    };

    return unit_run("core/yaml_document", tests);
}
