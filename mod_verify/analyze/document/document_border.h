/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_BORDER_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_BORDER_H

/*
 * Tells whether a document goes beyond one side of its photo.
 *
 * Then the photo shows three of the document's sides: a base with two corners,
 * and two legs that run into the picture's edge. A whole document close to that
 * edge differs in the last pixels of its legs: there is ground, because a side
 * or a round corner ends each leg before. Joints of tiles are not a document
 * because they continue beyond the corners. Lines of a sheet below the document
 * are not its sides because what is seen between them is too large, or too wide
 * for its machine-readable zone. Nor is a portrait, which does not contain the
 * code. The upper page of a passport may be cut.
 *
 * The result prefers no answer to a wrong one, because a wrong one costs the
 * person another photo. scripts/bench-documents measures both. A document that
 * is cut on two sides, or whose ground has its color, is not detected.
 *
 * Deterministic. Memory: nothing is kept. Threads: no state. Failures: lack of
 * memory.
 */
#include "analyze/image.h"

/* Length to height of cards and of the other travel documents (ISO/IEC 7810,
 * ID-1; ICAO Doc 9303 parts 4 and 6). */
#define IDV_DOCUMENT_RATIO_CARD 1.586
#define IDV_DOCUMENT_RATIO_PAGE 1.42

typedef struct {
    double ratio;           /* one of the above; 0: unknown */
    const idv_quad_t *zone; /* the machine-readable zone; NULL: unknown */
    const idv_point_t *code; /* the middle of its barcode; NULL: unknown */
} idv_document_border_question_t;

/* *IS_CUT is non-zero if the document on the GRAY photo goes beyond one of its
 * sides. */
idv_error_t *
idv_document_border_look(const idv_image_t *gray,
                         const idv_document_border_question_t *question,
                         int *is_cut, apr_pool_t *scratch) IDV_CHECKED;

#endif
