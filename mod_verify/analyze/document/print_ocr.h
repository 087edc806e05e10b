/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PRINT_OCR_H
#define IDV_ANALYZE_DOCUMENT_PRINT_OCR_H

/*
 * Tesseract for the print of a document: words in any place. It uses the model
 * of the zone reader (mrz_ocr.h), which also knows small letters and other
 * type, only less reliably; here all characters but the filler are allowed.
 *
 * Once opened it opens no file and starts no thread. Memory: freed with the
 * pool of creation. Threads: one, and processes forked from it. Failures: the
 * model is missing or not readable; lack of memory.
 */
#include "analyze/image.h"
#include "methods/document/print_comparison.h"

typedef struct idv_print_ocr_t idv_print_ocr_t;

/* Loads the model of MODELS_DIRECTORY. Call it after idv_mrz_ocr_open(), which
 * keeps Tesseract from starting threads in this process. */
idv_error_t *idv_print_ocr_open(const char *models_directory,
                                idv_print_ocr_t **out,
                                apr_pool_t *pool) IDV_CHECKED;

/* Adds the words of the gray, upright VIEW to WORDS, each line with its own
 * number. No word is begun after MILLISECONDS of processor time. */
idv_error_t *idv_print_ocr_page(idv_print_ocr_t *ocr, const idv_image_t *view,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch) IDV_CHECKED;

/* Adds the words of STRIP, which shows one line, as idv_print_ocr_page()
 * does. */
idv_error_t *idv_print_ocr_line(idv_print_ocr_t *ocr, const idv_image_t *strip,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch) IDV_CHECKED;

#endif
