/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_RASTER_TRACE_H
#define IDV_ANALYZE_DOCUMENT_RASTER_TRACE_H

/*
 * Detects a raster in the picture of a document: the pixels of a screen, or the
 * dots of a halftone print.
 *
 * A raster repeats in two directions at right angles, equally often, and
 * everywhere on the picture. So: the spectra of tiles all over the document,
 * each divided by its own surroundings in the spectrum; the mean of their
 * logarithms; and of all pairs of equal frequencies at right angles the one
 * whose weaker part stands out most. Noise and textures leave nothing there;
 * text and portraits differ from tile to tile; straight lines stand out in one
 * direction only, bent ones at other frequencies in each tile; compression
 * repeats every 8 pixels, which is left out.
 *
 * If a raster is too fine for the camera, the picture shows a moire, which has
 * no right angles and cannot be distinguished from printed patterns. A document
 * whose own pattern is a fine, straight lattice also has the trace.
 *
 * Memory: scratch. Threads: no state. Nothing fails.
 */
#include "analyze/image.h"

/* The result for one document. */
typedef struct {
    int is_known;     /* zero: too small, or without fine detail */
    double prominence; /* natural logarithm, relative to the surroundings; at
                        * least 0 */
} idv_raster_trace_t;

/* Examines the quadrilateral DOCUMENT of GRAY, parts of which may be
 * outside. */
void idv_raster_trace_find(const idv_image_t *gray, const idv_quad_t *document,
                           idv_raster_trace_t *trace, apr_pool_t *scratch);

#endif
