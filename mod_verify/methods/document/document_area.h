/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_DOCUMENT_DOCUMENT_AREA_H
#define IDV_METHODS_DOCUMENT_DOCUMENT_AREA_H

/*
 * Where on the pictures the code of a document is, and the part of it that each
 * value was read from. The reader of the photos writes the area into the findings
 * (document_findings.h); reviewers see the places of the values.
 *
 *   "area": { "side": "front"|"back", "corners": [x, y, x, y, x, y, x, y] } | null
 *
 * Corners are shares of the width and height of the upright picture, 0 to 1,
 * clockwise from the top left one of the text.
 *
 * Memory: values; JSON belongs to the caller. Threads: pure.
 */
#include <jansson.h>

#include "methods/document/document.h"
#include "methods/findings_reader.h"

/* A picture of a document. */
typedef enum {
    IDV_DOCUMENT_SIDE_NONE,
    IDV_DOCUMENT_SIDE_FRONT,
    IDV_DOCUMENT_SIDE_BACK
} idv_document_side_name_t;

/* "front" or "back"; NULL for NONE. */
const char *idv_document_side_code(idv_document_side_name_t side);
idv_document_side_name_t idv_document_side_find(const char *code);

/* The member SIDE of OBJECT: a code or null. */
idv_document_side_name_t
idv_document_side_read(idv_findings_reading_t *reading, const json_t *object);

typedef struct {
    double x, y;
} idv_document_point_t;

typedef struct {
    idv_document_side_name_t side; /* NONE: it is unknown */
    idv_document_point_t corner[4];
} idv_document_area_t;

/* The form above. Corners outside of the picture are moved to its edge. */
json_t *idv_document_area_write(const idv_document_area_t *area);

/* The member "area" of OBJECT. */
void idv_document_area_read(idv_findings_reading_t *reading,
                            const json_t *object, idv_document_area_t *area);

/* For each value of a document read from a code of SOURCE at AREA, its place: the
 * corners of its characters in a zone, or of the whole symbol,
 *   { "number": [x, y, x, y, x, y, x, y], ... }
 * JSON null if the area is unknown. Values that follow from others have none. */
json_t *idv_document_area_places(idv_document_source_t source,
                                 const idv_document_area_t *area);

#endif
