/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_BARCODE_READER_H
#define IDV_ANALYZE_DOCUMENT_BARCODE_READER_H

/*
 * Reads the PDF417 symbols on the photo of a card, in any orientation.
 *
 * The photo is scanned unchanged, then as a sequence of views, cheapest first
 * (regions straightened, turned, denoised, scaled, sharpened), until one of
 * them decodes. The first read only finds a symbol. It counts if a second read
 * gives the same bytes: of the symbol only, resampled to another scale and
 * binarized by another rule. Error correction is not enough: with many damaged
 * codewords it can arrive at a payload that nobody printed.
 *
 * After one symbol was read, the remaining regions that look like bars are
 * searched as well: a second symbol belongs to another card. On a photo where
 * nothing looks like bars, the search ends early.
 *
 * Time is bounded: no view is begun after `milliseconds` of processor time, so
 * the result does not depend on the machine's load. Memory: payloads live in
 * POOL, the views in pools of their own. Threads: no state.
 */
#include "analyze/image.h"
#include "core/crypto.h"

/* Distinct symbols per photo at most. */
#define IDV_BARCODE_PAYLOADS_MAX 2

typedef enum {
    IDV_BARCODE_NONE,        /* no view decoded */
    IDV_BARCODE_UNCONFIRMED, /* one view decoded, a second read failed */
    IDV_BARCODE_DISAGREED,   /* two reads gave different bytes */
    IDV_BARCODE_READ
} idv_barcode_status_t;

/* A likely obstacle to reading the symbol that a region looks like. */
typedef enum {
    IDV_BARCODE_WHOLE,   /* none known, or no region looks like a symbol */
    IDV_BARCODE_CUT_OFF, /* the region extends beyond the edge of the photo */
    IDV_BARCODE_FAR,     /* too few pixels for a licence's symbol */
    IDV_BARCODE_COVERED  /* otherwise: a part is hidden */
} idv_barcode_flaw_t;

typedef struct {
    idv_barcode_status_t status; /* of the first symbol found */
    int count;                   /* READ: number of distinct payloads */
    idv_bytes_t payloads[IDV_BARCODE_PAYLOADS_MAX];
    idv_quad_t areas[IDV_BARCODE_PAYLOADS_MAX]; /* of the symbols; the whole photo
                                                   if unknown */
    idv_bytes_t unconfirmed; /* UNCONFIRMED: the decoded bytes of one view */
    const char *view;   /* static name of the view that decoded, or NULL */
    int looks_like_one; /* flag, after a search: a region looks like bars */
    idv_barcode_flaw_t flaw; /* after a search: of the region most like bars */
} idv_barcode_reading_t;

typedef struct {
    int milliseconds; /* processor time after which no view is begun */
    int unlikely;     /* the same if nothing looks like bars */
    int is_second; /* flag: a document was read already; search for another only
                      where the picture looks like bars */
} idv_barcode_effort_t;

/* Scans the GRAY image of a photo unchanged. The result is a status; errors are
 * internal. All members of READING are set. */
idv_error_t *idv_barcode_look(const idv_image_t *gray,
                              idv_barcode_reading_t *reading,
                              apr_pool_t *pool) IDV_CHECKED;

/* Runs the sequence of views over GRAY to complete the READING of
 * idv_barcode_look(); its payloads live in POOL. */
idv_error_t *idv_barcode_search(const idv_image_t *gray,
                                const idv_barcode_effort_t *effort,
                                idv_barcode_reading_t *reading,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
