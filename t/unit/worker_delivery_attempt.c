/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <apr_tables.h>
#include <jansson.h>

#include "worker/webhook/delivery_attempt.h"

/* --- the verdict --- */

static const idv_time_t now = 1700000000000;
static const uint32_t no_jitter = 0, full_jitter = 1000;

static idv_delivery_attempt_t answered(int attempt, int status)
{
    return (idv_delivery_attempt_t){
        .attempt = attempt,
        .result = status / 100 == 2 ? IDV_HTTP_OK : IDV_HTTP_STATUS,
        .status_code = status};
}

static void follows_the_schedule(void **state)
{
    static const idv_time_t delays[] = {0, 300, 1800, 7200, 28800};
    idv_time_t next;

    (void)state;
    for (int attempt = 1; attempt <= 4; attempt++) {
        idv_delivery_attempt_t ended = answered(attempt, 500);

        assert_int_equal(idv_delivery_decide(&ended, now, no_jitter, &next),
                         IDV_DELIVERY_RETRY);
        assert_int_equal(next - now, delays[attempt] * 1000);
        assert_int_equal(idv_delivery_decide(&ended, now, full_jitter, &next),
                         IDV_DELIVERY_RETRY);
        assert_int_equal(next - now, delays[attempt] * 1100);
        for (uint32_t random = 0; random < 5000; random += 7) {
            idv_delivery_decide(&ended, now, random, &next);
            assert_in_range(next - now, delays[attempt] * 1000,
                            delays[attempt] * 1100);
        }
    }
    for (int attempt = 5; attempt <= 6; attempt++) {
        idv_delivery_attempt_t ended = answered(attempt, 500);

        assert_int_equal(idv_delivery_decide(&ended, now, no_jitter, &next),
                         IDV_DELIVERY_FAILED);
        assert_int_equal(next, 0);
    }
}

static void separates_final_from_passing_answers(void **state)
{
    static const struct {
        int status;
        idv_delivery_verdict_t verdict;
    } rows[] = {
        {200, IDV_DELIVERY_DELIVERED}, {201, IDV_DELIVERY_DELIVERED},
        {204, IDV_DELIVERY_DELIVERED}, {299, IDV_DELIVERY_DELIVERED},
        {301, IDV_DELIVERY_FAILED},    {304, IDV_DELIVERY_FAILED},
        {400, IDV_DELIVERY_FAILED},    {404, IDV_DELIVERY_FAILED},
        {408, IDV_DELIVERY_FAILED},    {410, IDV_DELIVERY_FAILED},
        {429, IDV_DELIVERY_RETRY},     {499, IDV_DELIVERY_FAILED},
        {500, IDV_DELIVERY_RETRY},     {503, IDV_DELIVERY_RETRY},
        {599, IDV_DELIVERY_RETRY},
    };
    idv_time_t next;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        idv_delivery_attempt_t ended = answered(1, rows[i].status);

        if (idv_delivery_decide(&ended, now, 0, &next) != rows[i].verdict)
            fail_msg("status %d", rows[i].status);
    }
}

static void repeats_what_brought_no_response(void **state)
{
    idv_time_t next;

    (void)state;
    for (int result = IDV_HTTP_DNS_ERROR; result <= IDV_HTTP_RESPONSE_TOO_LARGE;
         result++) {
        idv_delivery_attempt_t ended = {.attempt = 2,
                                        .result = (idv_http_result_t)result};

        assert_int_equal(idv_delivery_decide(&ended, now, 0, &next),
                         IDV_DELIVERY_RETRY);
        ended.attempt = 5;
        assert_int_equal(idv_delivery_decide(&ended, now, 0, &next),
                         IDV_DELIVERY_FAILED);
    }
}

static void believes_the_status_of_a_broken_response(void **state)
{
    static const struct {
        int status;
        idv_delivery_verdict_t verdict;
    } rows[] = {
        {200, IDV_DELIVERY_RETRY},  {302, IDV_DELIVERY_FAILED},
        {404, IDV_DELIVERY_FAILED}, {429, IDV_DELIVERY_RETRY},
        {500, IDV_DELIVERY_RETRY},
    };
    static const idv_http_result_t results[] = {IDV_HTTP_CONNECTION_REFUSED,
                                                IDV_HTTP_TIMEOUT,
                                                IDV_HTTP_RESPONSE_TOO_LARGE};
    idv_time_t next;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) * 3; i++) {
        idv_delivery_attempt_t ended = answered(1, rows[i / 3].status);

        ended.result = results[i % 3];
        if (idv_delivery_decide(&ended, now, 0, &next) != rows[i / 3].verdict)
            fail_msg("status %d, result %d", ended.status_code, ended.result);
    }
}

static void honours_retry_after_between_once_and_twice(void **state)
{
    static const struct {
        int status;
        const char *value;
        idv_time_t delay; /* seconds */
    } rows[] = {
        {429, NULL, 300},
        {429, "1", 300},
        {429, "400", 400},
        {429, "600", 600},
        {429, "601", 600},
        {429, "99999999999999", 600},
        {503, "450", 450},
        {500, "450", 300},
        {503, "soon", 300},
        {503, "Tue, 14 Nov 2023 22:20:30 GMT", 430},
        {503, "Tue, 14 Nov 2023 22:10:30 GMT", 300},
    };
    idv_time_t next;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        idv_delivery_attempt_t ended = answered(1, rows[i].status);

        ended.retry_after = rows[i].value;
        assert_int_equal(idv_delivery_decide(&ended, now, no_jitter, &next),
                         IDV_DELIVERY_RETRY);
        if (next - now != rows[i].delay * IDV_SECOND)
            fail_msg("row %zu: %ld", i, (long)(next - now));
        idv_delivery_decide(&ended, now, full_jitter, &next);
        assert_in_range(next - now, 330 * IDV_SECOND, 600 * IDV_SECOND);
    }
}

static void reads_retry_after_strictly(void **state)
{
    static const char *const wrong[] = {
        "",
        " ",
        "-1",
        "+1",
        "1.5",
        "1 ",
        "0x10",
        "1e3",
        "12abc",
        "Tue, 99 Nov 2023",
        ("111111111111111111111111111111111111111111111111"
         "111111111111111111111"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(idv_retry_after_parse(wrong[i], now), 0);
    assert_int_equal(idv_retry_after_parse(NULL, now), 0);
    assert_int_equal(idv_retry_after_parse("0", now), 0);
    assert_int_equal(idv_retry_after_parse("120", now), 120000);
    assert_int_equal(idv_retry_after_parse("18446744073709551616", now),
                     IDV_DAY);
    assert_int_equal(
        idv_retry_after_parse("Fri, 31 Dec 9999 23:59:59 GMT", now), IDV_DAY);
}

/* --- the record --- */

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
    expected =
        json_pack("{s:i,s:{s:s,s:s},s:s,s:i}", "status_code", 200, "headers",
                  "content-type", "text/\"plain\"", "x-path", "C:\\temp",
                  "body", "a \"b\"\n\\c\x01", "duration_ms", 12);
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
        {"a\0b", 3,
         "a\xef\xbf\xbd"
         "b"},
        {"\xff\xc3", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\xaf", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    const apr_table_t *headers = apr_table_make(*state, 1);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *value = record(cases[i].body, cases[i].length, headers, *state);

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

/* A name with a quotation mark would end up as the key of another. */
static void leaves_out_headers_without_a_name(void **state)
{
    apr_table_t *headers = apr_table_make(*state, 3);
    json_t *value, *kept;

    apr_table_setn(headers, "x\"y", "1");
    apr_table_setn(headers, "", "2");
    apr_table_setn(headers, "x-y", "3");
    value = record("", 0, headers, *state);
    kept = json_object_get(value, "headers");
    assert_int_equal(json_object_size(kept), 1);
    assert_string_equal(json_string_value(json_object_get(kept, "x-y")), "3");
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_schedule),
        cmocka_unit_test(separates_final_from_passing_answers),
        cmocka_unit_test(repeats_what_brought_no_response),
        cmocka_unit_test(believes_the_status_of_a_broken_response),
        cmocka_unit_test(honours_retry_after_between_once_and_twice),
        cmocka_unit_test(reads_retry_after_strictly),
        pooled_test(records_what_came),
        pooled_test(replaces_what_is_no_utf8),
        pooled_test(leaves_out_headers_without_a_name),
        pooled_test(records_nothing_without_a_response),
    };

    return unit_run("worker/delivery_attempt", tests);
}
