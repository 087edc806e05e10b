/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_AGREEMENT_H
#define IDV_ANALYZE_DOCUMENT_MRZ_AGREEMENT_H

/*
 * Two readings of one machine-readable zone become one text, or none.
 *
 * The readers must agree on every character once the types of the fields are
 * respected (an O where only digits may stand is a 0), and all check digits
 * must hold (ICAO Doc 9303-3, 4.9). Two exceptions:
 *
 * - They differ at up to two places, and of all ways to choose between them
 *   exactly one satisfies every check digit. At a place that no check digit
 *   covers, such as the names, both ways do, so there this never helps.
 * - At the end of the names one takes a filler for a letter that looks like it
 *   (K, S, X, C, E, L), behind at least two fillers and with nothing else after
 *   it: then it is a filler.
 *
 * A zone that begins as a state's own layout in the same shape does is read as that
 * one: France's cards look like TD2 until they are read.
 *
 * Memory and threads: pure. Failures: none; disagreement is a result.
 */
#include "analyze/document/mrz_network.h"
#include "methods/document/mrz_layout.h"

/* What the readers saw, in the shape of a layout. */
#define IDV_MRZ_LINE_SIZE 128 /* bytes of a line, with its NUL */

typedef struct {
    const idv_mrz_layout_t *layout;
    /* The classifier's logarithms of probabilities. */
    float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES];
    /* The OCR's lines, of any length. */
    char lines[IDV_MRZ_MAX_ROWS][IDV_MRZ_LINE_SIZE];
    /* Lines of a second pass of the OCR, which then count in place of the
     * classifier's view; NULL: none was made. */
    char (*again)[IDV_MRZ_LINE_SIZE];
} idv_mrz_readings_t;

typedef enum {
    IDV_MRZ_DIFFER,       /* not the same text */
    IDV_MRZ_CHECKS_WRONG, /* the same text, but a check digit does not hold */
    IDV_MRZ_AGREE
} idv_mrz_agreement_t;

/* What the readings amount to. IDV_MRZ_AGREE: TEXT is what was read, its
 * repairs are the places where the readers differed (`read` is the character
 * turned down). Otherwise TEXT is undefined. */
idv_mrz_agreement_t idv_mrz_agree(const idv_mrz_readings_t *readings,
                                  idv_mrz_text_t *text);

#endif
