/* SPDX-License-Identifier: Apache-2.0 */
/* Calendar dates, ages, and the day that it is in a jurisdiction. */
#include "unit/unit.h"

#include <time.h>

#include "domain/value/jurisdiction.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

static idv_date_t date_of(const char *text, apr_pool_t *pool)
{
    idv_date_t date;

    assert_null(idv_date_parse(text, &date, pool));
    return date;
}

static idv_time_t instant(int year, int month, int day, int hour, int minute)
{
    idv_date_t date = { year, month, day };

    return idv_date_days(date) * IDV_DAY + hour * IDV_HOUR
           + minute * IDV_MINUTE;
}

static void days_agree_with_the_c_library(void **state)
{
    (void)state;
    for (apr_int64_t day = -800000; day < 800000; day += 1) {
        time_t seconds = day * 86400;
        idv_date_t date = idv_date_at(day * IDV_DAY, 0);

        if (day % 97 == 0) {
            struct tm tm;

            gmtime_r(&seconds, &tm);
            if (tm.tm_year + 1900 < 1)
                continue;
            assert_int_equal(date.year, tm.tm_year + 1900);
            assert_int_equal(date.month, tm.tm_mon + 1);
            assert_int_equal(date.day, tm.tm_mday);
        }
        if (date.year >= 1 && idv_date_days(date) != day)
            fail_msg("day %ld", (long)day);
    }
}

static void texts_are_strict(void **state)
{
    static const char *const refused[] = {
        "",           "1",          "0000",       "1974-",      "1974-13",
        "1974-00",    "1974-02-29", "1974-02-00", "1974-2-1",   "1974/02/01",
        "1974-02-1",  "1974-02-30", "+974-02-01", " 1974-02-1", "1974-02-011",
        "1974-02-01T", "1900-02-29",
    };
    static const char *const accepted[] = { "1974-08-12", "1974-08", "1974",
                                            "2000-02-29", "0001-01-01" };
    apr_pool_t *pool = *state;
    char text[IDV_DATE_TEXT_SIZE];
    idv_date_t date;

    for (size_t i = 0; i < LENGTH(refused); i++)
        assert_non_null(idv_date_parse(refused[i], &date, pool));
    for (size_t i = 0; i < LENGTH(accepted); i++)
        assert_string_equal(idv_date_format(date_of(accepted[i], pool), text),
                            accepted[i]);
    assert_false(idv_date_is_complete(date_of("1974-08", pool)));
    assert_true(idv_date_is_complete(date_of("1974-08-12", pool)));
}

static void ages_are_completed_years(void **state)
{
    static const struct {
        const char *birth, *on;
        int lowest, highest;
    } rows[] = {
        { "2000-07-02", "2018-07-01", 17, 17 },
        { "2000-07-01", "2018-07-01", 18, 18 },
        { "2000-02-29", "2018-02-28", 17, 17 },
        { "2000-02-29", "2018-03-01", 18, 18 },
        { "2000-02-29", "2020-02-28", 19, 19 },
        { "2000-02-29", "2020-02-29", 20, 20 },
        { "2000", "2018-07-01", 17, 18 },
        { "2000", "2018-12-31", 18, 18 },
        { "2000", "2018-01-01", 17, 18 },
        { "2000-07", "2018-07-15", 17, 18 },
        { "2000-07", "2018-07-31", 18, 18 },
        { "2000-02", "2018-02-28", 17, 18 },
        { "2019-01-01", "2018-12-31", -1, -1 },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_age_range_t age = idv_date_age(date_of(rows[i].birth, pool),
                                           date_of(rows[i].on, pool));

        assert_int_equal(age.lowest, rows[i].lowest);
        assert_int_equal(age.highest, rows[i].highest);
    }
}

static void the_day_begins_last_in_the_west(void **state)
{
    static const struct {
        const char *jurisdiction;
        int hour, minute; /* UTC when 2 July 2024 begins there, 2 or 1 July */
        int day;
    } rows[] = {
        { "DE", 0, 0, 2 },      { "US-NY", 4, 59, 1 }, { "US-NY", 5, 0, 2 },
        { "US-HI", 9, 59, 1 },  { "US-HI", 10, 0, 2 }, { "US", 9, 59, 1 },
        { "US", 10, 0, 2 },     { "US-XX", 9, 59, 1 }, { "ZZ", 11, 59, 1 },
        { NULL, 12, 0, 2 },     { NULL, 11, 59, 1 },   { "X", 11, 59, 1 },
        { "CA-ON", 6, 0, 2 },   { "CA-ON", 5, 59, 1 }, { "DE-BY", 0, 0, 2 },
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_date_t date = idv_jurisdiction_date(
            rows[i].jurisdiction,
            instant(2024, 7, 2, rows[i].hour, rows[i].minute));

        assert_int_equal(date.year, 2024);
        assert_int_equal(date.month, 7);
        assert_int_equal(date.day, rows[i].day);
    }
    /* East of Greenwich the day begins the evening before. */
    assert_int_equal(
        idv_jurisdiction_date("DE", instant(2024, 7, 1, 23, 0)).day, 2);
}

static void countries_are_found_by_both_codes(void **state)
{
    (void)state;
    assert_string_equal(idv_country_by_alpha2("DE")->alpha3, "DEU");
    assert_string_equal(idv_country_by_alpha3("USA")->alpha2, "US");
    assert_string_equal(idv_country_by_alpha3("XKX")->alpha2, "XK");
    assert_null(idv_country_by_alpha2("UT"));
    assert_null(idv_country_by_alpha3("UTO"));
    assert_null(idv_country_by_alpha2("de"));
    assert_null(idv_country_by_alpha2(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_agree_with_the_c_library),
        pooled_test(texts_are_strict),
        pooled_test(ages_are_completed_years),
        cmocka_unit_test(the_day_begins_last_in_the_west),
        cmocka_unit_test(countries_are_found_by_both_codes),
    };

    return unit_run("document/dates", tests);
}
