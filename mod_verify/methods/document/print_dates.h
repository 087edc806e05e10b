/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_PRINT_DATES_H
#define IDV_METHODS_DOCUMENT_PRINT_DATES_H

/*
 * Finds the dates among the recognized words of a document: in any order of
 * day, month and year, with a two- or four-digit year, or the name of the month
 * in the languages of months.def.
 *
 * A date has a role if a label of date_labels.def is before it in its line, or
 * directly above it.
 *
 * Memory: none; the scratch space is on the stack. Threads: pure. Failures:
 * none.
 */
#include "core/clock.h"
#include "methods/document/document.h"
#include "methods/document/print_words.h"

typedef enum {
    IDV_PRINT_ROLE_UNKNOWN, /* no label recognized */
    IDV_PRINT_ROLE_BIRTH,
    IDV_PRINT_ROLE_ISSUE,
    IDV_PRINT_ROLE_EXPIRY,
    IDV_PRINT_ROLE_PLACE /* only of a label */
} idv_print_role_t;

/* The readings of a printed date: 04/05/06 has up to three. */
typedef struct {
    idv_date_t dates[3];
    int count;
    int is_short;   /* flag: two-digit year */
    int is_certain; /* flag: its parts are one date, not parts of two */
    idv_print_role_t role;
    idv_print_span_t span;
} idv_print_date_t;

typedef void idv_print_on_date_t(void *context, const idv_print_date_t *date);

/* Calls ON_DATE with each date among WORDS. */
void idv_print_dates_read(const idv_print_words_t *words,
                          idv_print_on_date_t *on_date, void *context);

#endif
