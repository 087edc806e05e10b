/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_PLACEMENT_H
#define IDV_ANALYZE_DOCUMENT_MRZ_PLACEMENT_H

/*
 * Determines which layout of ICAO Doc 9303 is on the rows of a zone, where it
 * begins and which side is up. The classifier evaluates all columns and some
 * beyond both ends; the layout is placed such that glyphs are inside and none
 * are outside.
 *
 * Memory: values. Threads: pure. Failures: none; if there is no zone, the
 * placement has low confidence.
 */
#include "analyze/document/mrz_network.h"
#include "analyze/document/mrz_zone.h"
#include "methods/document/mrz_layout.h"

typedef struct {
    idv_mrz_view_t view; /* upright */
    idv_mrz_zone_t zone; /* in that view */
    /* Column of the zone where each row begins; with strong perspective they
     * differ by one. */
    int first[IDV_MRZ_ZONE_ROWS];
    const idv_mrz_layout_t *layout;
    double score;      /* evidence; larger is better */
    double confidence; /* 0 to 1: mean over the cells of the layout */
    int gap; /* most adjacent columns of one row without a glyph */
    int is_foreign;  /* flag: the zone of a driving licence (mrz_licence.h),
                        which fits no layout */
    double likeness; /* 0 to 1: how far some cells of the zone look like glyphs,
                        even if no layout fits */
} idv_mrz_placement_t;

/* Places a layout on ZONE, which is in VIEW and may be upside down. Returns
 * non-zero if the cells look like glyphs; otherwise OUT has only a likeness and
 * whether the zone is foreign. */
int idv_mrz_placement_find(const idv_mrz_network_t *network,
                           const idv_mrz_view_t *view,
                           const idv_mrz_zone_t *zone,
                           idv_mrz_placement_t *out);

/* The corners of the text of PLACEMENT in the image, clockwise from its own top
 * left one. */
idv_quad_t idv_mrz_placement_area(const idv_mrz_placement_t *placement);

/* Classifies the cells of the placed layout, each five times with small shifts:
 * the logarithms of the mean probabilities. */
void idv_mrz_placement_classify(
    const idv_mrz_network_t *network, const idv_mrz_placement_t *placement,
    float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES]);

#endif
