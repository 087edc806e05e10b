/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <limits.h>
#include <time.h>

#include "core/clock.h"

static const struct {
    idv_time_t time;
    apr_int64_t seconds;
    const char *text;
} cases[] = {
    {0, 0, "1970-01-01T00:00:00.000Z"},
    {1, 0, "1970-01-01T00:00:00.001Z"},
    {999, 0, "1970-01-01T00:00:00.999Z"},
    {1000, 1, "1970-01-01T00:00:01.000Z"},
    {1709210096789, 1709210096, "2024-02-29T12:34:56.789Z"},
    {2147483648000, 2147483648, "2038-01-19T03:14:08.000Z"},
    {253402300799999, 253402300799, "9999-12-31T23:59:59.999Z"},
    {-1, -1, "1969-12-31T23:59:59.999Z"},
    {-999, -1, "1969-12-31T23:59:59.001Z"},
    {-1000, -1, "1969-12-31T23:59:59.000Z"},
    {-1001, -2, "1969-12-31T23:59:58.999Z"},
    {-2208988800000, -2208988800, "1900-01-01T00:00:00.000Z"},
};

static void rounds_seconds_down_and_writes_iso_8601(void **state)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(idv_time_seconds(cases[i].time), cases[i].seconds);
        assert_string_equal(idv_time_iso8601(cases[i].time, *state),
                            cases[i].text);
    }
}

static void knows_the_beginning_of_a_day(void **state)
{
    (void)state;
    assert_int_equal(idv_time_day(0), 0);
    assert_int_equal(idv_time_day(IDV_DAY - 1), 0);
    assert_int_equal(idv_time_day(20000 * IDV_DAY), 20000 * IDV_DAY);
    assert_int_equal(idv_time_day(20000 * IDV_DAY + 12345), 20000 * IDV_DAY);
    assert_int_equal(idv_time_day(-1), -IDV_DAY);
    assert_int_equal(idv_time_day(-IDV_DAY), -IDV_DAY);
}

static void tells_the_time_in_milliseconds(void **state)
{
    idv_time_t first = idv_time_now(), second = idv_time_now();

    (void)state;
    assert_true(first > 1700000000000 && first < 253402300800000);
    assert_true(second >= first);
}

/* Within a minute of what the system's own call says, in the same unit. */
static void times_by_a_clock_that_nobody_sets(void **state)
{
    idv_time_t first = idv_time_steady(), second = idv_time_steady();
    struct timespec system;

    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &system);
    assert_true(second >= first);
    assert_true(first <= (idv_time_t)(system.tv_sec + 1) * IDV_SECOND);
    assert_true(first > (idv_time_t)system.tv_sec * IDV_SECOND - IDV_MINUTE);
}

static void doubles_pauses_up_to_the_longest(void **state)
{
    static const idv_time_t pauses[] = {250,  500,   1000,  2000, 4000,
                                        8000, 16000, 30000, 30000};

    (void)state;
    for (int i = 0; i < (int)(sizeof(pauses) / sizeof(*pauses)); i++)
        assert_int_equal(idv_time_backoff(250, 30000, i), pauses[i]);
    assert_int_equal(idv_time_backoff(250, 30000, INT_MAX), 30000);
    assert_int_equal(idv_time_backoff(40000, 30000, 0), 30000);
}

static void lengthens_a_delay_by_a_tenth_at_most(void **state)
{
    idv_time_t least = IDV_DAY, most = 0;

    (void)state;
    for (uint32_t random = 0; random < 5000; random++) {
        idv_time_t jitter = idv_time_jitter(IDV_HOUR, random);

        least = jitter < least ? jitter : least;
        most = jitter > most ? jitter : most;
    }
    assert_int_equal(least, 0);
    assert_int_equal(most, IDV_HOUR / 10);
    assert_in_range(idv_time_jitter(IDV_HOUR, UINT32_MAX), 0, IDV_HOUR / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(rounds_seconds_down_and_writes_iso_8601),
        pooled_test(knows_the_beginning_of_a_day),
        pooled_test(tells_the_time_in_milliseconds),
        pooled_test(times_by_a_clock_that_nobody_sets),
        cmocka_unit_test(doubles_pauses_up_to_the_longest),
        cmocka_unit_test(lengthens_a_delay_by_a_tenth_at_most),
    };

    return unit_run("core/clock", tests);
}
