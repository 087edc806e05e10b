/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_OUTLINE_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_OUTLINE_H

/*
 * Finds possible outlines of a document on a photo, so that it can be cut out:
 * its surroundings, such as printed paper or tiles, mislead the search for
 * lines of text.
 *
 * The sides of a document are straight edges that end where the next side
 * begins. So: of all quadrilaterals formed by four strong lines (image_lines.h),
 * those with an edge under every side and none beyond the corners. Joints of
 * tiles and lines of print continue beyond.
 *
 * The result is a guess to try, never a proof. If there is none, use the middle
 * of the photo, where photographers aim. Deterministic; takes a few passes over
 * 320 x 320 pixels. Memory: outlines are values. Threads: no state.
 */
#include "analyze/image.h"

/* Maximum of outlines per photo. */
#define IDV_DOCUMENT_OUTLINES_MAX 2

typedef struct {
    idv_quad_t corners; /* pixels of the image, a longer side first */
    double support;     /* 0 to 1: how far the sides have an edge under them and
                           none beyond */
} idv_document_outline_t;

typedef struct {
    idv_document_outline_t at[IDV_DOCUMENT_OUTLINES_MAX];
    int count; /* the likeliest first */
} idv_document_outlines_t;

/* The outlines in the GRAY image of a photo. */
idv_error_t *idv_document_outlines_find(const idv_image_t *gray,
                                        idv_document_outlines_t *outlines,
                                        apr_pool_t *scratch) IDV_CHECKED;

/* *VIEW is a straightened view of OUTLINE and a little of its surroundings, its
 * longer side at most about MOST pixels; *WARP describes it. NULL if it would
 * be too small to show anything. */
idv_error_t *idv_document_outline_cut(const idv_image_t *gray,
                                      const idv_document_outline_t *outline,
                                      int most, idv_warp_t *warp,
                                      idv_image_t **view,
                                      apr_pool_t *pool) IDV_CHECKED;

/* *VIEW is a copy of the middle of GRAY, SHARE of each side; *WARP is its
 * position. */
idv_error_t *idv_document_middle_cut(const idv_image_t *gray, double share,
                                     idv_warp_t *warp, idv_image_t **view,
                                     apr_pool_t *pool) IDV_CHECKED;

#endif
