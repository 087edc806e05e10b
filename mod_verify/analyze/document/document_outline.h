/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_OUTLINE_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_OUTLINE_H

/*
 * Where a document may lie on a photo, so that it can be looked at alone: what
 * surrounds it, such as printed paper or tiles, misleads who looks for lines of
 * text.
 *
 * The sides of a document are straight edges that end where the next side begins.
 * So: edges of a reduced image, a Hough transform that knows the direction of each
 * edge (Duda and Hart, "Use of the Hough Transformation to Detect Lines and Curves
 * in Pictures", 1972), the strongest lines, and of all quadrilaterals that four of
 * them make those with an edge under every side and none beyond the corners. The
 * joints of tiles and lines of print go on beyond.
 *
 * This is a guess to be tried, never a proof; where there is none, the middle of
 * the photo is what a photographer aims at. Deterministic; the time is that of a
 * few passes over 320 x 320 pixels. Memory: outlines are values. Threads: no state.
 */
#include "analyze/image.h"

/* Outlines of one photo at most. */
#define IDV_DOCUMENT_OUTLINES_MAX 2

typedef struct {
    idv_quad_t corners; /* pixels of the image, a longer side first */
    double support;     /* 0 to 1: how far there is an edge under the sides, and
                           none beyond them */
} idv_document_outline_t;

typedef struct {
    idv_document_outline_t at[IDV_DOCUMENT_OUTLINES_MAX];
    int count; /* the likeliest first */
} idv_document_outlines_t;

/* The outlines in the GRAY image of a photo. */
idv_error_t *idv_document_outlines_find(const idv_image_t *gray,
                                        idv_document_outlines_t *outlines,
                                        apr_pool_t *scratch) IDV_CHECKED;

/* *VIEW shows what lies within OUTLINE and a little around it as if seen from
 * straight above, its longer side about MOST pixels at most, and *WARP is how;
 * NULL when that would be too small to show anything. */
idv_error_t *idv_document_outline_cut(const idv_image_t *gray,
                                      const idv_document_outline_t *outline,
                                      int most, idv_warp_t *warp,
                                      idv_image_t **view,
                                      apr_pool_t *pool) IDV_CHECKED;

/* *VIEW is a copy of the middle of GRAY, SHARE of each side, and *WARP is where it
 * was. */
idv_error_t *idv_document_middle_cut(const idv_image_t *gray, double share,
                                     idv_warp_t *warp, idv_image_t **view,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
