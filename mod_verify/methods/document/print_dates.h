/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_PRINT_DATES_H
#define IDV_METHODS_DOCUMENT_PRINT_DATES_H

/*
 * The dates among the words that were recognized on a document: in any order of
 * day, month and year, with two or four digits for the year or the name of the
 * month in the languages of months.def.
 *
 * A date has a role if a label of date_labels.def is before it in its line, or
 * right above it.
 *
 * Memory: none; the scratch space is on the stack. Threads: pure. Failures:
 * none.
 */
#include "core/clock.h"
#include "methods/document/document.h"
#include "methods/document/print_words.h"

typedef enum {
    IDV_PRINT_ROLE_UNKNOWN, /* no label was recognized */
    IDV_PRINT_ROLE_BIRTH,
    IDV_PRINT_ROLE_ISSUE,
    IDV_PRINT_ROLE_EXPIRY,
    IDV_PRINT_ROLE_PLACE /* of a label only */
} idv_print_role_t;

/* What a printed date may be: 04/05/06 may be three. */
typedef struct {
    idv_date_t dates[3];
    int count;
    int is_short;   /* two digits of the year */
    int is_certain; /* its parts are one date and not parts of two */
    idv_print_role_t role;
    idv_print_span_t span;
} idv_print_date_t;

typedef void idv_print_on_date_t(void *context, const idv_print_date_t *date);

/* Calls ON_DATE with each date among WORDS. */
void idv_print_dates_read(const idv_print_words_t *words,
                          idv_print_on_date_t *on_date, void *context);

#endif
