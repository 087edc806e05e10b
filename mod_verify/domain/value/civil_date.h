/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_CIVIL_DATE_H
#define IDV_DOMAIN_VALUE_CIVIL_DATE_H

/*
 * Calendar dates as documents print them: a day, without a time or a zone.
 *
 * Dates are those of the proleptic Gregorian calendar, years 1 to 9999. A
 * document may leave the day, or day and month, of a birth open; such parts
 * are 0, and a year of 0 means that there is no date at all. Text is ISO 8601:
 * 1974-08-12, with reduced precision 1974-08 or 1974.
 *
 * Which day is "today" depends on where one stands. The project asks one
 * question, "has this day begun everywhere in the jurisdiction?", and so takes
 * the date at the jurisdiction's westernmost place (domain/value/jurisdiction.h).
 *
 * Memory: values, none of their own. Threads: pure.
 */
#include "core/clock.h"

typedef struct {
    int year;  /* 1 to 9999; 0: no date */
    int month; /* 1 to 12; 0: not known, the day neither */
    int day;   /* 1 to 31; 0: not known */
} idv_date_t;

/* The ages, in completed years, that a date of birth allows. Both are the same
 * when the date is complete. */
typedef struct {
    int lowest;
    int highest;
} idv_age_range_t;

/* Bytes of the longest text of a date, with the NUL. */
#define IDV_DATE_TEXT_SIZE 11

/* Non-zero for a date of the calendar with all its parts. */
int idv_date_is_complete(idv_date_t date);

/* Non-zero for a complete date, or one whose day, or day and month, are open.
 * Zero for no date. */
int idv_date_is_valid(idv_date_t date);

/* Below zero, zero or above as A is before, on or after B. Both complete. */
int idv_date_compare(idv_date_t a, idv_date_t b);

/* Days since 1970-01-01 of a complete date; negative before. */
apr_int64_t idv_date_days(idv_date_t date);

/* The complete date that idv_date_days() counts DAYS for. */
idv_date_t idv_date_of_days(apr_int64_t days);

/* The date at NOW where clocks stand UTC_OFFSET minutes ahead of UTC. */
idv_date_t idv_date_at(idv_time_t now, int utc_offset);

/* The first complete date that a valid DATE allows. */
idv_date_t idv_date_earliest(idv_date_t date);

/* Completed years at the complete date ON of a person born on the valid date
 * BIRTH. Who was born on 29 February completes a year on 1 March where the
 * year has no such day: the later, and thus the safe one, of the two rules in
 * use. Below zero when the birth lies after ON. */
idv_age_range_t idv_date_age(idv_date_t birth, idv_date_t on);

/* Writes the ISO 8601 text of a valid DATE and returns TEXT. */
const char *idv_date_format(idv_date_t date, char text[IDV_DATE_TEXT_SIZE]);

/* Reads ISO 8601 text (three precisions, nothing else); `parameter_invalid`
 * without the text for anything that is not a valid date. */
idv_error_t *idv_date_parse(const char *text, idv_date_t *date,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
