/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/civil_date.h"

#include <stdio.h>
#include <string.h>

#define YEAR_MAX 9999

/* The calendar repeats itself after so many. */
#define CYCLE_YEARS 400
#define CYCLE_DAYS 146097

static int is_leap_year(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in_month(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30,
                                31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap_year(year));
}

int idv_date_is_valid(idv_date_t date)
{
    if (date.year < 1 || date.year > YEAR_MAX)
        return 0;
    if (date.month == 0)
        return date.day == 0;
    if (date.month < 1 || date.month > 12)
        return 0;
    return date.day >= 0 && date.day <= days_in_month(date.year, date.month);
}

int idv_date_is_complete(idv_date_t date)
{
    return idv_date_is_valid(date) && date.month != 0 && date.day != 0;
}

int idv_date_compare(idv_date_t a, idv_date_t b)
{
    if (a.year != b.year)
        return a.year - b.year;
    if (a.month != b.month)
        return a.month - b.month;
    return a.day - b.day;
}

/* Days before March of YEAR, counted so that a leap day ends its year. */
static apr_int64_t days_before_march(apr_int64_t year)
{
    return year * 365 + year / 4 - year / 100 + year / 400;
}

/* Days from 1 March to the first of the month that is N months later: the
 * lengths of months repeat every five, which have 153 days, that is 306 in
 * ten. */
static int days_from_march(int months)
{
    return (months * 306 + 5) / 10;
}

/* Days from 1 March of year 0 to 1970-01-01, ten months after March 1969. */
static apr_int64_t epoch(void)
{
    return days_before_march(1969) + days_from_march(10);
}

apr_int64_t idv_date_days(idv_date_t date)
{
    int from_march = (date.month + 9) % 12;
    int year = date.year - (date.month <= 2);

    return days_before_march(year) + days_from_march(from_march) + date.day - 1
         - epoch();
}

idv_date_t idv_date_of_days(apr_int64_t days)
{
    idv_date_t date;
    apr_int64_t day = days + epoch();
    apr_int64_t year = day * CYCLE_YEARS / CYCLE_DAYS;
    int from_march;

    while (days_before_march(year) > day)
        year--;
    while (days_before_march(year + 1) <= day)
        year++;
    day -= days_before_march(year);
    from_march = (int)(day * 10 + 5) / 306;
    date.month = from_march < 10 ? from_march + 3 : from_march - 9;
    date.day = (int)day - days_from_march(from_march) + 1;
    date.year = (int)year + (date.month <= 2);
    return date;
}

idv_date_t idv_date_at(idv_time_t now, int utc_offset)
{
    idv_time_t local = now + utc_offset * IDV_MINUTE;
    apr_int64_t days = local / IDV_DAY;

    return idv_date_of_days(local % IDV_DAY < 0 ? days - 1 : days);
}

idv_date_t idv_date_earliest(idv_date_t date)
{
    if (date.month == 0)
        date.month = 1;
    if (date.day == 0)
        date.day = 1;
    return date;
}

/* The last complete date that a valid DATE allows. */
static idv_date_t latest(idv_date_t date)
{
    if (date.month == 0)
        date.month = 12;
    if (date.day == 0)
        date.day = days_in_month(date.year, date.month);
    return date;
}

static int completed_years(idv_date_t birth, idv_date_t on)
{
    int birthday_to_come = on.month < birth.month
                           || (on.month == birth.month && on.day < birth.day);

    return on.year - birth.year - birthday_to_come;
}

idv_age_range_t idv_date_age(idv_date_t birth, idv_date_t on)
{
    idv_age_range_t range = {
        .lowest = completed_years(latest(birth), on),
        .highest = completed_years(idv_date_earliest(birth), on),
    };

    return range;
}

const char *idv_date_format(idv_date_t date, char text[IDV_DATE_TEXT_SIZE])
{
    /* The remainders change nothing; they show the compiler the widths. */
    unsigned year = (unsigned)date.year % 10000;
    unsigned month = (unsigned)date.month % 100, day = (unsigned)date.day % 100;

    if (month == 0)
        snprintf(text, IDV_DATE_TEXT_SIZE, "%04u", year);
    else if (day == 0)
        snprintf(text, IDV_DATE_TEXT_SIZE, "%04u-%02u", year, month);
    else
        snprintf(text, IDV_DATE_TEXT_SIZE, "%04u-%02u-%02u", year, month, day);
    return text;
}

/* The number in COUNT digits at TEXT; -1 if a character is not a digit. */
static int digits_value(const char *text, int count)
{
    int value = 0;

    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

idv_error_t *idv_date_parse(const char *text, idv_date_t *date,
                            apr_pool_t *pool)
{
    size_t length = strnlen(text, IDV_DATE_TEXT_SIZE);
    idv_date_t read = { 0, 0, 0 };
    int shaped = length == 4 || (length == 7 && text[4] == '-')
                 || (length == 10 && text[4] == '-' && text[7] == '-');

    if (shaped) {
        read.year = digits_value(text, 4);
        if (length >= 7)
            read.month = digits_value(text + 5, 2);
        if (length == 10)
            read.day = digits_value(text + 8, 2);
        /* A part that is written must not be 00, which stands for "open". */
        shaped = idv_date_is_valid(read) && (length < 7 || read.month > 0)
                 && (length < 10 || read.day > 0);
    }
    if (!shaped)
        return idv_error_param(pool, NULL, "Not a date (YYYY-MM-DD).");
    *date = read;
    return NULL;
}
