/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_FILE_H
#define IDV_METHODS_DOCUMENT_AAMVA_FILE_H

/*
 * The structure of an AAMVA payload: header, subfiles, data elements (DL/ID
 * Card Design Standard, D.12). What the elements mean is told by
 * aamva.h.
 *
 * Elements are found by their identifiers at the beginning of lines and not by
 * the offsets of the header, which are wrong on valid cards of several issuers.
 * Those of the jurisdictions' own subfiles (Zxx) are left out. Lines end with LF
 * or CR; on a card that has neither between its elements, with a vertical bar.
 *
 * Values are UTF-8 without control characters and without blanks or commas at
 * their ends. Nobody but aamva.c needs them so. Memory: the result pool, personal
 * data. Threads: pure. Failures: those of idv_aamva_parse().
 */
#include "methods/document/aamva.h"

typedef struct {
    char id[4];        /* DAQ */
    const char *value; /* may be empty */
    int is_ambiguous;  /* stands twice, with different values */
} idv_aamva_element_t;

typedef struct {
    char issuer[7];  /* six digits */
    int version;     /* 1 to 99 */
    char subfile[3]; /* DL, ID or EN (enhanced licence): the first one */
    char line_end;   /* besides LF and CR: '|' or, as usual, none of its own */
    apr_array_header_t *elements; /* of idv_aamva_element_t */
} idv_aamva_file_t;

/* Takes a payload apart; errors as idv_aamva_parse(). */
idv_error_t *idv_aamva_file_read(idv_bytes_t payload, idv_aamva_file_t **file,
                                 apr_pool_t *result) IDV_CHECKED;

/* Adds the element ID with the value that BYTES are as they are printed. A
 * second one of another value makes it ambiguous. Zero when there are too many.
 */
int idv_aamva_add(idv_aamva_file_t *file, const char id[4], idv_bytes_t bytes,
                  apr_pool_t *pool);

/* The element; NULL: there is none. */
const idv_aamva_element_t *idv_aamva_find(const idv_aamva_file_t *file,
                                          const char *id);

/* Its value, NULL when there is none or it says nothing: empty, NONE, UNAVL. */
const char *idv_aamva_value(const idv_aamva_file_t *file, const char *id);

#endif
