/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_PLACEMENT_H
#define IDV_ANALYZE_DOCUMENT_MRZ_PLACEMENT_H

/*
 * Which layout of ICAO Doc 9303 lies on the rows of a zone, where it begins and
 * which side is up: the classifier looks at all columns and at some beyond both
 * ends, and the layout is laid where glyphs are inside and none are outside.
 *
 * Memory: values. Threads: pure. Failures: none; a zone that is none has a
 * placement of low confidence.
 */
#include "analyze/document/mrz_network.h"
#include "analyze/document/mrz_zone.h"
#include "methods/document/mrz_layout.h"

typedef struct {
    idv_mrz_view_t view; /* upright */
    idv_mrz_zone_t zone; /* in that view */
    /* Column of the zone where each row begins; in strong perspective they
     * differ by one. */
    int first[IDV_MRZ_ZONE_ROWS];
    const idv_mrz_layout_t *layout;
    double score;      /* evidence; larger is better */
    double confidence; /* 0 to 1: mean over the cells of the layout */
    int gap; /* columns side by side in one row that show no glyph, at most */
    int is_foreign;  /* the zone of a driving licence (mrz_licence.h), which no
                        layout fits */
    double likeness; /* 0 to 1: how far some cells of the zone look like glyphs,
                        whether or not a layout fits */
} idv_mrz_placement_t;

/* Places a layout on ZONE, which lies in VIEW and may be upside down. Returns
 * non-zero when the cells look like glyphs; otherwise OUT has only a likeness and
 * whether the zone is foreign. */
int idv_mrz_placement_find(const idv_mrz_network_t *network,
                           const idv_mrz_view_t *view,
                           const idv_mrz_zone_t *zone,
                           idv_mrz_placement_t *out);

/* Where the text of PLACEMENT lies in the image: its corners, clockwise from its
 * own top left one. */
idv_quad_t idv_mrz_placement_area(const idv_mrz_placement_t *placement);

/* Classifies the cells of the placed layout, each looked at five times with
 * small shifts: the logarithms of the mean probabilities. */
void idv_mrz_placement_classify(
    const idv_mrz_network_t *network, const idv_mrz_placement_t *placement,
    float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES]);

#endif
