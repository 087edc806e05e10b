/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_LAYOUT_H
#define IDV_METHODS_DOCUMENT_MRZ_LAYOUT_H

/*
 * The layouts of machine-readable zones: the positions of the fields, their
 * character sets and the coverage of the check digits. The tables follow the
 * data structure of the zone in ICAO Doc 9303-4 (TD3, passports), 9303-5 (TD1)
 * and 9303-6 (TD2, cards), 9303-7 (MRV-A and MRV-B, visas); check digits follow
 * 9303-3, 4.9. One more layout is not ICAO's: that of the identity cards that
 * France issued from 1988 until 2021, which are valid for up to 15 years.
 *
 *   IDFRASPECIMENNE<<<<<<<<<<<<<<<075034    surname (25), office of issue (6,
 *                                           which older cards lack)
 *   1806750012347ALIX<<MARIE<<<9007150F5    number (12, from YYMM of the issue),
 *                                           its digit, given names (14), birth
 *                                           and its digit, sex, digit of all
 *
 * Source: "Carte nationale d'identité sécurisée" in the French and "National
 * identity card (France)" in the English Wikipedia, section on the machine-
 * readable zone. It has neither a nationality, since only nationals get one,
 * nor an expiry, which follows from the issue: ten years, or 15 for adults at
 * an issue from 2 January 2004 on (décret 2013-1188).
 *
 * The readers of images produce an idv_mrz_text_t, with the characters that the
 * layout allows in each place; mrz.h turns it into a document. Positions are
 * counted from 0 (the standard counts from 1).
 *
 * Memory: idv_mrz_text_t is a value without pointers to foreign memory; wipe it
 * with its owner. Threads: layouts are constant, all functions are pure.
 * Nothing fails.
 */
#include "methods/document/document.h"

#define IDV_MRZ_MAX_ROWS 3
#define IDV_MRZ_MAX_COLUMNS 44
#define IDV_MRZ_MAX_REPAIRS 2

/* The character set of a position. */
typedef enum {
    IDV_MRZ_ALPHA,                /* A-Z and < */
    IDV_MRZ_ALPHANUMERIC,         /* A-Z, 0-9 and < */
    IDV_MRZ_DIGIT,                /* 0-9 */
    IDV_MRZ_DIGIT_OR_FILLER,      /* 0-9 and <: dates of birth, check digits of
                                   * fields that may be empty */
    IDV_MRZ_SEX,                  /* M, F and < */
    IDV_MRZ_SEX_OF_CARD,          /* also H: Mexico's hombre, and M its mujer */
    IDV_MRZ_CHARSET_COUNT
} idv_mrz_charset_t;

typedef struct idv_mrz_layout_t idv_mrz_layout_t;

/* A place where the readers differed. */
typedef struct {
    int row;
    int column;
    char read;     /* the rejected character */
    char repaired; /* the character in the text */
} idv_mrz_repair_t;

/* The rows of one MRZ in the length of its layout. */
typedef struct {
    const idv_mrz_layout_t *layout;
    char rows[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS + 1]; /* NUL-terminated */
    idv_mrz_repair_t repairs[IDV_MRZ_MAX_REPAIRS];
    int repair_count;
} idv_mrz_text_t;

/* --- fields --- */

typedef enum {
    IDV_MRZ_FIELD_CODE,
    IDV_MRZ_FIELD_ISSUER,
    IDV_MRZ_FIELD_NAMES,          /* France: only the surname ... */
    IDV_MRZ_FIELD_GIVEN_NAMES,    /* ... and the given names */
    IDV_MRZ_FIELD_NUMBER,
    IDV_MRZ_FIELD_NUMBER_CHECK,
    IDV_MRZ_FIELD_NATIONALITY,
    IDV_MRZ_FIELD_BIRTH,
    IDV_MRZ_FIELD_BIRTH_CHECK,
    IDV_MRZ_FIELD_SEX,
    IDV_MRZ_FIELD_EXPIRY,
    IDV_MRZ_FIELD_EXPIRY_CHECK,
    IDV_MRZ_FIELD_OPTIONAL,       /* TD1: in the first row */
    IDV_MRZ_FIELD_OPTIONAL_CHECK, /* TD3 only */
    IDV_MRZ_FIELD_OPTIONAL_2,     /* TD1 only: in the second row */
    IDV_MRZ_FIELD_COMPOSITE_CHECK,
    IDV_MRZ_FIELD_COUNT
} idv_mrz_field_name_t;

/* A run of positions in one row; length 0: not in the layout. */
typedef struct {
    int row;
    int column;
    int length;
    idv_mrz_charset_t charset;
} idv_mrz_field_t;

#define IDV_MRZ_COMPOSITE_SPANS 4

struct idv_mrz_layout_t {
    idv_document_source_t source;
    int rows;
    int columns;
    char is_visa;
    char has_long_numbers; /* flag: a number may continue in the optional
                            * data */
    const char *beginning; /* of a state's own layout; NULL: an ICAO layout */
    idv_mrz_field_t fields[IDV_MRZ_FIELD_COUNT];
    idv_mrz_field_t composite[IDV_MRZ_COMPOSITE_SPANS];
};

/* --- layouts --- */

/* The layout of COUNT lines of LENGTH characters whose first row begins with
 * DOCUMENT_CODE: V is a visa (9303-7), anything else a card or a passport.
 * NULL: no such layout. */
const idv_mrz_layout_t *idv_mrz_layout_find(int count, int length,
                                            char document_code);

/* A state's own layout of the shape of LAYOUT; NULL: there is none, or LAYOUT
 * is it. */
const idv_mrz_layout_t *idv_mrz_layout_of_state(const idv_mrz_layout_t *layout);

/* The layout of the zones that are a SOURCE; NULL: it is not a zone. */
const idv_mrz_layout_t *idv_mrz_layout_of_source(idv_document_source_t source);

/* The layout, of the shape of LAYOUT, of a zone whose first row is ROW. */
const idv_mrz_layout_t *idv_mrz_layout_for(const idv_mrz_layout_t *layout,
                                           const char *row);
idv_document_source_t idv_mrz_layout_source(const idv_mrz_layout_t *layout);
int idv_mrz_layout_rows(const idv_mrz_layout_t *layout);
int idv_mrz_layout_columns(const idv_mrz_layout_t *layout);

/* The character set of a position inside the layout. */
idv_mrz_charset_t idv_mrz_charset_at(const idv_mrz_layout_t *layout, int row,
                                     int column);

/* Non-zero if C is in the set. */
int idv_mrz_charset_has(idv_mrz_charset_t charset, char c);

/* --- fields of a text --- */

/* The first character of a field. */
const char *idv_mrz_field(const idv_mrz_text_t *text,
                          idv_mrz_field_name_t name);

/* The document number with its continuation, NUL-terminated and with fillers;
 * returns its check digit. */
#define IDV_MRZ_NUMBER_SIZE 32
char idv_mrz_number(const idv_mrz_text_t *text,
                    char number[IDV_MRZ_NUMBER_SIZE]);

/* --- check digits (9303-3, 4.9: weights 7 3 1, < is 0, A is 10) --- */

/* The check digit '0' to '9' of LENGTH characters; 0 if one of them is not an
 * MRZ character. */
char idv_mrz_check_digit(const char *text, apr_size_t length);

/* The number of wrong check digits. An optional check digit that the issuer
 * left out (<, TD3 with empty optional data) is not wrong. */
int idv_mrz_wrong_check_digits(const idv_mrz_text_t *text);

/* The check digits, as bits. */
typedef enum {
    IDV_MRZ_DIGIT_NUMBER = 1,
    IDV_MRZ_DIGIT_BIRTH = 2,
    IDV_MRZ_DIGIT_EXPIRY = 4,
    IDV_MRZ_DIGIT_OPTIONAL = 8,
    IDV_MRZ_DIGIT_COMPOSITE = 16
} idv_mrz_digit_t;

/* The check digits of the layout, and the wrong ones of a text. */
unsigned idv_mrz_digits_present(const idv_mrz_layout_t *layout);
unsigned idv_mrz_digits_wrong(const idv_mrz_text_t *text);

#endif
