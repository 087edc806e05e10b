/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PDF417_SCAN_H
#define IDV_ANALYZE_DOCUMENT_PDF417_SCAN_H

/*
 * One look for a PDF417 symbol (ISO/IEC 15438) in one image, by zxing-cpp.
 *
 * The C++ library stands behind this C interface; its exceptions end here. It
 * finds symbols that are nearly upright and clean; barcode_reader.h brings a
 * photo into that state. Cost is about that of reading every pixel a few
 * times. Memory: none is kept. Threads: no state.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the longest payload: 925 codewords in byte compaction hold 1,108
 * bytes, in text compaction 1,850 characters. */
#define IDV_PDF417_PAYLOAD_MAX 2048

/* How to look. */
enum {
    IDV_PDF417_SCAN_LOCAL = 0,  /* black and white by the neighbourhood */
    IDV_PDF417_SCAN_GLOBAL = 1, /* black and white by the image's histogram */
    IDV_PDF417_SCAN_TURNED = 2  /* also at quarter turns */
};

typedef struct {
    unsigned length; /* bytes of payload */
    unsigned char payload[IDV_PDF417_PAYLOAD_MAX];
    int x[4], y[4]; /* corners in pixels, clockwise from the symbol's own top
                       left corner */
} idv_pdf417_symbol_t;

typedef enum {
    IDV_PDF417_NONE,
    IDV_PDF417_FOUND,
    IDV_PDF417_FAILED /* no memory, or an exception of the library */
} idv_pdf417_result_t;

/* Looks at WIDTH x HEIGHT gray PIXELS whose rows begin STRIDE bytes apart. The
 * first symbol that decodes without an error is written to *SYMBOL. */
idv_pdf417_result_t idv_pdf417_scan(const unsigned char *pixels, int width,
                                    int height, int stride, int how,
                                    idv_pdf417_symbol_t *symbol);

#ifdef __cplusplus
}
#endif

#endif
