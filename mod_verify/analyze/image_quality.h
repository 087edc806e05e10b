/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_QUALITY_H
#define IDV_ANALYZE_IMAGE_QUALITY_H

/*
 * What is wrong with a photo, for the person who takes the next one.
 *
 * Measured on the image reduced to a long side of 1,000 pixels, so that
 * figures are comparable; a sharp image of less than 1,430 pixels, which is not
 * averaged on the way, measures up to a quarter more. Sharpness is the variance
 * of the Laplacian in each of 8 x 8 tiles, and of these the 90th percentile: a
 * plain background does not count. Photos of documents that were in focus have
 * 550 and more, clearly blurred ones less than 430. Glare is the share of pixels
 * in colourless saturated blobs of more than 0.05 % of the image; white paper in
 * strong light has it too, so it is a hint and nothing else.
 *
 * Memory: figures are values, the work is done in the scratch pool. Threads: no
 * state. Failures: lack of memory alone.
 */
#include "analyze/image.h"

typedef struct {
    double sharpness;
    double glare;      /* 0 to 1 */
    double brightness; /* mean, 0 to 255 */
} idv_image_quality_t;

/* Measures an RGB image; all zero when it has less than 64 pixels a side. */
idv_error_t *idv_image_quality_measure(const idv_image_t *rgb,
                                       idv_image_quality_t *quality,
                                       apr_pool_t *scratch) IDV_CHECKED;

/* *IS_SAME becomes non-zero when the gray images A and B are one picture, in
 * whatever file format, quality or size; what was photographed twice is not.
 * Compared is the fine structure: the correlation of what remains of both, in a
 * common size, when their blurred selves are taken away. */
idv_error_t *idv_image_is_same_picture(const idv_image_t *a,
                                       const idv_image_t *b, int *is_same,
                                       apr_pool_t *scratch) IDV_CHECKED;

#endif
