/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PDF417_SCAN_H
#define IDV_ANALYZE_DOCUMENT_PDF417_SCAN_H

/*
 * One scan for PDF417 symbols (ISO/IEC 15438) in one image, by zxing-cpp.
 *
 * This C interface wraps the C++ library and catches its exceptions. It finds
 * symbols that are nearly upright and clean; barcode_reader.h prepares photos
 * accordingly. The cost is about that of reading every pixel a few times.
 * Memory: none is kept. Threads: no state.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the longest payload: 925 codewords in byte compaction hold 1,108
 * bytes, in text compaction 1,850 characters. */
#define IDV_PDF417_PAYLOAD_MAX 2048

/* Symbols per scan: a document has one, so two show that there are more. */
#define IDV_PDF417_SYMBOLS_MAX 2

/* Scan options. */
enum {
    IDV_PDF417_SCAN_LOCAL = 0,  /* binarized by neighbourhood */
    IDV_PDF417_SCAN_GLOBAL = 1, /* binarized by the image's histogram */
    IDV_PDF417_SCAN_TURNED = 2  /* also at quarter turns */
};

typedef struct {
    unsigned length; /* bytes of payload */
    unsigned char payload[IDV_PDF417_PAYLOAD_MAX];
    int x[4], y[4]; /* corners in pixels, clockwise from the symbol's own top
                       left corner */
} idv_pdf417_symbol_t;

/* Scans WIDTH x HEIGHT gray PIXELS whose rows begin STRIDE bytes apart. Symbols
 * that decode without an error are written to SYMBOLS, which has room for
 * IDV_PDF417_SYMBOLS_MAX. Returns how many; -1 without memory, or for an
 * exception of the library. */
int idv_pdf417_scan(const unsigned char *pixels, int width, int height,
                    int stride, int how, idv_pdf417_symbol_t *symbols);

#ifdef __cplusplus
}
#endif

#endif
