/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PICTURE_TRACES_H
#define IDV_ANALYZE_DOCUMENT_PICTURE_TRACES_H

/*
 * Traces in the pixels of a photo of how it was made, independent of its
 * content: whether a screen or a halftone print was photographed
 * (raster_trace.h), and whether something was pasted into it (paste_trace.h).
 * The pixels of the file are examined, before scaling and turning, unless there
 * are too many.
 *
 * A trace is a hint, not a proof: conf/manual/benchmarks.md says how often it
 * is there and how often it misleads. Memory: scratch. Threads: no state.
 * Failures: only lack of memory.
 */
#include "analyze/image_decode.h"

/* A photo. */
typedef struct {
    idv_bytes_t file;
    const idv_decoded_image_t *decoded; /* the same, upright and reduced */
    const idv_image_t *gray;            /* of decoded->image */
    const idv_quad_t *zone; /* of its machine-readable zone; NULL: none was
                             * read */
} idv_traced_picture_t;

/* 0 to 1; reported from 0.5 on. -1: the photo is too small, too coarse or too
 * compressed to tell. */
typedef struct {
    double raster;
    double paste;
} idv_picture_traces_t;

idv_error_t *idv_picture_traces_find(const idv_traced_picture_t *picture,
                                     idv_picture_traces_t *traces,
                                     apr_pool_t *scratch) IDV_CHECKED;

#endif
