/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_IMAGE_DECODE_H
#define IDV_ANALYZE_IMAGE_DECODE_H

/*
 * Decodes untrusted JPEG, PNG and WebP files into upright images.
 *
 * Every limit is checked against the file's header before memory of the image's
 * size is allocated: IDV_IMAGE_FILE_MAX bytes, IDV_IMAGE_MAX_PIXELS,
 * IDV_IMAGE_MAX_SIDE, no animation, no CMYK. In a JPEG a few bytes start
 * another scan of all pixels, so the pixels times the scans (ITU-T T.81, 4.8:
 * one for a baseline image, about ten for a progressive one) are at most
 * IDV_IMAGE_MAX_SCANNED_PIXELS.
 *
 * Of a photo's EXIF data only the orientation of the camera is read (Exif 2.32,
 * CIPA DC-008, 4.6.4, tag 0x0112 Orientation), from APP1 of JPEG, chunk eXIf of
 * PNG or chunk "EXIF" of WebP. If the EXIF data is damaged, absent or out of
 * range, the image counts as upright.
 *
 * Failures: a fault of the file is `parameter_invalid`, with the parameter
 * "size" if it is too large and none otherwise; our own faults, such as lack of
 * memory, are internal. A JPEG that ends early or has damaged parts is decoded
 * as far as possible. Memory: as in image.h. Threads: no state.
 */
#include "analyze/image.h"
#include "core/crypto.h"

#define IDV_IMAGE_FILE_MAX (20 * 1024 * 1024)
#define IDV_IMAGE_MAX_SCANNED_PIXELS ((apr_int64_t)12 * IDV_IMAGE_MAX_PIXELS)

/* Values of the orientation tag: the sides of the stored image's first row and
 * first column. */
enum {
    IDV_ORIENTATION_UPRIGHT = 1,
    IDV_ORIENTATION_MIRRORED = 2,
    IDV_ORIENTATION_HALF_TURN = 3,
    IDV_ORIENTATION_FLIPPED = 4,
    IDV_ORIENTATION_TRANSPOSED = 5,
    IDV_ORIENTATION_LEFT_TURN = 6, /* of the camera; the image needs a right
                                      turn */
    IDV_ORIENTATION_TRANSVERSED = 7,
    IDV_ORIENTATION_RIGHT_TURN = 8
};

typedef struct {
    idv_image_t *image; /* RGB, upright */
    const char *format; /* "jpeg", "png" or "webp" */
    int width, height;  /* pixels of the file as stored, before orientation */
    int orientation;    /* of the EXIF data, 1 to 8 */
} idv_decoded_image_t;

/* Decodes FILE so that the longer side of the image has about SIDE pixels: at
 * most a quarter more, never more than the file has. The image lives in POOL,
 * working memory in SCRATCH. */
idv_error_t *idv_image_decode(idv_bytes_t file, int side,
                              idv_decoded_image_t *out, apr_pool_t *pool,
                              apr_pool_t *scratch) IDV_CHECKED;

/* --- parts of it --- */

/* The number of scans in the JPEG FILE, by its markers (ITU-T T.81, B.1.1). */
int idv_image_jpeg_scans(idv_bytes_t file);

/* The orientation tag in a TIFF structure (header "II" or "MM"), 1 to 8. */
int idv_exif_orientation(idv_bytes_t tiff);

/* The orientation of a whole file of the given format, 1 to 8. */
int idv_exif_png_orientation(idv_bytes_t file);
int idv_exif_webp_orientation(idv_bytes_t file);

#endif
