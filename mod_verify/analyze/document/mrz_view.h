/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_VIEW_H
#define IDV_ANALYZE_DOCUMENT_MRZ_VIEW_H

/*
 * A straightened view of a gray image, and the small pictures of single glyphs
 * sampled from it.
 *
 * A view has its own coordinates (u, v) in which text runs to the right; an
 * affine map leads from there into the image. Nothing is copied: samples are
 * interpolated from the image on demand, and a place outside the image has the
 * brightness of the nearest edge.
 *
 * Memory: a view borrows the image. Threads: views are values. Failures: none.
 */
#include "analyze/image.h"

/* x = map[0] u + map[1] v + map[2], y = map[3] u + map[4] v + map[5] */
typedef struct {
    const idv_image_t *image; /* gray */
    double map[6];
} idv_mrz_view_t;

/* A glyph's picture: rows of ink, 0 (paper) to 1 (darkest of the cell). */
enum {
    IDV_MRZ_CELL_WIDTH = 20,
    IDV_MRZ_CELL_HEIGHT = 28,
    IDV_MRZ_CELL_SIZE = IDV_MRZ_CELL_WIDTH * IDV_MRZ_CELL_HEIGHT
};

/* The position of a glyph in its view. */
typedef struct {
    double u, v;   /* centre of the glyph's cell */
    double pitch;  /* distance to the next glyph */
    double height; /* the pitch if the text were only as wide as it is high;
                      differs from it if the page is tilted */
    double slope;  /* of the text line, dv/du */
} idv_mrz_place_t;

/* The view of the whole IMAGE turned by RADIANS (counter-clockwise on the
 * screen) and scaled: SCALE view units are one pixel. Its origin is such that
 * all of the image has coordinates from 0 to SIZE[0] and SIZE[1]. */
void idv_mrz_view_turned(const idv_image_t *image, double radians, double scale,
                         int size[2], idv_mrz_view_t *out);

/* The same view, upside down: (u, v) becomes (-u, -v). */
void idv_mrz_view_flip(idv_mrz_view_t *view);

/* Interpolated brightness, 0 to 255. STEP is the distance to the next sample:
 * if it skips pixels, the mean of four points is taken; if it is much smaller
 * than a pixel, curves are laid through the pixels. */
double idv_mrz_view_sample(const idv_mrz_view_t *view, double u, double v,
                           double step);

/* The picture of the glyph at PLACE: 1.1 pitches wide and 1.54 heights high,
 * stretched to full contrast (contrasts below 24 of 255 stay faint). */
void idv_mrz_view_cell(const idv_mrz_view_t *view, const idv_mrz_place_t *place,
                       float cell[IDV_MRZ_CELL_SIZE]);

#endif
