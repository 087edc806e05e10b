/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_SCALE_H
#define IDV_ANALYZE_IMAGE_SCALE_H

/*
 * Scales images: by area (image_reduce.h) where that is possible, else with
 * leptonica, which is linked for Tesseract and takes a third of the time of
 * plain loops.
 *
 * Memory: the result lives in the pool. Threads: no state. Failures: lack of
 * memory.
 */
#include "analyze/image.h"

/* Scales a gray or RGB image by FACTOR (at least 0.02) to whole pixels, at
 * least one: mean of the area below a factor of 0.7, bilinear above it. The
 * largest decodable image is reduced by 0.07. */
idv_error_t *idv_image_scale(const idv_image_t *image, double factor,
                             idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

#endif
