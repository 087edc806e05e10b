/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_PASTE_TRACE_H
#define IDV_ANALYZE_DOCUMENT_PASTE_TRACE_H

/*
 * Detects the trace of a picture that was opened, changed in one place and
 * saved again: a JPEG of which all but a region was compressed twice.
 *
 * A coefficient that was quantised by a step and then by a smaller one never
 * takes some values (Lukas and Fridrich, "Estimation of Primary Quantization
 * Matrix in Double Compressed JPEG Images", 2003). So: for each of the low
 * frequencies the earlier step that explains the values of the whole picture
 * best, if there is one; then the rectangle of blocks with the most unexplained
 * values. A pasted region has a different history.
 *
 * There is no result for a picture that was compressed once, or so finely that
 * the rounding of samples leaves gaps of its own, or more coarsely the second
 * time, or was scaled, turned or cut in between; nor if everything was
 * compressed twice, because that does not prove a paste.
 *
 * Memory: scratch. Threads: no state. Nothing fails.
 */
#include "analyze/jpeg_plane.h"

typedef struct {
    int is_known;    /* zero: no earlier compression to compare with */
    double evidence; /* natural logarithm of the likelihood ratio */
} idv_paste_trace_t;

/* Examines the whole picture of PLANE. */
void idv_paste_trace_find(const idv_jpeg_plane_t *plane,
                          idv_paste_trace_t *trace, apr_pool_t *scratch);

#endif
