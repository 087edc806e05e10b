/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_BARCODE_READER_H
#define IDV_ANALYZE_DOCUMENT_BARCODE_READER_H

/*
 * The PDF417 symbols on the photo of a card, however it was held.
 *
 * The photo is looked at as it is, then on a ladder of views (regions
 * straightened, turned, denoised, scaled, sharpened) until one of them decodes,
 * cheapest first. The first read only finds a symbol: it counts when a second
 * read, of the symbol alone, resampled to another scale and made black and white
 * by another rule, gives the same bytes. Error correction by itself is not
 * enough: with many damaged codewords it can arrive at a payload that nobody
 * printed.
 *
 * When one symbol is read, the regions that it does not explain and that look
 * like bars are climbed for as well: a second symbol is that of another card.
 * A photo on which nothing looks like bars is not climbed for to the end.
 *
 * Time is bounded: no view is begun after `milliseconds` of processor time, so
 * that what is read does not depend on how busy the machine is. Memory: payloads
 * live in POOL, the views in pools of their own. Threads: no state.
 */
#include "analyze/image.h"
#include "core/crypto.h"

/* Symbols that are told apart. */
#define IDV_BARCODE_PAYLOADS_MAX 2

typedef enum {
    IDV_BARCODE_NONE,        /* no view decoded */
    IDV_BARCODE_UNCONFIRMED, /* one view decoded, no second read did */
    IDV_BARCODE_DISAGREED,   /* two reads gave different bytes */
    IDV_BARCODE_READ
} idv_barcode_status_t;

/* What may keep a symbol from being read that a region looks like. */
typedef enum {
    IDV_BARCODE_WHOLE,   /* nothing that is known, or no region looks like one */
    IDV_BARCODE_CUT_OFF, /* the region goes on beyond the edge of the photo */
    IDV_BARCODE_FAR,     /* it has too few pixels for a licence's symbol */
    IDV_BARCODE_COVERED  /* neither: something hides a part of it */
} idv_barcode_flaw_t;

typedef struct {
    idv_barcode_status_t status; /* of the first symbol that was met */
    int count;                   /* READ: payloads, each another one */
    idv_bytes_t payloads[IDV_BARCODE_PAYLOADS_MAX];
    idv_point_t middles[IDV_BARCODE_PAYLOADS_MAX]; /* of the symbols */
    idv_bytes_t unconfirmed; /* UNCONFIRMED: what one view decoded */
    const char *view;   /* static name of the view that decoded, or NULL */
    int looks_like_one; /* after a search: a region looks like bars */
    idv_barcode_flaw_t flaw; /* after a search: of the region that most does */
} idv_barcode_reading_t;

typedef struct {
    int milliseconds; /* of processor time, after which no view is begun */
    int unlikely;     /* the same, of a photo on which nothing looks like bars */
    int besides; /* a document was read already: only what looks like bars is
                    searched for another */
} idv_barcode_effort_t;

/* Looks at the GRAY image of a photo as it is. What is on it is a status, and
 * errors are internal. READING is written whole. */
idv_error_t *idv_barcode_look(const idv_image_t *gray,
                              idv_barcode_reading_t *reading,
                              apr_pool_t *pool) IDV_CHECKED;

/* Climbs the ladder over GRAY for what idv_barcode_look() left open in READING,
 * whose payloads live in POOL, too. */
idv_error_t *idv_barcode_search(const idv_image_t *gray,
                                const idv_barcode_effort_t *effort,
                                idv_barcode_reading_t *reading,
                                apr_pool_t *pool) IDV_CHECKED;

#endif
