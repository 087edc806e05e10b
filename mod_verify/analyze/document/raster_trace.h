/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_RASTER_TRACE_H
#define IDV_ANALYZE_DOCUMENT_RASTER_TRACE_H

/*
 * The trace of a raster in the picture of a document: the pixels of a screen, or
 * the dots of a halftone print.
 *
 * A raster repeats itself in two directions at right angles, equally often, and
 * does so everywhere on the picture. So: the spectra of tiles all over the
 * document, each divided by its own surroundings in the spectrum, the mean of
 * their logarithms, and of all pairs of frequencies that are as fine as each other
 * and at right angles the one whose weaker part stands out most. Noise and
 * textures leave nothing there; text and portraits differ from tile to tile; lines
 * stand out in one direction alone, bent ones elsewhere in each tile; compression
 * repeats itself every 8 pixels, which is left out.
 *
 * What a camera's own raster makes of one that is too fine for it (moire) has no
 * right angles and is not told from patterns that are printed. A document whose own
 * pattern is a fine straight lattice has the trace itself.
 *
 * Memory: scratch. Threads: no state. Nothing fails.
 */
#include "analyze/image.h"

/* What was seen of one document. */
typedef struct {
    int is_known;     /* zero: too small, or nothing is left of what is fine */
    double prominence; /* natural logarithm, by the surroundings; 0 and more */
} idv_raster_trace_t;

/* Looks at what lies within the quadrilateral DOCUMENT of GRAY, of which parts may
 * be outside. */
void idv_raster_trace_find(const idv_image_t *gray, const idv_quad_t *document,
                           idv_raster_trace_t *trace, apr_pool_t *scratch);

#endif
