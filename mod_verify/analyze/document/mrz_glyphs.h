/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_GLYPHS_H
#define IDV_ANALYZE_DOCUMENT_MRZ_GLYPHS_H

/*
 * Finds the boxes of possible glyphs in a gray image, and the directions of its
 * text.
 *
 * The image is binarized once (leptonica, Sauvola) and can then be analyzed in
 * any direction: boxes are those of the turned bits, in the coordinates of the
 * matching view (mrz_view.h).
 *
 * Memory: bits are freed with the pool of creation; so are boxes. At most
 * IDV_MRZ_MAX_GLYPHS boxes are kept. Threads: one. Failures: memory.
 */
#include "analyze/document/mrz_view.h"

#define IDV_MRZ_MAX_GLYPHS 6000

/* The box of a connected component, in view units. */
typedef struct {
    float u, v; /* centre */
    float width, height;
} idv_mrz_glyph_t;

typedef struct {
    idv_mrz_glyph_t *at; /* from left to right */
    int count;
} idv_mrz_glyphs_t;

typedef struct {
    double scale;  /* pixels of the bits per pixel of the image */
    double window; /* half side of the neighbourhood, in permille of the
                      image's longer side */
    double factor; /* Sauvola's k: higher keeps less */
} idv_mrz_binarization_t;

/* A binarized image; opaque. */
typedef struct idv_mrz_bits_t idv_mrz_bits_t;

/* Borrows GRAY for as long as the bits live. */
idv_error_t *idv_mrz_bits_create(const idv_image_t *gray,
                                 const idv_mrz_binarization_t *binarization,
                                 idv_mrz_bits_t **out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The boxes in the image turned by RADIANS (counter-clockwise on the screen),
 * and the VIEW whose coordinates they have. */
idv_error_t *idv_mrz_bits_glyphs(const idv_mrz_bits_t *bits, double radians,
                                 idv_mrz_view_t *view, idv_mrz_glyphs_t *out,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The two most likely directions of text: the angles by which to turn the image
 * to make text horizontal (perhaps upside down), in radians from -pi/4 to 3
 * pi/4. Returns how many were found: 0 to 2. */
int idv_mrz_glyphs_directions(const idv_mrz_glyphs_t *glyphs,
                              double radians[2]);

#endif
