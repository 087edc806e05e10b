/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PRINT_OCR_H
#define IDV_ANALYZE_DOCUMENT_PRINT_OCR_H

/*
 * Tesseract for the print of a document: words wherever they stand. The model is the
 * one of the zones' reader (mrz_ocr.h), which knows small letters and other type as
 * well, only less surely; here it may use all characters but the filler.
 *
 * Once opened it opens no file and starts no thread. Memory: freed with the pool of
 * creation. Threads: one, and processes forked from it. Failures: the model is
 * missing or not readable; lack of memory.
 */
#include "analyze/image.h"
#include "methods/document/print_comparison.h"

typedef struct idv_print_ocr_t idv_print_ocr_t;

/* Loads the model of MODELS_DIRECTORY, after idv_mrz_ocr_open(), which forbids the
 * process the threads that Tesseract would start. */
idv_error_t *idv_print_ocr_open(const char *models_directory,
                                idv_print_ocr_t **out,
                                apr_pool_t *pool) IDV_CHECKED;

/* Adds the words of the gray, upright VIEW to WORDS, each line under a number of
 * its own. No word is begun after MILLISECONDS of processor time. */
idv_error_t *idv_print_ocr_page(idv_print_ocr_t *ocr, const idv_image_t *view,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch) IDV_CHECKED;

/* Adds the words of STRIP, which shows one line, as idv_print_ocr_page() does. */
idv_error_t *idv_print_ocr_line(idv_print_ocr_t *ocr, const idv_image_t *strip,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch) IDV_CHECKED;

#endif
