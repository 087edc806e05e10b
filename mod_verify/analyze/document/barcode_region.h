/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_BARCODE_REGION_H
#define IDV_ANALYZE_DOCUMENT_BARCODE_REGION_H

/*
 * Where a photo may show a stacked barcode, and how it is turned.
 *
 * A symbol is the densest pattern of edges on a card, nearly a parallelogram,
 * and most of its edges run one way. So: edges of a reduced image, averaged,
 * split by Otsu's threshold, opened, connected; the largest areas are the
 * candidates. This is a guess to be tried, never a proof. Deterministic; time
 * is that of a few passes over 800 x 800 pixels. Memory: results are values,
 * the work is done in a pool of its own. Threads: no state.
 */
#include "analyze/image.h"

/* Candidates of one photo at most. */
#define IDV_BARCODE_REGIONS_MAX 3

/* Where a symbol may stand, in pixels of the given image, the long side on top.
 * The outline is guessed in two ways: by the points that reach furthest into the
 * corners, which follows perspective, and by the tightest rectangle, which a
 * frayed edge misleads less. */
typedef struct {
    idv_quad_t corners;
    idv_quad_t frame;
    double likeness; /* 0 to 1: how far its edges run one way; those of stacked
                        bars 0.4 to 0.8, of print less, of straight lines
                        more */
    double share;    /* of the image's pixels */
} idv_barcode_region_t;

typedef struct {
    idv_barcode_region_t at[IDV_BARCODE_REGIONS_MAX];
    int count;
} idv_barcode_regions_t;

/* The candidates in GRAY, the most promising first. */
idv_error_t *idv_barcode_regions_find(const idv_image_t *gray,
                                      idv_barcode_regions_t *regions,
                                      apr_pool_t *pool) IDV_CHECKED;

/* By how many degrees, -90 to 90, GRAY must be turned counter-clockwise for
 * most of its edges to be vertical. */
double idv_barcode_dominant_turn(const idv_image_t *gray);

#endif
