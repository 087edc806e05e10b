/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_H
#define IDV_ANALYZE_IMAGE_H

/*
 * An image of 8-bit samples, gray or RGB, used by every reader of
 * verify-analyze, and functions that derive images: turned, blurred, sharpened,
 * straightened; image_scale.h scales. The first row is the top one as the
 * photographer saw it.
 *
 * Invariants: width and height are 1 to IDV_IMAGE_MAX_SIDE, width * height is
 * at most IDV_IMAGE_MAX_PIXELS, stride >= width * channels. The pixel (x, y)
 * begins at pixels[y * stride + x * channels]. Functions that derive an image
 * do not change the original; readers get const images and keep none. Geometric
 * operations fill pixels from outside with mid gray (128), which no binarizer
 * takes for ink.
 *
 * Memory: the pixels are freed when the pool of creation is cleared, so a
 * reader that makes many images uses a separate pool for each round. Threads:
 * an image belongs to one thread. Failures: sizes outside the limits and lack
 * of memory are internal errors.
 */
#include "core/error.h"

#define IDV_IMAGE_MAX_SIDE 30000
#define IDV_IMAGE_MAX_PIXELS (50 * 1000 * 1000)

/* Samples per pixel. */
enum { IDV_IMAGE_GRAY = 1, IDV_IMAGE_RGB = 3 };

typedef struct {
    int width;    /* pixels */
    int height;   /* pixels */
    int stride;   /* bytes from one row to the next */
    int channels; /* IDV_IMAGE_GRAY or IDV_IMAGE_RGB */
    unsigned char *pixels;
} idv_image_t;

/* The sample at the left edge of row Y. */
static inline unsigned char *idv_image_row(const idv_image_t *image, int y)
{
    return image->pixels + (apr_size_t)y * (apr_size_t)image->stride;
}

/* A black image of the given size; stride is width * channels. */
idv_error_t *idv_image_create(int width, int height, int channels,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Brightness by ITU-R BT.601 (0.299 R + 0.587 G + 0.114 B); a copy if IMAGE is
 * gray already. */
idv_error_t *idv_image_to_gray(const idv_image_t *image, idv_image_t **out,
                               apr_pool_t *pool) IDV_CHECKED;

/* The same for text: 0.3 R + 0.5 G + 0.2 B, with which the zone readers were
 * measured. The patterns under print are often blue or yellow. BT.601, which
 * approximates human vision, makes them as dark as the ink. */
idv_error_t *idv_image_to_print_gray(const idv_image_t *image,
                                     idv_image_t **out,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A copy of IMAGE for leptonica, 8 bits per pixel for gray and 32 for RGB. The
 * caller frees it with pixDestroy(), since leptonica counts its own references.
 * NULL without memory. */
struct Pix;
struct Pix *idv_image_to_pix(const idv_image_t *image);

/*
 * --- only for gray images ---
 *
 * Unlike image_scale.h, these do not use leptonica. On 1920 x 1440 pixels, its
 * Gaussian takes three times as long as the one here (62 instead of 19 ms for a
 * deviation of 1). Its rotation is not faster with the larger canvas that it
 * needs. Its projective view is bilinear and has the size of the original, in
 * which the bars of a barcode are less than two pixels wide.
 */

/* Turns by DEGREES counter-clockwise about the middle; the canvas grows so that
 * nothing is cut off. Bilinear. */
idv_error_t *idv_image_rotate(const idv_image_t *image, double degrees,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Gaussian blur of standard deviation SIGMA pixels, 0.3 to 10. */
idv_error_t *idv_image_blur(const idv_image_t *image, double sigma,
                            idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Unsharp mask: image + amount * (image - blur(sigma)). */
idv_error_t *idv_image_sharpen(const idv_image_t *image, double sigma,
                               double amount, idv_image_t **out,
                               apr_pool_t *pool) IDV_CHECKED;

/* A point in pixels; pixel (0, 0) covers 0 to 1 in both directions. */
typedef struct {
    double x, y;
} idv_point_t;

/* Four corners of a region, clockwise from the future top left corner. */
typedef struct {
    idv_point_t corner[4];
} idv_quad_t;

/* The mean of the corners. */
idv_point_t idv_quad_middle(const idv_quad_t *quad);

/* Non-zero if POINT is in the convex QUAD. */
int idv_quad_contains(const idv_quad_t *quad, idv_point_t point);

/* The source of a view, and its size. */
typedef struct {
    idv_quad_t from;
    int width, height; /* of the result */
    int margin;        /* of the result, on every side around FROM */
} idv_warp_t;

/* The projective view in which the quadrilateral FROM of IMAGE fills the result
 * except for its margin. Bicubic. A FROM with three corners on a line is an
 * internal error. */
idv_error_t *idv_image_warp(const idv_image_t *image, const idv_warp_t *warp,
                            idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* The position of POINT of the view in the image that WARP was applied to. */
idv_point_t idv_warp_origin(const idv_warp_t *warp, idv_point_t point);

/* The image turned clockwise by TURNS quarters, 0 to 3; gray or RGB. */
idv_error_t *idv_image_turn(const idv_image_t *image, int turns,
                            idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Weights of the four samples around a point that is FRACTION, 0 to 1, beyond
 * the second of them: the cubic of Catmull and Rom. For readers that sample an
 * image without making another. */
static inline void idv_image_cubic_weights(double fraction, double weights[4])
{
    double f = fraction;

    weights[0] = ((-0.5 * f + 1) * f - 0.5) * f;
    weights[1] = (1.5 * f - 2.5) * f * f + 1;
    weights[2] = ((-1.5 * f + 2) * f + 0.5) * f;
    weights[3] = (0.5 * f - 0.5) * f * f;
}

#endif
