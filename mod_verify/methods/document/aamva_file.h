/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_FILE_H
#define IDV_METHODS_DOCUMENT_AAMVA_FILE_H

/*
 * The structure of an AAMVA payload: header, subfiles, data elements (DL/ID
 * Card Design Standard, D.12). aamva.h interprets the elements.
 *
 * Elements are found by their identifiers at the beginning of lines and not by
 * the offsets of the header, which are wrong on valid cards of several issuers.
 * Those of the jurisdictions' own subfiles (Zxx) are left out. Lines end with
 * LF or CR; on a card with neither between its elements, with a vertical bar.
 *
 * Values are UTF-8 without control characters and without blanks or commas at
 * their ends. Only aamva.c needs them in this form. Memory: the result pool,
 * personal data. Threads: pure. Failures: those of idv_aamva_parse().
 */
#include "methods/document/aamva.h"

typedef struct {
    char id[4];        /* DAQ */
    const char *value; /* may be empty */
    int is_ambiguous;  /* occurs twice, with different values */
} idv_aamva_element_t;

typedef struct {
    char issuer[7];  /* six digits */
    int version;     /* 1 to 99 */
    char subfile[3]; /* DL, ID or EN (enhanced licence): the first one */
    char line_end;   /* '|' if lines end with it; 0: only LF and CR */
    apr_array_header_t *elements; /* of idv_aamva_element_t */
} idv_aamva_file_t;

/* Splits a payload into elements; errors as idv_aamva_parse(). */
idv_error_t *idv_aamva_file_read(idv_bytes_t payload, idv_aamva_file_t **file,
                                 apr_pool_t *result) IDV_CHECKED;

/* Adds the element ID with the value printed as BYTES. A second, different
 * value makes it ambiguous. Zero if there are too many. */
int idv_aamva_add(idv_aamva_file_t *file, const char id[4], idv_bytes_t bytes,
                  apr_pool_t *pool);

/* The element; NULL: not found. */
const idv_aamva_element_t *idv_aamva_find(const idv_aamva_file_t *file,
                                          const char *id);

/* Its value; NULL if it is missing or without meaning: empty, NONE, UNAVL. */
const char *idv_aamva_value(const idv_aamva_file_t *file, const char *id);

#endif
