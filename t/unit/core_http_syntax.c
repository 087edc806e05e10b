/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/http_syntax.h"

#define LINE_MAX_BYTES 100

/* Where the head in TEXT ends, found in pieces of PIECE bytes; 0: nowhere. */
static apr_size_t end_of(const char *text, apr_size_t piece)
{
    idv_request_head_t head = {0};
    apr_size_t length = strlen(text);

    for (apr_size_t at = 0; at < length; at += piece) {
        apr_size_t part = length - at < piece ? length - at : piece;

        if (idv_request_head_add(&head, text + at, part, LINE_MAX_BYTES))
            return head.length;
    }
    return 0;
}

static void finds_the_empty_line(void **state)
{
    static const struct {
        const char *text;
        apr_size_t end;
    } cases[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27},
        {"GET / HTTP/1.1\nHost: a\n\nbody\n\n", 24},
        {"GET / HTTP/1.1\r\nHost: a\r\n", 0},
        {"GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", 18},
        {"\r\n\r\nGET / HTTP/1.1\r\nA: b\r\n\r\n", 28},
        {"\r\n\r\n\r\n", 0},
        {"GET /HHTHTTP/HTTP HTTP/1.1\r\nA: b\r\n", 0},
        {"GET /HTT", 0},
        /* Not of HTTP/1: the server has the first line. */
        {"GET /\r\nA: b\r\n\r\n", 7},
        {"\x16\x03\x01\n", 4},
        {"GET / HTTP\r\nA: /\r\n\r\n", 12},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        for (apr_size_t piece = 1; piece <= 32; piece++)
            assert_int_equal(end_of(cases[i].text, piece), cases[i].end);
    }
}

static void ends_what_is_too_long(void **state)
{
    char text[1000];
    idv_request_head_t head = {0};
    apr_size_t sent = 0;

    (void)state;
    memset(text, 'a', sizeof(text));
    assert_false(idv_request_head_add(&head, text, LINE_MAX_BYTES,
                                      LINE_MAX_BYTES));
    assert_true(idv_request_head_add(&head, text, 1, LINE_MAX_BYTES));

    memset(&head, 0, sizeof(head));
    assert_false(idv_request_head_add(&head, "GET / HTTP/1.1\r\n", 16,
                                      LINE_MAX_BYTES));
    while (!idv_request_head_add(&head, text, sizeof(text), LINE_MAX_BYTES))
        sent += sizeof(text);
    assert_in_range(sent, IDV_REQUEST_HEAD_MAX - 2 * sizeof(text),
                    IDV_REQUEST_HEAD_MAX);
}

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
        pooled_test(finds_the_empty_line),
        pooled_test(ends_what_is_too_long),
        pooled_test(finds_tokens),
        pooled_test(limits_tokens),
    };

    return unit_run("core/http_syntax", tests);
}
