/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_H
#define IDV_ANALYZE_IMAGE_H

/*
 * An image of 8-bit samples, gray or RGB, as every reader of verify-analyze
 * takes it: the first row is the top one as the photographer saw it.
 *
 * Invariants: width and height are 1 to IDV_IMAGE_MAX_SIDE, width * height is
 * at most IDV_IMAGE_MAX_PIXELS, stride >= width * channels. The pixel (x, y)
 * begins at pixels[y * stride + x * channels].
 *
 * Memory: the pixels are freed when the pool given at creation is cleared, so
 * a reader that makes many images gives each round a pool of its own. Images
 * are passed as const to readers; none keeps one after it returned. Threads:
 * an image belongs to one thread. Failures: sizes outside of the limits and
 * memory that is not to be had are internal errors.
 */
#include "core/error.h"

#define IDV_IMAGE_MAX_SIDE 30000
#define IDV_IMAGE_MAX_PIXELS (50 * 1000 * 1000)

/* Samples a pixel. */
enum { IDV_IMAGE_GRAY = 1, IDV_IMAGE_RGB = 3 };

typedef struct {
    int width;    /* pixels */
    int height;   /* pixels */
    int stride;   /* bytes from one row to the next */
    int channels; /* IDV_IMAGE_GRAY or IDV_IMAGE_RGB */
    unsigned char *pixels;
} idv_image_t;

/* Where the sample at the left edge of row Y begins. */
static inline unsigned char *idv_image_row(const idv_image_t *image, int y)
{
    return image->pixels + (apr_size_t)y * (apr_size_t)image->stride;
}

/* Weights of the four samples around a point that lies FRACTION, 0 to 1, beyond
 * the second of them: the cubic of Catmull and Rom. */
static inline void idv_image_cubic_weights(double fraction, double weights[4])
{
    double f = fraction;

    weights[0] = ((-0.5 * f + 1) * f - 0.5) * f;
    weights[1] = (1.5 * f - 2.5) * f * f + 1;
    weights[2] = ((-1.5 * f + 2) * f + 0.5) * f;
    weights[3] = (0.5 * f - 0.5) * f * f;
}

/* A black image of the given size; stride is width * channels. */
idv_error_t *idv_image_create(int width, int height, int channels,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Brightness by ITU-R BT.601 (0.299 R + 0.587 G + 0.114 B); a copy when IMAGE
 * is gray already. */
idv_error_t *idv_image_to_gray(const idv_image_t *image, idv_image_t **out,
                               apr_pool_t *pool) IDV_CHECKED;

#endif
