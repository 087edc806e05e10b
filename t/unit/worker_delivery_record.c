/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <apr_tables.h>
#include <jansson.h>

#include "worker/delivery_record.h"

/* The record of a response with this body, parsed. */
static json_t *record(const char *body, apr_size_t length,
                      const apr_table_t *headers, apr_pool_t *pool)
{
    idv_http_response_t response = {
        .result = IDV_HTTP_OK,
        .status_code = 200,
        .headers = headers,
        .body = body,
        .body_length = length,
        .duration_ms = 12,
    };
    json_t *value =
        json_loads(idv_delivery_record_response(&response, pool), 0, NULL);

    assert_non_null(value);
    return value;
}

static void records_what_came(void **state)
{
    apr_table_t *headers = apr_table_make(*state, 2);
    json_t *value, *expected;

    apr_table_setn(headers, "content-type", "text/\"plain\"");
    apr_table_setn(headers, "x-path", "C:\\temp");
    value = record("a \"b\"\n\\c\x01", 9, headers, *state);
    expected = json_pack("{s:i,s:{s:s,s:s},s:s,s:i}", "status_code", 200,
                         "headers", "content-type", "text/\"plain\"", "x-path",
                         "C:\\temp", "body", "a \"b\"\n\\c\x01", "duration_ms",
                         12);
    assert_true(json_equal(value, expected));
    json_decref(value);
    json_decref(expected);
}

static void replaces_what_is_no_utf8(void **state)
{
    static const struct {
        const char *body;
        apr_size_t length;
        const char *recorded;
    } cases[] = {
        {NULL, 0, ""},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9,
         "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\0b", 3, "a\xef\xbf\xbd" "b"},
        {"\xff\xc3", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\xaf", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    const apr_table_t *headers = apr_table_make(*state, 1);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *value =
            record(cases[i].body, cases[i].length, headers, *state);

        assert_string_equal(json_string_value(json_object_get(value, "body")),
                            cases[i].recorded);
        json_decref(value);
    }
}

static void records_nothing_without_a_response(void **state)
{
    idv_http_response_t response = {.result = IDV_HTTP_TIMEOUT};

    assert_string_equal(idv_delivery_record_response(&response, *state), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(records_what_came),
        pooled_test(replaces_what_is_no_utf8),
        pooled_test(records_nothing_without_a_response),
    };

    return unit_run("worker/delivery_record", tests);
}
