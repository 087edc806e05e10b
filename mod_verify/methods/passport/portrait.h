/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PORTRAIT_H
#define IDV_METHODS_PASSPORT_PORTRAIT_H

/*
 * The portrait in DG2 (ICAO Doc 9303-10, 4.7.2): which of the file's bytes are
 * the picture, how they are compressed, and how large the picture says it is.
 * Nothing is decoded here; the picture is a stranger's until its hash was found
 * in the signed security object, and has to be decoded in the sandbox after
 * that too.
 *
 * Around the picture stand the biometric templates of ISO/IEC 7816-11 (7F61,
 * 7F60) and one of
 * - ISO/IEC 19794-5:2005, whose headers (FAC, 010) are read field by field;
 * - later editions of it, where the picture is the first thing in the block that
 *   begins as one;
 * - ISO/IEC 39794-5, in DER: the first primitive element, at most
 *   IDV_PORTRAIT_DEPTH levels down, that begins as a picture.
 *
 * Of several templates the first counts; that is the one which 9303 demands.
 *
 * Memory: nothing is allocated but errors. Threads: pure.
 */
#include "core/crypto.h"

#define IDV_PORTRAIT_DEPTH 8
/* Pixels of the longest side that is accepted. */
#define IDV_PORTRAIT_SIDE_MAX 8192

/* How a picture is compressed: X(name, code). */
#define IDV_PORTRAIT_FORMATS(X)                                                \
    X(JPEG, "jpeg")                                                            \
    X(JPEG2000, "jpeg2000")                                                    \
    X(JPEG2000_CODESTREAM, "jpeg2000_codestream")

typedef enum {
#define X(name, code) IDV_PORTRAIT_##name,
    IDV_PORTRAIT_FORMATS(X)
#undef X
        IDV_PORTRAIT_FORMAT_COUNT
} idv_portrait_format_t;

typedef struct {
    idv_portrait_format_t format;
    int offset; /* of the picture's first byte in the file */
    int length; /* bytes; 0: there is no portrait */
    int width;  /* pixels, as the picture itself says */
    int height;
} idv_portrait_t;

/* The code of a format; the reverse gives -1 for text that is none. */
const char *idv_portrait_format_code(idv_portrait_format_t format);
int idv_portrait_format_find(const char *code);

/* Finds the portrait in DG2; `parameter_invalid` for DG2 when there is none, or
 * one without plausible measures. */
idv_error_t *idv_portrait_find(idv_bytes_t file, idv_portrait_t *portrait,
                               apr_pool_t *result) IDV_CHECKED;

#endif
