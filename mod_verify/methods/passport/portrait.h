/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_PASSPORT_PORTRAIT_H
#define IDV_METHODS_PASSPORT_PORTRAIT_H

/*
 * Locates the portrait in DG2 (ICAO Doc 9303-10, 4.7.2): the bytes of the
 * picture, their compression, and the size that the picture states. Nothing is
 * decoded here. The picture is untrusted until its hash was found in the signed
 * security object, and has to be decoded in the sandbox even then.
 *
 * The picture is wrapped in the biometric templates of ISO/IEC 7816-11 (7F61,
 * 7F60) and one of
 * - ISO/IEC 19794-5:2005, whose headers (FAC, 010) are read field by field;
 * - later editions of it: the picture is the first part of the block that
 *   begins like one;
 * - ISO/IEC 39794-5, in DER: the first primitive element, at most
 *   IDV_PORTRAIT_DEPTH levels down, that begins like a picture.
 *
 * Of several templates the first is used, which is the one that 9303 demands.
 *
 * Memory: only errors are allocated. Threads: pure.
 */
#include "core/crypto.h"

#define IDV_PORTRAIT_DEPTH 8
/* Maximum pixels of the longest side. */
#define IDV_PORTRAIT_SIDE_MAX 8192

/* The compression of a picture: X(name, code). */
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
    int length; /* bytes; 0: no portrait */
    int width;  /* pixels, as stated by the picture */
    int height;
} idv_portrait_t;

/* The code of a format; the reverse gives -1 for unknown text. */
const char *idv_portrait_format_code(idv_portrait_format_t format);
int idv_portrait_format_find(const char *code);

/* Finds the portrait in DG2; `parameter_invalid` for DG2 if there is none, or
 * one without plausible dimensions. */
idv_error_t *idv_portrait_find(idv_bytes_t file, idv_portrait_t *portrait,
                               apr_pool_t *result) IDV_CHECKED;

#endif
