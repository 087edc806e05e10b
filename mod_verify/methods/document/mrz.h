/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_H
#define IDV_METHODS_DOCUMENT_MRZ_H

/*
 * Machine-readable zones of ICAO Doc 9303, parts 3 to 7: TD1 and TD2 cards,
 * TD3 passports, MRV-A and MRV-B visas.
 *
 * Three steps, so that a reader of images can stop after each of them:
 *
 *   idv_mrz_text_from_lines()  are these lines an MRZ, and which layout?
 *   idv_mrz_repair()           put OCR confusions right, inside field types
 *   idv_mrz_parse()            the document, with every check and its reason
 *
 * Positions are counted from 0 (the standard counts from 1). The layout knows
 * the type of every position, which is what limits recognition (a mask for the
 * classifier) and repair. Input is that of strangers: nothing is read beyond
 * IDV_MRZ_MAX_ROWS rows of IDV_MRZ_INPUT_MAX bytes.
 *
 * Memory: idv_mrz_text_t is a value without pointers to foreign memory; wipe it
 * with its owner. Threads: layouts are constant, all functions are pure.
 */
#include "methods/document/document.h"

#define IDV_MRZ_MAX_ROWS 3
#define IDV_MRZ_MAX_COLUMNS 44
#define IDV_MRZ_MAX_REPAIRS 24
#define IDV_MRZ_INPUT_MAX 128 /* bytes of one line of input */

/* What may stand at a position. */
typedef enum {
    IDV_MRZ_ALPHA,                /* A-Z and < */
    IDV_MRZ_ALPHANUMERIC,         /* A-Z, 0-9 and < */
    IDV_MRZ_DIGIT,                /* 0-9 */
    IDV_MRZ_DIGIT_OR_FILLER,      /* 0-9 and <: dates of birth, check digits of
                                     fields that may be empty */
    IDV_MRZ_SEX,                  /* M, F and < */
    IDV_MRZ_CHARSET_COUNT
} idv_mrz_charset_t;

typedef struct idv_mrz_layout_t idv_mrz_layout_t; /* constant, see mrz.c */

/* One character that was put right. */
typedef struct {
    int row;
    int column;
    char read;     /* 0: added to a line that was too short */
    char repaired; /* 0: cut from a line that was too long */
} idv_mrz_repair_t;

/* The rows of one MRZ in the length of its layout. */
typedef struct {
    const idv_mrz_layout_t *layout;
    char rows[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS + 1]; /* NUL-terminated */
    idv_mrz_repair_t repairs[IDV_MRZ_MAX_REPAIRS];
    int repair_count;
} idv_mrz_text_t;

/* --- layouts --- */

/* The layout of COUNT lines of LENGTH characters whose first row begins with
 * DOCUMENT_CODE: V makes a visa (9303-7), anything else a card or a passport.
 * NULL: no such layout. */
const idv_mrz_layout_t *idv_mrz_layout_find(int count, int length,
                                            char document_code);
idv_document_source_t idv_mrz_layout_source(const idv_mrz_layout_t *layout);
int idv_mrz_layout_rows(const idv_mrz_layout_t *layout);
int idv_mrz_layout_columns(const idv_mrz_layout_t *layout);

/* The type of a position inside the layout. */
idv_mrz_charset_t idv_mrz_charset_at(const idv_mrz_layout_t *layout, int row,
                                     int column);

/* Non-zero when C belongs to the set. */
int idv_mrz_charset_has(idv_mrz_charset_t charset, char c);

/* All characters of the set, as a mask for recognition. */
const char *idv_mrz_charset_members(idv_mrz_charset_t charset);

/* --- check digits (9303-3, 4.9: weights 7 3 1, < is 0, A is 10) --- */

/* The check digit '0' to '9' of LENGTH characters; 0 when one of them is none
 * of the MRZ's. */
char idv_mrz_check_digit(const char *text, apr_size_t length);

/* How many of the check digits are wrong: 0 when all agree. An optional check
 * digit that the issuer left out (<, TD3 with empty optional data) agrees. */
int idv_mrz_wrong_check_digits(const idv_mrz_text_t *text);

/* --- from lines to a document --- */

/* Takes 2 or 3 lines as OCR gave them, blanks anywhere ignored. A line that
 * ends in fillers may miss up to four of them or have as many too many; this is
 * recorded as a repair. `parameter_invalid`, without the text, when the lines
 * have no layout or a character is not of the MRZ (9303-3, 4.3). */
idv_error_t *idv_mrz_text_from_lines(const char *const *lines, int count,
                                     idv_mrz_text_t *text,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Puts confusions of OCR right (0/O, 1/I, 2/Z, 5/S, 8/B and the like):
 * - a letter where only digits may stand, a digit where only letters may;
 * - K, S, X, C, E, L for a filler in the tail of the name field;
 * - one single character of the document number or optional data, when exactly
 *   one exchange makes all check digits agree.
 * All or nothing: if a check digit still disagrees afterwards, or there were
 * more than IDV_MRZ_MAX_REPAIRS, TEXT stays as it was and the result is 0;
 * non-zero means that all check digits agree now. */
int idv_mrz_repair(idv_mrz_text_t *text);

/* The document. Never repairs anything. Wrong check digits, characters, codes
 * and dates are checks that did not pass, not errors. NOW settles centuries: a
 * birth lies in the past, in the latest year that does; an expiry from 30 years
 * before to 50 years after (9303-3, 4.8, leaves both to the reader). A date of
 * birth may be open in part or in whole, and the nationality of a resident may
 * be blank; neither is a failure here. */
idv_error_t *idv_mrz_parse(const idv_mrz_text_t *text, idv_time_t now,
                           idv_document_t **document,
                           apr_pool_t *result) IDV_CHECKED;

#endif
