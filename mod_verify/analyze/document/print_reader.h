/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PRINT_READER_H
#define IDV_ANALYZE_DOCUMENT_PRINT_READER_H

/*
 * The print on a photo of a document, held against what was read of its code.
 *
 * Of a page with a zone, that which stands above the zone is looked at, as ICAO Doc
 * 9303 has it in parts 4 to 7, straightened by the zone; never the zone itself, or the
 * code would be found to agree with itself. Of a side without a code, the card is cut
 * out by its outline, or else the whole photo is looked at. What contradicts the code
 * counts only when a second look at the same place, at another size, reads the same.
 *
 * Memory: the reader in its pool, the work in the scratch pool; what was recognized is
 * personal data and is wiped. Threads: one photo at a time. Failures: as
 * print_ocr.h; what cannot be recognized is undetermined.
 */
#include "analyze/document/print_ocr.h"

typedef struct {
    const idv_image_t *gray;
    const idv_quad_t *zone;      /* on it, clockwise from its own top left; NULL:
                                    there is none */
    idv_document_source_t source; /* of the zone */
    int is_whole; /* without a zone: look at the photo as it is and cut out no card */
    int turns; /* without a zone: quarters clockwise that make the photo upright */
} idv_print_side_t;

/* Non-zero when print with the holder's data stands above the zone of this
 * source. */
int idv_print_reader_knows(idv_document_source_t source);

/* What it is held against. */
typedef struct {
    const idv_document_t *document;
    idv_date_t today; /* when it is read */
    int milliseconds; /* of processor time, for all of it */
} idv_print_question_t;

/* Adds to VERDICTS what the print on SIDE says about the document. */
idv_error_t *idv_print_reader_compare(idv_print_ocr_t *ocr,
                                      const idv_print_side_t *side,
                                      const idv_print_question_t *question,
                                      idv_print_verdicts_t *verdicts,
                                      apr_pool_t *scratch) IDV_CHECKED;

#endif
