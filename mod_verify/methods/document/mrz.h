/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_H
#define IDV_METHODS_DOCUMENT_MRZ_H

/*
 * Machine-readable zones of ICAO Doc 9303, parts 3 to 7: TD1 and TD2 cards,
 * TD3 passports, MRV-A and MRV-B visas.
 *
 * Layouts and check digits are for the readers of images, which make an
 * idv_mrz_text_t (analyze/mrz_agreement.h); idv_mrz_parse() makes the document
 * of it, with every check and its reason.
 *
 * Positions are counted from 0 (the standard counts from 1). The layout knows
 * the type of every position, which is what limits recognition.
 *
 * Memory: idv_mrz_text_t is a value without pointers to foreign memory; wipe it
 * with its owner. Threads: layouts are constant, all functions are pure.
 */
#include "methods/document/document.h"

#define IDV_MRZ_MAX_ROWS 3
#define IDV_MRZ_MAX_COLUMNS 44
#define IDV_MRZ_MAX_REPAIRS 2

/* What may stand at a position. */
typedef enum {
    IDV_MRZ_ALPHA,                /* A-Z and < */
    IDV_MRZ_ALPHANUMERIC,         /* A-Z, 0-9 and < */
    IDV_MRZ_DIGIT,                /* 0-9 */
    IDV_MRZ_DIGIT_OR_FILLER,      /* 0-9 and <: dates of birth, check digits of
                                   * fields that may be empty */
    IDV_MRZ_SEX,                  /* M, F and < */
    IDV_MRZ_CHARSET_COUNT
} idv_mrz_charset_t;

typedef struct idv_mrz_layout_t idv_mrz_layout_t; /* see mrz_layout.c */

/* A place at which the readers differed. */
typedef struct {
    int row;
    int column;
    char read;     /* what was turned down */
    char repaired; /* what stands there */
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

/* --- check digits (9303-3, 4.9: weights 7 3 1, < is 0, A is 10) --- */

/* The check digit '0' to '9' of LENGTH characters; 0 when one of them is none
 * of the MRZ's. */
char idv_mrz_check_digit(const char *text, apr_size_t length);

/* How many of the check digits are wrong: 0 when all agree. An optional check
 * digit that the issuer left out (<, TD3 with empty optional data) agrees. */
int idv_mrz_wrong_check_digits(const idv_mrz_text_t *text);

/* --- the document --- */

/* The document of TEXT. Wrong check digits, characters, codes and dates are
 * checks that did not pass, not errors. NOW settles centuries: a birth lies in
 * the past, in the latest year that does; an expiry from 30 years before to 50
 * years after (9303-3, 4.8, leaves both to the reader). A date of birth may be
 * open in part or in whole, and the nationality of a resident may be blank;
 * neither is a failure here. */
idv_error_t *idv_mrz_parse(const idv_mrz_text_t *text, idv_time_t now,
                           idv_document_t **document,
                           apr_pool_t *result) IDV_CHECKED;

#endif
