/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_PRINT_WORDS_H
#define IDV_METHODS_DOCUMENT_PRINT_WORDS_H

/*
 * The recognized words on the front of a document, and the search for values
 * among them.
 *
 * - A name is found by its letters only, without diacritics, and in the
 *   spelling of machine-readable zones (ICAO Doc 9303-3, 6: AE or A). One
 *   letter in five may differ, but none in a name of four letters or fewer.
 * - A number is found by its letters and digits. Characters that look alike are
 *   equal (O and 0, I and 1). In a number of nine or more characters that was
 *   recognized with low confidence, one may differ.
 *
 * Memory: none; the scratch space is on the stack. Threads: pure. Failures:
 * none.
 */

/* Limits of the search; further words are ignored. */
#define IDV_PRINT_WORDS_MAX 400
#define IDV_PRINT_WORD_MAX 64 /* bytes */

/* A recognized word. */
typedef struct {
    char text[IDV_PRINT_WORD_MAX]; /* UTF-8, as far as the recognizer's output
                                    * is */
    double confidence;             /* 0 to 1 */
    int line; /* words with the same number are side by side, in order */
    int left, top, width, height; /* pixels of the picture that was read */
} idv_print_word_t;

/* All zero: no words. */
typedef struct {
    idv_print_word_t at[IDV_PRINT_WORDS_MAX];
    int count;
} idv_print_words_t;

/* Neighbouring words, by their index. COUNT 0: none. */
typedef struct {
    int first, count;
} idv_print_span_t;

/* The next character of *TEXT as a capital A to Z or a digit; a space for
 * anything else, 0 at the end. */
char idv_print_next_plain(const char **text);

/* The letter or digit that C looks like; else C. */
char idv_print_as_letter(char c);
char idv_print_as_digit(char c);

/* The minimum confidence of a word that was recognized well. */
#define IDV_PRINT_CONFIDENCE_WELL 0.8

/* Non-zero if NAME is among WORDS. With ONLY_FIRST the first word of the name
 * suffices. */
int idv_print_has_name(const idv_print_words_t *words, const char *name,
                       int only_first);

/* 1: NUMBER is among WORDS. -1: another number of the same pattern is, in
 * *AGAINST. 0: neither. */
int idv_print_seek_number(const idv_print_words_t *words, const char *number,
                          idv_print_span_t *against);

#endif
