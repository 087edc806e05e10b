/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_LINES_H
#define IDV_ANALYZE_IMAGE_LINES_H

/*
 * The edges of a reduced gray image, and the strongest straight lines that they
 * form: a Hough transform that knows the direction of each edge (Duda and Hart,
 * "Use of the Hough Transformation to Detect Lines and Curves in Pictures",
 * 1972). Used to find the sides of documents.
 *
 * All places are pixels of the reduced image; pixel (0, 0) has its middle at
 * (0, 0). Deterministic. Memory: edges live in the pool, lines are values.
 * Threads: no state. Failures: lack of memory.
 */
#include "analyze/image.h"

/* The strongest lines, from which sides are chosen. */
#define IDV_IMAGE_LINES_MAX 26

/* The longer side of the image that is searched for lines, in pixels. */
#define IDV_IMAGE_LINES_SIDE 320

/* Levels of brightness per pixel; weaker gradients are not edges. */
#define IDV_IMAGE_EDGE_LEAST 3.0

/* The gradient of brightness at each pixel, in levels per pixel. */
typedef struct {
    int width, height;
    double factor; /* pixels of these edges for each of the original */
    double least;  /* levels per pixel of the weakest edge that is passed */
    float *x, *y, *strength; /* strength 0: not the ridge of an edge */
} idv_image_edges_t;

/* x cosine + y sine = offset */
typedef struct {
    double cosine, sine, offset;
    double angle; /* degrees, 0 to 180 */
} idv_image_line_t;

typedef struct {
    idv_image_line_t at[IDV_IMAGE_LINES_MAX]; /* the strongest first */
    int count;
} idv_image_lines_t;

/* The edges of GRAY, reduced so that its longer side has at most SIDE
 * pixels. */
idv_error_t *idv_image_edges_find(const idv_image_t *gray, int side,
                                  idv_image_edges_t *edges,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Raises `least` of EDGES above what the grain of a surface and noise reach in
 * most places, so that they are not passed as edges. */
void idv_image_edges_ignore_grain(idv_image_edges_t *edges);

/* The strongest lines, none of which are duplicates. */
void idv_image_lines_find(const idv_image_edges_t *edges,
                          idv_image_lines_t *lines, apr_pool_t *scratch);

/* The intersection of two lines; zero if they are nearly parallel. */
int idv_image_lines_cross(const idv_image_line_t *a, const idv_image_line_t *b,
                          idv_point_t *point);

/* The angle between two lines, 0 to 90 degrees. */
double idv_image_lines_turn(const idv_image_line_t *a,
                            const idv_image_line_t *b);

/* Non-zero if an edge from A to B passes through the place at SHARE of the way;
 * -1 if that place is outside the image. */
int idv_image_edges_pass(const idv_image_edges_t *edges, idv_point_t a,
                         idv_point_t b, double share);

/* The share of the way from SIDE[0] to SIDE[1], between FIRST and LAST of it,
 * with an edge under it. Places outside the image are not counted. */
double idv_image_edges_share(const idv_image_edges_t *edges,
                             const idv_point_t side[2], double first,
                             double last);

#endif
