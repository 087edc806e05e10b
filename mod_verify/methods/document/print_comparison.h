/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_PRINT_COMPARISON_H
#define IDV_METHODS_DOCUMENT_PRINT_COMPARISON_H

/*
 * Whether the print on the front of a document says what its code says.
 *
 * What recognition makes of print is far from what is printed: words are broken,
 * joined and misread, and labels stand between them. So nothing is read out of it.
 * The values of the code are searched for, with the tolerance that they allow:
 *
 * - A name by its letters alone, without marks, and as zones write what is not of A
 *   to Z (ICAO Doc 9303-3, 6: AE or A); one letter in five may differ, none of
 *   a name of four letters or fewer.
 * - A number by its letters and digits, where what looks alike counts as the same
 *   (O and 0, I and 1); of nine or more, one that was read with doubt may differ.
 * - A date in any order, with two or four digits for the year or the name of the
 *   month in the languages of months.def. No digit may differ.
 *
 * A value that is not found says nothing: it may be printed and not recognized, or
 * on the other side. A field is contradicted only by a value that was recognized well
 * and can be nothing else: a date that lies too far back for an issue and is not
 * the day of birth, or one to come that is not the expiry; a number of letters and
 * digits in the very pattern of the document's own. Names are told from other words
 * by nothing, so they are never contradicted.
 *
 * Agreement is no proof: who makes a code can print the same. Contradiction is a
 * reason to look: issuers make mistakes, and recognition does.
 *
 * Memory: none; the scratch is on the stack. Threads: pure. Failures: none.
 */
#include "methods/document/document.h"

/* What of a document is searched for on its front. */
#define IDV_PRINT_FIELDS(X)                                                    \
    X(SURNAME, "surname")                                                      \
    X(GIVEN_NAMES, "given_names")                                              \
    X(NUMBER, "number")                                                        \
    X(DATE_OF_BIRTH, "date_of_birth")                                          \
    X(DATE_OF_ISSUE, "date_of_issue")                                          \
    X(DATE_OF_EXPIRY, "date_of_expiry")

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

/* The limits of what is looked at; words beyond are left out. */
#define IDV_PRINT_WORDS_MAX 400
#define IDV_PRINT_WORD_MAX 64 /* bytes */

/* A word as it was recognized. */
typedef struct {
    char text[IDV_PRINT_WORD_MAX]; /* UTF-8, as far as the recognizer writes it */
    double confidence;             /* 0 to 1 */
    int line; /* words of the same number stand side by side, in their order */
    int left, top, width, height; /* pixels of the picture that was read */
} idv_print_word_t;

/* All zero: nothing was recognized. */
typedef struct {
    idv_print_word_t at[IDV_PRINT_WORDS_MAX];
    int count;
} idv_print_words_t;

/* What was concluded of each field. */
typedef struct {
    idv_print_verdict_t of[IDV_PRINT_FIELD_COUNT];
    unsigned dates; /* bits of what was read with four digits of the year, where
                     * the code leaves the century of the birth open; known to
                     * the reader alone */
} idv_print_verdicts_t;

/* The later and the earlier date of birth, and another date that may be the one of
 * the issue. */
#define IDV_PRINT_SAW_LATER 1u
#define IDV_PRINT_SAW_EARLIER 2u
#define IDV_PRINT_SAW_ISSUE 4u

/* The words that contradict a field. */
typedef struct {
    int first, count; /* of the words; count 0: none */
} idv_print_span_t;

typedef struct {
    idv_print_verdicts_t verdicts;
    idv_print_span_t against[IDV_PRINT_FIELD_COUNT]; /* of what is CONTRADICTED */
} idv_print_comparison_t;

/* The codes of the lists; the reverse gives -1 for text that is no code. */
const char *idv_print_field_code(idv_print_field_t field);
const char *idv_print_verdict_code(idv_print_verdict_t verdict);
int idv_print_verdict_find(const char *code);

/* Compares WORDS with DOCUMENT, which is read on the date TODAY. */
void idv_print_compare(const idv_document_t *document,
                       const idv_print_words_t *words, idv_date_t today,
                       idv_print_comparison_t *comparison);

/* Adds what another look or another side has found: a field that agrees there is
 * consistent, whatever the first look made of it. */
void idv_print_add(idv_print_verdicts_t *all, const idv_print_verdicts_t *one);

/* Settles the century of the birth of DOCUMENT, which the print decides where it
 * shows one of the two dates alone. A birth of this century is told from an issue
 * on the same day by another date that may be the issue. */
void idv_print_settle_birth(const idv_print_verdicts_t *verdicts,
                            idv_document_t *document);

/* What the fields come to: CONTRADICTED when one of them is; CONSISTENT when the
 * surname and the day of birth agree and, besides, the number or the expiry;
 * else UNDETERMINED. */
idv_print_verdict_t idv_print_conclude(const idv_print_verdicts_t *verdicts);

#endif
