/* SPDX-License-Identifier: Apache-2.0 */
/* Where a word stands in a list. */
#include "unit/unit.h"

#include "core/word_list.h"

static const char *const words[] = {NULL, "first", "second", "first", ""};

static void finds_the_first(void **state)
{
    (void)state;
    assert_int_equal(idv_word_find(words, 5, "first"), 1);
    assert_int_equal(idv_word_find(words, 5, "second"), 2);
    assert_int_equal(idv_word_find(words, 5, ""), 4);
}

static void finds_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(idv_word_find(words, 5, NULL), -1);
    assert_int_equal(idv_word_find(words, 5, "fir"), -1);
    assert_int_equal(idv_word_find(words, 5, "First"), -1);
    assert_int_equal(idv_word_find(words, 2, "second"), -1);
    assert_int_equal(idv_word_find(words, 0, "first"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_first),
        cmocka_unit_test(finds_nothing_else),
    };

    return unit_run("core_word_list", tests);
}
