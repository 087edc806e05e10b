/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_FILTER_H
#define IDV_ANALYZE_IMAGE_FILTER_H

/*
 * Images made from images: turned, scaled, blurred, sharpened, straightened.
 *
 * All return a new image in POOL and leave the old one alone. Resizing and
 * orientation take gray and RGB, the others gray only. Pixels that a geometric
 * operation brings in from outside are mid gray (128), which no binarizer
 * takes for ink. Failures and threads: as in image.h.
 */
#include "analyze/image.h"

/* A point in pixels; pixel (0, 0) covers 0 to 1 in both directions. */
typedef struct {
    double x, y;
} idv_point_t;

/* Four corners of a region, clockwise from the one that is to become the top
 * left corner. */
typedef struct {
    idv_point_t corner[4];
} idv_quad_t;

/* Applies an EXIF orientation (1 to 8) so that the result is upright. */
idv_error_t *idv_image_orient(const idv_image_t *image, int orientation,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Scales to WIDTH x HEIGHT: area average when it shrinks, bilinear when it
 * grows, each direction for itself. */
idv_error_t *idv_image_resize(const idv_image_t *image, int width, int height,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Scales by FACTOR, at least to one pixel. */
idv_error_t *idv_image_scale(const idv_image_t *image, double factor,
                             idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Turns by DEGREES counter-clockwise about the middle; the canvas grows so
 * that nothing is cut off. Bilinear. */
idv_error_t *idv_image_rotate(const idv_image_t *image, double degrees,
                              idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Gaussian blur of standard deviation SIGMA pixels, 0.3 to 10. */
idv_error_t *idv_image_blur(const idv_image_t *image, double sigma,
                            idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

/* Unsharp mask: image + amount * (image - blur(sigma)). */
idv_error_t *idv_image_sharpen(const idv_image_t *image, double sigma,
                               double amount, idv_image_t **out,
                               apr_pool_t *pool) IDV_CHECKED;

/* What is seen, and in which size. */
typedef struct {
    idv_quad_t from;
    int width, height; /* of the result */
    int margin;        /* of the result, on every side around FROM */
} idv_warp_t;

/* The projective view in which the quadrilateral FROM of IMAGE fills the result
 * less its margin. Bicubic. A FROM with three corners on a line is an internal
 * error. */
idv_error_t *idv_image_warp(const idv_image_t *image, const idv_warp_t *warp,
                            idv_image_t **out, apr_pool_t *pool) IDV_CHECKED;

#endif
