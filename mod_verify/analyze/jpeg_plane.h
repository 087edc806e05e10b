/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_JPEG_PLANE_H
#define IDV_ANALYZE_JPEG_PLANE_H

/*
 * The stored brightness of a JPEG file: every pixel, not scaled and not turned,
 * with its quantisation steps (ITU-T T.81, B.2.4.1), to find traces that
 * scaling removes.
 *
 * Memory: as in image.h. Threads: no state. Failures: a file that is not a
 * JPEG, or needs more work than IDV_JPEG_PLANE_SCANNED_MAX, has no plane, which
 * is not a failure; lack of memory is internal.
 */
#include "analyze/image.h"
#include "core/crypto.h"

/* Pixels times scans (image_decode.h): 16 megapixels of a camera. */
#define IDV_JPEG_PLANE_SCANNED_MAX (16 * 1000 * 1000)

enum { IDV_JPEG_BLOCK = 8 };

typedef struct {
    idv_image_t *gray; /* NULL: no plane */
    /* For the coefficient of the wave (u, v), at v * IDV_JPEG_BLOCK + u; 0: not
     * in the file. */
    int steps[IDV_JPEG_BLOCK * IDV_JPEG_BLOCK];
} idv_jpeg_plane_t;

/* Reads the plane of FILE, which idv_image_decode() has decoded. */
idv_error_t *idv_jpeg_plane_read(idv_bytes_t file, idv_jpeg_plane_t *plane,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The steps of the first component in the markers of FILE. */
void idv_jpeg_plane_steps(idv_bytes_t file, int *steps);

#endif
