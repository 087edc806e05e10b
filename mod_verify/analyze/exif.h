/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_EXIF_H
#define IDV_ANALYZE_EXIF_H

/*
 * The one thing that is read of a photo's EXIF data: how the camera was held.
 *
 * Follows Exif 2.32 (CIPA DC-008), 4.6.4 tag 0x0112 Orientation, in the three
 * places where it stands: APP1 of JPEG, chunk eXIf of PNG, chunk "EXIF" of
 * WebP. Nothing here allocates or fails: data that is damaged, absent or out
 * of range says "upright". Threads: no state.
 */
#include "core/crypto.h"

/* Values of the tag: what the first row and the first column show. */
enum {
    IDV_ORIENTATION_UPRIGHT = 1,
    IDV_ORIENTATION_MIRRORED = 2,
    IDV_ORIENTATION_HALF_TURN = 3,
    IDV_ORIENTATION_FLIPPED = 4,
    IDV_ORIENTATION_TRANSPOSED = 5,
    IDV_ORIENTATION_LEFT_TURN = 6, /* was held so; wants a right turn */
    IDV_ORIENTATION_TRANSVERSED = 7,
    IDV_ORIENTATION_RIGHT_TURN = 8
};

/* The orientation tag in a TIFF structure (header "II" or "MM"), 1 to 8. */
int idv_exif_orientation(idv_bytes_t tiff);

/* The orientation of a whole file of the given format, 1 to 8. */
int idv_exif_jpeg_orientation(idv_bytes_t file);
int idv_exif_png_orientation(idv_bytes_t file);
int idv_exif_webp_orientation(idv_bytes_t file);

#endif
