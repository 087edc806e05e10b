/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_JPEG_PLANE_H
#define IDV_ANALYZE_JPEG_PLANE_H

/*
 * The brightness of a JPEG file as it is stored: every pixel, not scaled and not
 * turned, with the steps by which it was quantised (ITU-T T.81, B.2.4.1). For
 * whoever looks at traces that scaling takes away.
 *
 * Memory: as in image.h. Threads: no state. Failures: a file that is no JPEG, or
 * more work than IDV_JPEG_PLANE_SCANNED_MAX, has no plane, which is no failure;
 * lack of memory is internal.
 */
#include "analyze/image.h"
#include "core/crypto.h"

/* Pixels times scans (image_decode.h): 16 megapixels of a camera. */
#define IDV_JPEG_PLANE_SCANNED_MAX (16 * 1000 * 1000)

enum { IDV_JPEG_BLOCK = 8 };

typedef struct {
    idv_image_t *gray; /* NULL: there is no plane */
    /* Of the coefficient for the wave (u, v), at v * IDV_JPEG_BLOCK + u; 0: the
     * file does not say. */
    int steps[IDV_JPEG_BLOCK * IDV_JPEG_BLOCK];
} idv_jpeg_plane_t;

/* Reads the plane of FILE, which idv_image_decode() has decoded. */
idv_error_t *idv_jpeg_plane_read(idv_bytes_t file, idv_jpeg_plane_t *plane,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The steps of the first component in the markers of FILE. */
void idv_jpeg_plane_steps(idv_bytes_t file, int *steps);

#endif
