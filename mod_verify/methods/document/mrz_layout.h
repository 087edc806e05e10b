/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_MRZ_LAYOUT_H
#define IDV_METHODS_DOCUMENT_MRZ_LAYOUT_H

/*
 * Where each field of an MRZ stands: the tables of ICAO Doc 9303-4 (TD3), -5
 * (TD1), -6 (TD2) and -7 (MRV-A, MRV-B), and what its check digits cover.
 *
 * For the files of mrz*.c only; others use mrz.h. Constant data.
 */
#include "methods/document/mrz.h"

typedef enum {
    IDV_MRZ_FIELD_CODE,
    IDV_MRZ_FIELD_ISSUER,
    IDV_MRZ_FIELD_NAMES,
    IDV_MRZ_FIELD_NUMBER,
    IDV_MRZ_FIELD_NUMBER_CHECK,
    IDV_MRZ_FIELD_NATIONALITY,
    IDV_MRZ_FIELD_BIRTH,
    IDV_MRZ_FIELD_BIRTH_CHECK,
    IDV_MRZ_FIELD_SEX,
    IDV_MRZ_FIELD_EXPIRY,
    IDV_MRZ_FIELD_EXPIRY_CHECK,
    IDV_MRZ_FIELD_OPTIONAL,       /* TD1: of the first row */
    IDV_MRZ_FIELD_OPTIONAL_CHECK, /* TD3 only */
    IDV_MRZ_FIELD_OPTIONAL_2,     /* TD1 only: of the second row */
    IDV_MRZ_FIELD_COMPOSITE_CHECK,
    IDV_MRZ_FIELD_COUNT
} idv_mrz_field_name_t;

/* A run of positions in one row; a length of 0: the layout has none. */
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
    char has_long_numbers; /* a number may go on in the optional data */
    idv_mrz_field_t fields[IDV_MRZ_FIELD_COUNT];
    idv_mrz_field_t composite[IDV_MRZ_COMPOSITE_SPANS];
};

/* The check digits, as bits. */
typedef enum {
    IDV_MRZ_DIGIT_NUMBER = 1,
    IDV_MRZ_DIGIT_BIRTH = 2,
    IDV_MRZ_DIGIT_EXPIRY = 4,
    IDV_MRZ_DIGIT_OPTIONAL = 8,
    IDV_MRZ_DIGIT_COMPOSITE = 16
} idv_mrz_digit_t;

/* The first character of a field. */
const char *idv_mrz_field(const idv_mrz_text_t *text,
                          idv_mrz_field_name_t name);

/* The document number with its continuation, NUL-terminated and with fillers,
 * and the digit that checks it. */
#define IDV_MRZ_NUMBER_SIZE 32
char idv_mrz_number(const idv_mrz_text_t *text,
                    char number[IDV_MRZ_NUMBER_SIZE]);

/* The check digits of the layout, and those of them that are wrong. */
unsigned idv_mrz_digits_present(const idv_mrz_layout_t *layout);
unsigned idv_mrz_digits_wrong(const idv_mrz_text_t *text);

#endif
