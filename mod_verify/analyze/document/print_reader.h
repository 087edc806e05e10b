/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PRINT_READER_H
#define IDV_ANALYZE_DOCUMENT_PRINT_READER_H

/*
 * Compares the print on a photo of a document with the data of its code.
 *
 * On a page with a zone, the part above the zone is read, as ICAO Doc 9303
 * places it in parts 4 to 7, straightened by the zone; never the zone itself,
 * or the code would be compared with itself. On a side without a code, the card
 * is cut out by its outline, or else the whole photo is read. A contradiction
 * counts only if a second look at the same place, at another size, reads the
 * same.
 *
 * Memory: the reader in its pool, the work in the scratch pool; recognized text
 * is personal data and is wiped. Threads: one photo at a time. Failures: as
 * print_ocr.h; unrecognized values are undetermined.
 */
#include "analyze/document/print_ocr.h"

typedef struct {
    const idv_image_t *gray;
    const idv_quad_t *zone;      /* on it, clockwise from its own top left;
                                    NULL: none */
    idv_document_source_t source; /* of the zone */
    int is_whole; /* flag, without a zone: read the photo as it is, do not cut
                   * out a card */
    int turns; /* without a zone: clockwise quarter turns that make the photo
                * upright */
} idv_print_side_t;

/* Non-zero if a zone of this source has print with the holder's data above
 * it. */
int idv_print_reader_knows(idv_document_source_t source);

/* The data to compare the print with. */
typedef struct {
    const idv_document_t *document;
    idv_date_t today; /* the day of reading */
    int milliseconds; /* processor time for all of it */
} idv_print_question_t;

/* Adds the results of comparing the print on SIDE with the document to
 * VERDICTS. */
idv_error_t *idv_print_reader_compare(idv_print_ocr_t *ocr,
                                      const idv_print_side_t *side,
                                      const idv_print_question_t *question,
                                      idv_print_verdicts_t *verdicts,
                                      apr_pool_t *scratch) IDV_CHECKED;

#endif
