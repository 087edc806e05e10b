/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_BARCODE_READER_H
#define IDV_ANALYZE_DOCUMENT_BARCODE_READER_H

/*
 * The PDF417 symbol on the photo of a card, however it was held.
 *
 * A ladder of views (as it is, regions straightened, turned, denoised, scaled,
 * sharpened) is climbed until one of them decodes, cheapest first. The first
 * read only finds the symbol: it counts when a second read, of the symbol
 * alone, resampled to another scale and made black and white by another rule,
 * gives the same bytes. Error correction by itself is not enough: with many
 * damaged codewords it can arrive at a payload that nobody printed.
 *
 * Time is bounded: no view is begun after `milliseconds` of processor time, so
 * that what is read does not depend on how busy the machine is. Memory: the
 * payload lives in POOL, the views in pools of their own. Threads: no state.
 */
#include "analyze/image.h"
#include "core/crypto.h"

typedef enum {
    IDV_BARCODE_NONE,        /* no view decoded */
    IDV_BARCODE_UNCONFIRMED, /* one view decoded, no second read did */
    IDV_BARCODE_DISAGREED,   /* two reads gave different bytes */
    IDV_BARCODE_READ
} idv_barcode_status_t;

typedef struct {
    idv_barcode_status_t status;
    idv_bytes_t payload; /* when READ */
    const char *view;    /* static name of the view that decoded, or NULL */
} idv_barcode_reading_t;

typedef struct {
    int milliseconds; /* of processor time, after which no view is begun */
    int only_direct;  /* the image as it is, nothing else */
} idv_barcode_effort_t;

/* Reads the symbol on the GRAY image of a photo. What is on it is a status, and
 * errors are internal. */
idv_error_t *idv_barcode_read(const idv_image_t *gray,
                              const idv_barcode_effort_t *effort,
                              idv_barcode_reading_t *reading,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
