/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_QUALITY_H
#define IDV_ANALYZE_IMAGE_QUALITY_H

/*
 * Measures the quality of a photo, so that the person can take a better one.
 *
 * Measured on the image reduced to a long side of 1,000 pixels, so that figures
 * are comparable; a sharp image of less than 1,430 pixels, which is not
 * averaged on the way, measures up to a quarter more. Sharpness is the variance
 * of the Laplacian in each of 8 x 8 tiles, and of these the 90th percentile, so
 * that a plain background does not count. Photos of documents in focus have 550
 * and more, clearly blurred ones less than 430. Glare is the share of pixels in
 * colourless saturated blobs of more than 0.05 % of the image; blobs that reach
 * the edge or cover a quarter are white paper and do not count. Structure
 * distinguishes an empty table from a blurred document: its contrast, on a
 * scale on which blur does not matter.
 *
 * Memory: figures are values, the work is done in the scratch pool. Threads: no
 * state. Failures: only lack of memory.
 */
#include "analyze/image.h"

typedef struct {
    double sharpness;
    double glare;      /* 0 to 1 */
    double brightness; /* mean, 0 to 255 */
    double structure;  /* levels of brightness, 0 to 255 */
} idv_image_quality_t;

/* The limits of a photo on which nothing was read: X(name, value). Defined only
 * here; the warnings of a page before it sends should use the same figures. */
#define IDV_IMAGE_LIMITS(X)                                                    \
    X(SHARPNESS_LEAST, 480)  /* below: blurred */                              \
    X(GLARE_MOST, 0.01)      /* above: a reflection */                         \
    X(BRIGHTNESS_LEAST, 45)  /* below: too dark */                             \
    X(STRUCTURE_LEAST, 9)    /* below: nothing is there */                     \
    X(LONGER_SIDE_LEAST, 600) /* pixels of the file; below: too small */      \
    X(PITCH_LEAST, 11) /* pixels from glyph to glyph of a zone that was seen; \
                          below: too far away */

#define X(name, value) static const double IDV_IMAGE_##name = value;
IDV_IMAGE_LIMITS(X)
#undef X

/* Measures an RGB image; all zero if it has less than 64 pixels a side. */
idv_error_t *idv_image_quality_measure(const idv_image_t *rgb,
                                       idv_image_quality_t *quality,
                                       apr_pool_t *scratch) IDV_CHECKED;

/* *IS_SAME becomes non-zero if the gray images A and B are one picture, in
 * whatever file format, quality or size; two photographs of one thing are not.
 * The fine structure is compared: the correlation of both, in a common size,
 * minus their blurred versions. */
idv_error_t *idv_image_is_same_picture(const idv_image_t *a,
                                       const idv_image_t *b, int *is_same,
                                       apr_pool_t *scratch) IDV_CHECKED;

#endif
