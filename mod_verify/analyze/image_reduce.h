/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_REDUCE_H
#define IDV_ANALYZE_IMAGE_REDUCE_H

/*
 * Reduces an image by area: each pixel of the result is the mean of what lies below
 * it, to a sixteenth of a pixel. Every photo is reduced several times, so this is
 * written for speed: rows are summed up first, all columns side by side, then the
 * columns of the sums.
 *
 * The result is that of leptonica's pixScaleAreaMap(), sample for sample, which
 * t/unit/analyze_image.c compares: what was measured on photos holds.
 *
 * Memory: the result lives in the pool, sums in it, too. Threads: no state.
 * Failures: lack of memory.
 */
#include "analyze/image.h"

/* Non-zero when sides of these FACTORS are for idv_image_reduce(). */
int idv_image_can_reduce(float across, float down);

/* IMAGE, gray or RGB, with its sides times ACROSS and DOWN. */
idv_error_t *idv_image_reduce(const idv_image_t *image, float across,
                              float down, idv_image_t **out,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
