/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_ZONE_H
#define IDV_ANALYZE_DOCUMENT_MRZ_ZONE_H

/*
 * Finds possible machine-readable zones: two or three parallel rows of equally
 * pitched glyphs, using only the boxes of glyphs. A single row of about 30
 * glyphs may also be a zone, as on driving licences.
 *
 * A row is described by two parabolas, which follow perspective and bent pages:
 * the line, v(u), and the columns, u(i). Column 0 is the leftmost glyph found
 * in any row of the zone, which need not be the beginning of the text. A zone
 * may be upside down; idv_mrz_zone_flip turns it.
 *
 * Memory: zones are values; working memory comes from the scratch pool. Time is
 * bounded: at most IDV_MRZ_MAX_ROWS_FOUND rows are examined. Threads: pure.
 * Failures: none; a count of 0 means that nothing was found.
 */
#include "analyze/document/mrz_glyphs.h"

enum {
    IDV_MRZ_ZONE_ROWS = 3,
    IDV_MRZ_MAX_ROWS_FOUND = 300,
    IDV_MRZ_MAX_ZONES = 8
};

typedef struct {
    double line[3];    /* v = line[0] + line[1] u + line[2] u^2 */
    double columns[3]; /* u = columns[0] + columns[1] i + columns[2] i^2 */
    double stretch;    /* height by pitch, 1 for text without tilt */
} idv_mrz_row_t;

typedef struct {
    int row_count; /* 1 to 3, from top to bottom */
    int columns;   /* from the leftmost to the rightmost glyph found */
    idv_mrz_row_t rows[IDV_MRZ_ZONE_ROWS];
    double score; /* number of regularly spaced glyphs; larger is better */
} idv_mrz_zone_t;

/* Finds zones, the best first; returns how many. */
int idv_mrz_zones_find(const idv_mrz_glyphs_t *glyphs,
                       idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES],
                       apr_pool_t *scratch);

/* The position of column COLUMN (any number, also beyond the ends) of a row. */
idv_mrz_place_t idv_mrz_row_place(const idv_mrz_row_t *row, double column);

/* The same zone in the flipped view (idv_mrz_view_flip). */
void idv_mrz_zone_flip(idv_mrz_zone_t *zone);

#endif
