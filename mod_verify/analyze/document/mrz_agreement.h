/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_AGREEMENT_H
#define IDV_ANALYZE_DOCUMENT_MRZ_AGREEMENT_H

/*
 * Combines two readings of one machine-readable zone into one text, or none.
 *
 * After the field types are applied (an O in a numeric field is a 0), the
 * readers must agree on every character, and all check digits must be right
 * (ICAO Doc 9303-3, 4.9). Two exceptions:
 *
 * - The readers differ in at most two places, and exactly one combination of
 *   their characters satisfies every check digit. In a place without a check
 *   digit, such as the names, both do, so the exception never applies there.
 * - At the end of the names one reader sees a similar letter (K, S, X, C, E, L)
 *   where the other sees a filler, after at least two fillers and with nothing
 *   else after it. Then it is a filler.
 *
 * If a zone begins like a state's own layout of the same shape, it is read in
 * that layout: France's cards look like TD2 until they are read.
 *
 * Memory and threads: pure. Failures: none; disagreement is a result.
 */
#include "analyze/document/mrz_network.h"
#include "methods/document/mrz_layout.h"

/* Both readings, in the shape of a layout. */
#define IDV_MRZ_LINE_SIZE 128 /* bytes of a line, with its NUL */

typedef struct {
    const idv_mrz_layout_t *layout;
    /* The classifier's logarithms of probabilities. */
    float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES];
    /* The OCR's lines, of any length. */
    char lines[IDV_MRZ_MAX_ROWS][IDV_MRZ_LINE_SIZE];
    /* Lines of a second pass of the OCR, which replace the classifier's
     * reading; NULL: no second pass. */
    char (*again)[IDV_MRZ_LINE_SIZE];
} idv_mrz_readings_t;

typedef enum {
    IDV_MRZ_DIFFER,       /* not the same text */
    IDV_MRZ_CHECKS_WRONG, /* the same text, but a wrong check digit */
    IDV_MRZ_AGREE
} idv_mrz_agreement_t;

/* Combines the readings. IDV_MRZ_AGREE: TEXT is the result; its repairs are the
 * places where the readers differed (`read` is the rejected character).
 * Otherwise TEXT is undefined. */
idv_mrz_agreement_t idv_mrz_agree(const idv_mrz_readings_t *readings,
                                  idv_mrz_text_t *text);

#endif
