/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_AAMVA_DATA_H
#define IDV_METHODS_DOCUMENT_AAMVA_DATA_H

/*
 * The data elements of an AAMVA card, by their identifiers: aamva_file.h and
 * aamva_tracks.h fill them, aamva.h interprets them.
 *
 * Values are UTF-8 without control characters and without blanks or commas at
 * their ends. Memory: the result pool, personal data. Threads: pure. Failures:
 * none.
 */
#include <apr_tables.h>

#include "core/crypto.h"

#define IDV_AAMVA_MAX_ELEMENTS 128

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
