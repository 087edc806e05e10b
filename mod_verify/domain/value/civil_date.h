/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_CIVIL_DATE_H
#define IDV_DOMAIN_VALUE_CIVIL_DATE_H

/*
 * Calendar dates as printed on documents: a day, without a time or a zone.
 *
 * Dates use the proleptic Gregorian calendar, years 1 to 9999. A document may
 * omit the day, or day and month, of a birth; such parts are 0. A year of 0
 * means no date. Text is ISO 8601: 1974-08-12, with reduced precision 1974-08
 * or 1974.
 *
 * "Today" depends on the location. The project only asks whether a day has
 * begun everywhere in a jurisdiction, so it uses the date at the jurisdiction's
 * westernmost place (domain/value/jurisdiction.h).
 *
 * Memory: none. Threads: pure.
 */
#include "core/clock.h"

typedef struct {
    int year;  /* 1 to 9999; 0: no date */
    int month; /* 1 to 12; 0: unknown, and so is the day */
    int day;   /* 1 to 31; 0: unknown */
} idv_date_t;

/* The possible ages in completed years for a date of birth; equal if the date
 * is complete. */
typedef struct {
    int lowest;
    int highest;
} idv_age_range_t;

/* Size of the longest text of a date, with the NUL. */
#define IDV_DATE_TEXT_SIZE 11

/* Non-zero for a valid date with all its parts. */
int idv_date_is_complete(idv_date_t date);

/* Non-zero for a complete date, or one without day, or without day and month.
 * Zero for no date. */
int idv_date_is_valid(idv_date_t date);

/* Below zero, zero or above if A is before, on or after B. Both complete. */
int idv_date_compare(idv_date_t a, idv_date_t b);

/* Days since 1970-01-01 of a complete date; negative before. */
apr_int64_t idv_date_days(idv_date_t date);

/* The complete date for a value of idv_date_days(). */
idv_date_t idv_date_of_days(apr_int64_t days);

/* The date at NOW at UTC_OFFSET minutes ahead of UTC. */
idv_date_t idv_date_at(idv_time_t now, int utc_offset);

/* The earliest complete date that a valid DATE allows. */
idv_date_t idv_date_earliest(idv_date_t date);

/* The age in completed years, on the complete date ON, of a person born on the
 * valid date BIRTH. A person born on 29 February completes a year on 1 March in
 * years without that day; of the two rules in use this is the later and thus
 * the safe one. Below zero if the birth is after ON. */
idv_age_range_t idv_date_age(idv_date_t birth, idv_date_t on);

/* Writes the ISO 8601 text of a valid DATE and returns TEXT. */
const char *idv_date_format(idv_date_t date, char text[IDV_DATE_TEXT_SIZE]);

/* Parses ISO 8601 text (three precisions, nothing else). `parameter_invalid`,
 * without the text, for anything that is not a valid date. */
idv_error_t *idv_date_parse(const char *text, idv_date_t *date,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
