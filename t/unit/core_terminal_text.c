/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <jansson.h>

#include "core/terminal_text.h"

static void shows_what_would_be_obeyed(void **state)
{
    apr_pool_t *pool = *state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"Caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", NULL},
        /* Hebrew and Arabic letters, and the joiner that Persian needs. */
        {"\xd7\xa9\xd7\x9c \xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae", NULL},
        {"a\\b C:\\n", NULL},
        {"\x1b[2J\x07", "\\u001b[2J\\u0007"},
        {"\x7f", "\\u007f"},
        /* CSI and OSC of C1, in UTF-8 and as a byte. */
        {"\xc2\x9b" "31m\xc2\x9d", "\\u009b31m\\u009d"},
        {"\x9b" "31m", "\\x9b31m"},
        {"\xc2\xa0 \xc2\xad", "\xc2\xa0 \\u00ad"},
        {"\xe2\x80\xae" "gpj", "\\u202egpj"},
        {"\xe2\x81\xa6" "a\xe2\x81\xa9", "\\u2066a\\u2069"},
        {"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\u200e\\u200f\\u061c"},
        {"\xe2\x80\xa8\xe2\x80\x8b\xef\xbb\xbf", "\\u2028\\u200b\\ufeff"},
        {"\xe3\x85\xa4\xcd\x8f", "\\u3164\\u034f"},
        {"\xe2\x98\xba\xef\xb8\x8f", NULL},
        {"\xf3\xa0\x81\x81", "\\udb40\\udc41"},
        /* No UTF-8: too long a form, half of a pair, cut, above the last. */
        {"\xc0\x9b", "\\xc0\\x9b"},
        {"\xe0\x82\x9b", "\\xe0\\x82\\x9b"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xe2\x80", "\\xe2\\x80"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xff" "a", "\\xff" "a"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *shown = idv_terminal_text(cases[i].text, pool);

        assert_string_equal(
            shown, cases[i].shown ? cases[i].shown : cases[i].text);
        if (!cases[i].shown)
            assert_ptr_equal(shown, cases[i].text);
    }
}

static void keeps_ends_of_lines_of_its_own(void **state)
{
    apr_pool_t *pool = *state;

    assert_string_equal(idv_terminal_text("a\nb\r\t", pool),
                        "a\\u000ab\\u000d\\u0009");
    assert_string_equal(idv_terminal_lines("a\nb\r\x1b", pool),
                        "a\nb\\u000d\\u001b");
}

static void leaves_json_its_value(void **state)
{
    apr_pool_t *pool = *state;
    static const char stored[] = "a\x1b[1m\xc2\x9b\xe2\x80\xae\x7f\xf3\xa0\x81\x81\n";
    json_t *value = json_pack("{s:s}", "name", stored), *read;
    char *text = json_dumps(value, JSON_INDENT(2));
    const char *shown = idv_terminal_lines(text, pool);

    assert_null(strstr(shown, "\xc2\x9b"));
    read = json_loads(shown, 0, NULL);
    assert_true(json_equal(value, read));
    json_decref(value);
    json_decref(read);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(shows_what_would_be_obeyed),
        pooled_test(keeps_ends_of_lines_of_its_own),
        pooled_test(leaves_json_its_value),
    };

    return unit_run("core/terminal_text", tests);
}
