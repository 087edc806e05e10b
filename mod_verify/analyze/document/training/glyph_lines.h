/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_TRAINING_GLYPH_LINES_H
#define IDV_ANALYZE_DOCUMENT_TRAINING_GLYPH_LINES_H

/*
 * An endless source of labelled glyph cells to train the MRZ classifier: lines
 * of random OCR-B text, printed badly, photographed badly, and cut up by the
 * code that cuts up photographs.
 *
 * The same seed gives the same cells. Memory: everything is allocated at
 * creation and freed with the pool. Failures: fonts that cannot be opened.
 */
#include "analyze/document/mrz_network.h"

typedef struct idv_glyph_lines_t idv_glyph_lines_t;

typedef struct {
    float cell[IDV_MRZ_CELL_SIZE];
    int label; /* index into IDV_MRZ_ALPHABET, or IDV_MRZ_REJECT */
} idv_labelled_cell_t;

enum { IDV_CELLS_A_LINE = 26 };

/* FONT_DIRECTORY holds OCRB.otf and OCRBS.otf (Debian: fonts-ocr-b). */
idv_error_t *idv_glyph_lines_create(const char *font_directory,
                                    apr_uint64_t seed, idv_glyph_lines_t **out,
                                    apr_pool_t *pool) IDV_CHECKED;

/* The cells of the next line. */
idv_error_t *
idv_glyph_lines_next(idv_glyph_lines_t *lines,
                     idv_labelled_cell_t cells[IDV_CELLS_A_LINE]) IDV_CHECKED;

/* Uniformly distributed from LOW to HIGH, from the lines' own generator. */
double idv_glyph_lines_random(idv_glyph_lines_t *lines, double low,
                              double high);

#endif
