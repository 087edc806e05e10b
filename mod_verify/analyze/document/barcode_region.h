/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_BARCODE_REGION_H
#define IDV_ANALYZE_DOCUMENT_BARCODE_REGION_H

/*
 * Finds candidate regions of stacked barcodes in a photo, and their rotation.
 *
 * A symbol is the densest pattern of edges on a card, nearly a parallelogram,
 * and most of its edges have one direction. So: edges of a reduced image,
 * averaged, split by Otsu's threshold, opened, connected; the largest areas are
 * the candidates. The result is a guess to try, never a proof. Deterministic;
 * takes a few passes over 800 x 800 pixels. Memory: results are values; the
 * work uses its own pool. Threads: no state.
 */
#include "analyze/image.h"

/* Maximum of candidates per photo. */
#define IDV_BARCODE_REGIONS_MAX 3

/* A possible symbol, in pixels of the given image, a long side on top. The
 * outline is estimated twice: from the points furthest into the corners, which
 * follows perspective, and as the tightest rectangle, which is less sensitive
 * to frayed edges. */
typedef struct {
    idv_quad_t corners;
    idv_quad_t frame;
    double likeness; /* 0 to 1: how uniform the direction of its edges is;
                        stacked bars 0.4 to 0.8, print less, straight lines
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

/* The degrees, -90 to 90, by which GRAY must be turned counter-clockwise to
 * make most of its edges vertical. */
double idv_barcode_dominant_turn(const idv_image_t *gray);

#endif
