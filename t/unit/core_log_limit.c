/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of a log are written when something fails over and over. */
#include "unit/unit.h"

#include <stdio.h>

#include "core/log_limit.h"

#define START (5 * IDV_DAY)

static idv_log_limit_t limit;

static int start(void **state)
{
    (void)state;
    memset(&limit, 0, sizeof(limit));
    return 0;
}

/* How many were left out before a line that is written; -1: it is not. */
static apr_int64_t admit(const char *tag, const char *text, idv_time_t now)
{
    apr_int64_t left_out = -2;

    return idv_log_limit_admit(&limit, tag, text, now, &left_out) ? left_out
                                                                  : -1;
}

static void writes_one_a_minute(void **state)
{
    (void)state;
    assert_int_equal(admit("IDV0340", "disk full", START), 0);
    for (int i = 0; i < 800; i++)
        assert_int_equal(admit("IDV0340", "disk full", START + i), -1);
    assert_int_equal(admit("IDV0340", "disk full", START + IDV_MINUTE - 1), -1);
    assert_int_equal(admit("IDV0340", "disk full", START + IDV_MINUTE), 801);
    assert_int_equal(admit("IDV0340", "disk full", START + IDV_MINUTE), -1);
    assert_int_equal(admit("IDV0340", "disk full", START + 3 * IDV_MINUTE), 1);
}

static void writes_the_first_at_any_time(void **state)
{
    (void)state;
    assert_int_equal(admit("IDV0340", "disk full", 0), 0);
    assert_int_equal(admit("IDV0340", "disk full", 1), -1);
}

static void tells_causes_apart(void **state)
{
    (void)state;
    assert_int_equal(admit("IDV0340", "disk full", START), 0);
    assert_int_equal(admit("IDV0350", "disk full", START), 0);
    assert_int_equal(admit("IDV0340", "no rights", START), 0);
    assert_int_equal(admit("IDV0340", "disk full", START + 1), -1);
    assert_int_equal(admit("IDV0350", "disk full", START + 1), -1);
}

static void compares_the_beginning_of_long_texts(void **state)
{
    char text[IDV_LOG_TEXT_SIZE + 10];

    (void)state;
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(admit("IDV0340", text, START), 0);
    text[sizeof(text) - 2] = 'y';
    assert_int_equal(admit("IDV0340", text, START), -1);
    text[0] = 'y';
    assert_int_equal(admit("IDV0340", text, START), 0);
}

static void tells_the_rest(void **state)
{
    idv_log_cause_t rest;

    (void)state;
    admit("IDV0340", "disk full", START);
    admit("IDV0340", "disk full", START + 1);
    admit("IDV0340", "disk full", START + 2);
    admit("IDV0350", "disk full", START);
    assert_false(idv_log_limit_rest(&limit, START + IDV_MINUTE - 1, &rest));
    assert_true(idv_log_limit_rest(&limit, START + IDV_MINUTE, &rest));
    assert_string_equal(rest.tag, "IDV0340");
    assert_string_equal(rest.text, "disk full");
    assert_int_equal(rest.left_out, 2);
    assert_false(idv_log_limit_rest(&limit, START + IDV_MINUTE, &rest));
    assert_int_equal(admit("IDV0340", "disk full", START + IDV_MINUTE), 0);
}

/* Causes without end cost a line a minute more, and forget none that owes. */
static void is_bounded(void **state)
{
    idv_log_cause_t rest;
    int written = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        char text[32];

        snprintf(text, sizeof(text), "cause %d", i);
        written += admit("IDV0340", text, START) >= 0;
    }
    assert_int_equal(written, IDV_LOG_CAUSES + 1);
    assert_true(idv_log_limit_rest(&limit, START + IDV_MINUTE, &rest));
    assert_string_equal(rest.text, "different causes");
    assert_int_equal(rest.left_out, 1000 - written);
    assert_false(idv_log_limit_rest(&limit, START + IDV_MINUTE, &rest));
    /* Old ones give their places to new ones. */
    assert_int_equal(admit("IDV0340", "cause 0", START + IDV_SECOND), -1);
    written = 0;
    for (int i = 0; i < 1000; i++) {
        char text[32];

        snprintf(text, sizeof(text), "new cause %d", i);
        written += admit("IDV0340", text, START + IDV_MINUTE) >= 0;
    }
    assert_int_equal(written, IDV_LOG_CAUSES - 1 + 1);
    assert_int_equal(admit("IDV0340", "cause 0", START + IDV_MINUTE), 1);
}

#define limit_test(function) cmocka_unit_test_setup(function, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        limit_test(writes_one_a_minute),
        limit_test(writes_the_first_at_any_time),
        limit_test(tells_causes_apart),
        limit_test(compares_the_beginning_of_long_texts),
        limit_test(tells_the_rest),
        limit_test(is_bounded),
    };

    return unit_run("core_log_limit", tests);
}
