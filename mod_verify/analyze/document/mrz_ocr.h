/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_OCR_H
#define IDV_ANALYZE_DOCUMENT_MRZ_OCR_H

/*
 * Tesseract with a model of OCR-B, reading one straightened line at a time: the
 * first of the two independent readers of machine-readable zones.
 *
 * Once opened it opens no file and starts no thread, so it works in a sandboxed
 * process: idv_mrz_ocr_open does everything that Tesseract does at first use.
 * Memory: freed with the pool of creation. Threads: one, and processes forked
 * from it. Failures: the model is missing or not readable.
 */
#include "analyze/image.h"

typedef struct idv_mrz_ocr_t idv_mrz_ocr_t;

enum { IDV_MRZ_OCR_MAX_TEXT = 96 };

/* Loads MODELS_DIRECTORY/ocrb_int.traineddata. Single-threaded from here on:
 * OpenMP's parallel regions are switched off for the whole process. */
idv_error_t *idv_mrz_ocr_open(const char *models_directory, idv_mrz_ocr_t **out,
                              apr_pool_t *pool) IDV_CHECKED;

/* Reads the MRZ characters in the gray STRIP, which shows one line with some
 * paper around it. *CONFIDENCE is Tesseract's, 0 to 1. If nothing is
 * recognized, the text is empty. */
idv_error_t *idv_mrz_ocr_line(idv_mrz_ocr_t *ocr, const idv_image_t *strip,
                              char text[IDV_MRZ_OCR_MAX_TEXT],
                              double *confidence,
                              apr_pool_t *scratch) IDV_CHECKED;

#endif
