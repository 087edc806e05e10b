/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_REDUCE_H
#define IDV_ANALYZE_IMAGE_REDUCE_H

/*
 * Reduces an image by area: each pixel of the result is the mean of the area
 * below it, to a sixteenth of a pixel. Every photo is reduced several times, so
 * this is optimized: rows are summed up first, all columns side by side, then
 * the columns of the sums.
 *
 * The result equals leptonica's pixScaleAreaMap() sample for sample, which
 * t/unit/analyze_image.c verifies, so that measurements on photos remain valid.
 *
 * Memory: the result and the sums live in the pool. Threads: no state.
 * Failures: lack of memory.
 */
#include "analyze/image.h"

/* Non-zero if idv_image_reduce() supports these FACTORS. */
int idv_image_can_reduce(float across, float down);

/* IMAGE, gray or RGB, with its sides multiplied by ACROSS and DOWN. */
idv_error_t *idv_image_reduce(const idv_image_t *image, float across,
                              float down, idv_image_t **out,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
