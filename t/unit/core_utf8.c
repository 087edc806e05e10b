/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "core/utf8.h"

#define EURO "\xe2\x82\xac"     /* three bytes */
#define FACE "\xf0\x9f\x99\x82" /* four */

static void counts_characters(void **state)
{
    (void)state;
    assert_int_equal(idv_utf8_length(""), 0);
    assert_int_equal(idv_utf8_length("abc"), 3);
    assert_int_equal(idv_utf8_length("a" EURO FACE "z"), 4);
}

static void cuts_between_characters(void **state)
{
    static const struct {
        const char *text;
        apr_size_t maximum, expected;
    } cases[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"abc", 2, 2},
        {"a" EURO, 4, 4},
        {"a" EURO, 3, 1},
        {"a" EURO, 2, 1},
        {"a" EURO, 1, 1},
        {EURO EURO, 5, 3},
        {FACE "a", 3, 0},
        /* No UTF-8: not read behind its end. */
        {"\x80\x80\x80", 2, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(idv_utf8_prefix(cases[i].text, cases[i].maximum),
                         cases[i].expected);
}

static void knows_what_shows_nothing(void **state)
{
    static const char *const blank[] = {"", " ", "\xe2\x80\x8b \xc2\xa0",
                                        "\xe3\x85\xa4"};
    /* The last three are no UTF-8: not read behind their end. */
    static const char *const visible[] = {"a", " a ", EURO, FACE, "\xe2\x80",
                                          "\xe2", "\xc2"};

    (void)state;
    for (size_t i = 0; i < sizeof(blank) / sizeof(*blank); i++)
        assert_true(idv_utf8_is_blank(blank[i]));
    for (size_t i = 0; i < sizeof(visible) / sizeof(*visible); i++)
        assert_false(idv_utf8_is_blank(visible[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_characters),
        cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(knows_what_shows_nothing),
    };

    return unit_run("core/utf8", tests);
}
