/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_PORTRAIT_DECODE_H
#define IDV_ANALYZE_PORTRAIT_DECODE_H

/*
 * Decodes the portrait that an issuer stored in a chip or a mobile document:
 * JPEG 2000, as a file (ISO/IEC 15444-1, annex I) or a bare codestream (annex
 * A), and the formats of image_decode.h. Photographs of persons and of their
 * documents are never JPEG 2000 and are not decoded here.
 *
 * OpenJPEG gets only the codestream. The boxes of a file around it are parsed
 * here, as far as they define the colours of the samples. Of the codestream's
 * header (SIZ, A.5.1) every number that memory or time depends on is checked
 * before the library sees a byte: at most IDV_PORTRAIT_FILE_MAX bytes,
 * IDV_PORTRAIT_MAX_SIDE and IDV_PORTRAIT_MAX_PIXELS, IDV_PORTRAIT_MAX_TILES
 * tiles, and four components of 8 unsigned bits, of which the first one or
 * three count: gray, sRGB, or sYCC (I.5.3.3). ICAO Doc 9303-10 allows the first
 * two. Colours by a palette are refused; ICC profiles are taken for sRGB, as
 * printers of passports intend.
 *
 * Failures: a fault of the file is `parameter_invalid`, with the parameter
 * "size" if it is too large and none otherwise; our own faults are internal. A
 * codestream that ends early is decoded as far as possible. Memory: as in
 * image.h; the library's own is freed before the function returns. Threads: no
 * state.
 */
#include "analyze/image_decode.h"

#define IDV_PORTRAIT_FILE_MAX (384 * 1024)
#define IDV_PORTRAIT_MAX_SIDE 4096
#define IDV_PORTRAIT_MAX_PIXELS (6 * 1000 * 1000)
#define IDV_PORTRAIT_MAX_TILES 64

/* Like idv_image_decode(); the format may also be "jpeg2000", whose orientation
 * is upright. */
idv_error_t *idv_portrait_decode(idv_bytes_t file, int side,
                                 idv_decoded_image_t *out, apr_pool_t *pool,
                                 apr_pool_t *scratch) IDV_CHECKED;

#endif
