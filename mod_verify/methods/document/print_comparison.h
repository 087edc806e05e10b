/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_PRINT_COMPARISON_H
#define IDV_METHODS_DOCUMENT_PRINT_COMPARISON_H

/*
 * Compares the print on the front of a document with the data of its code.
 *
 * Recognition of print is poor: it breaks, joins and misreads words, including
 * labels. So values are not read from the print. Instead, the values of the
 * code are searched in it (print_words.h, print_dates.h).
 *
 * - A missing value means nothing: it may be printed but not recognized, or be
 *   on the other side.
 * - A field is contradicted only by a value that was recognized well and cannot
 *   be anything else: a date labelled as the birth, or too early for an issue,
 *   that is not the day of birth; a future date that is not the expiry; a
 *   number in the same pattern of letters and digits as the document's own.
 *   Names cannot be told from other words, so they are never contradicted.
 * - The print and the code are of the same holder (HOLDER) if they agree on the
 *   surname, or on the date of birth or of expiry. A date counts for this only
 *   if its role is known by its label or its value: a date that may be the
 *   issue proves no birth. Legible print without any such agreement contradicts
 *   the holder.
 *
 * Agreement is not a proof: a forger of the code can print the same.
 * Contradiction is a reason to review: issuers make mistakes, and so does
 * recognition.
 *
 * Memory: none; the scratch space is on the stack. Threads: pure. Failures:
 * none.
 */
#include "methods/document/document.h"
#include "methods/document/print_words.h"

/* The data of a document that is searched on its front. */
#define IDV_PRINT_FIELDS(X)                                                    \
    X(SURNAME, "surname")                                                      \
    X(GIVEN_NAMES, "given_names")                                              \
    X(NUMBER, "number")                                                        \
    X(DATE_OF_BIRTH, "date_of_birth")                                          \
    X(DATE_OF_ISSUE, "date_of_issue")                                          \
    X(DATE_OF_EXPIRY, "date_of_expiry")                                        \
    X(HOLDER, "holder")

#define IDV_PRINT_VERDICTS(X)                                                  \
    X(UNDETERMINED, "undetermined")                                            \
    X(CONTRADICTED, "contradicted")                                            \
    X(CONSISTENT, "consistent")

typedef enum {
#define X(name, code) IDV_PRINT_##name,
    IDV_PRINT_FIELDS(X)
#undef X
        IDV_PRINT_FIELD_COUNT
} idv_print_field_t;

typedef enum {
#define X(name, code) IDV_PRINT_##name,
    IDV_PRINT_VERDICTS(X)
#undef X
        IDV_PRINT_VERDICT_COUNT
} idv_print_verdict_t;

/* The verdict for each field. */
typedef struct {
    idv_print_verdict_t of[IDV_PRINT_FIELD_COUNT];
    unsigned dates; /* bits of the dates seen with a four-digit year, if the
                     * code leaves the century of the birth open; used only by
                     * the reader */
} idv_print_verdicts_t;

/* The later and the earlier date of birth, and another date that may be the
 * date of issue. */
#define IDV_PRINT_SAW_LATER 1u
#define IDV_PRINT_SAW_EARLIER 2u
#define IDV_PRINT_SAW_ISSUE 4u

typedef struct {
    idv_print_verdicts_t verdicts;
    /* The words that contradict a field; none for HOLDER. */
    idv_print_span_t against[IDV_PRINT_FIELD_COUNT];
} idv_print_comparison_t;

/* The codes of the lists; the reverse gives -1 for unknown text. */
const char *idv_print_field_code(idv_print_field_t field);
const char *idv_print_verdict_code(idv_print_verdict_t verdict);
int idv_print_verdict_find(const char *code);

/* Compares WORDS with DOCUMENT, read on the date TODAY. */
void idv_print_compare(const idv_document_t *document,
                       const idv_print_words_t *words, idv_date_t today,
                       idv_print_comparison_t *comparison);

/* Adds the verdicts of another look or side: a field that agrees there is
 * consistent, whatever the first look found. */
void idv_print_add(idv_print_verdicts_t *all, const idv_print_verdicts_t *one);

/* Determines the century of the birth of DOCUMENT if the print shows only one
 * of the two dates. A birth of this century is distinguished from an issue on
 * the same day by its label, or by another date that may be the issue. */
void idv_print_settle_birth(const idv_print_verdicts_t *verdicts,
                            idv_document_t *document);

/* The verdict on all fields: CONTRADICTED if any field is; CONSISTENT if the
 * surname, the date of birth, and the number or the expiry agree; else
 * UNDETERMINED. */
idv_print_verdict_t idv_print_conclude(const idv_print_verdicts_t *verdicts);

#endif
