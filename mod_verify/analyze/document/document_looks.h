/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_LOOKS_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_LOOKS_H

/*
 * The state of reading one document's photos, and the checks that follow after
 * its code was read: portrait, print, and traces of how a photo was made.
 * document_reader.c does the reading.
 *
 * Each check has a limit of processor time, after which it is not begun.
 *
 * Memory: the pool of the reading; own scratch pools. Threads: one reading at a
 * time. Failures: only internal ones.
 */
#include "analyze/document/barcode_reader.h"
#include "analyze/document/document_portrait.h"
#include "analyze/document/mrz_reader.h"
#include "analyze/document/picture_traces.h"
#include "analyze/document/print_reader.h"
#include "analyze/image_decode.h"
#include "analyze/image_quality.h"
#include "domain/method/analysis_protocol.h"
#include "methods/document/document_findings.h"

enum {
    IDV_DOCUMENT_SIDES_MAX = 2,
    IDV_DOCUMENT_CODES_MAX = IDV_BARCODE_PAYLOADS_MAX + IDV_MRZ_READINGS_MAX
};

typedef struct {
    idv_mrz_reader_t *mrz;    /* NULL: barcodes only */
    idv_face_finder_t *faces; /* NULL: portraits are not searched */
    idv_print_ocr_t *print;   /* NULL: print is not read */
} idv_document_readers_t;

typedef struct {
    double confidence; /* of the document */
    idv_document_t *document;
    const idv_quad_t *area; /* on the side */
} idv_document_code_t;

typedef struct {
    idv_document_hint_t refusal; /* NONE, or why there is no image */
    idv_decoded_image_t decoded;
    idv_image_t *gray; /* NULL: no image */
    idv_image_quality_t quality;
    idv_barcode_reading_t barcode;
    idv_mrz_page_t *page;
    idv_document_code_t
        codes[IDV_DOCUMENT_CODES_MAX]; /* barcodes first: they contain more */
    int barcode_count;                 /* of the codes */
    int code_count;
    int milliseconds; /* spent on it so far */
    int turns;        /* clockwise quarter turns that make it upright, by its
                       * portrait */
    int has_portrait;
} idv_document_side_t;

typedef struct {
    const idv_document_readers_t *reader;
    const idv_analysis_request_t *request;
    idv_document_side_t sides[IDV_DOCUMENT_SIDES_MAX];
    int side_count;
    idv_time_t begin; /* of processor time */
    apr_pool_t *pool;
} idv_document_reading_t;

/* Processor time of READING so far. */
idv_time_t idv_document_reading_used(const idv_document_reading_t *reading);

/* A pool for one step; the caller destroys it. */
idv_error_t *idv_document_reading_scratch(const idv_document_reading_t *reading,
                                          apr_pool_t **scratch) IDV_CHECKED;

int idv_document_side_has_zone(const idv_document_side_t *side);

/* Searches all sides for a portrait. The side without a barcode comes first,
 * since that is the front. */
idv_error_t *
idv_document_portrait_look(idv_document_reading_t *reading,
                           idv_document_portrait_t *portrait) IDV_CHECKED;

/* Compares the print of all sides with the code. */
idv_error_t *
idv_document_print_look(idv_document_reading_t *reading,
                        idv_document_findings_t *findings) IDV_CHECKED;

/* Checks whether a picture of the document that was read does not show all of
 * it. */
idv_error_t *
idv_document_cut_look(idv_document_reading_t *reading,
                      idv_document_findings_t *findings) IDV_CHECKED;

/* The name of the side. */
idv_document_side_name_t
idv_document_side_name(const idv_document_reading_t *reading,
                       const idv_document_side_t *side);

/* Checks all sides for traces of a recapture and of a paste. The strongest
 * trace counts. */
idv_error_t *
idv_document_traces_look(idv_document_reading_t *reading,
                         idv_document_findings_t *findings) IDV_CHECKED;

#endif
