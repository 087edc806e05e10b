/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_PORTRAIT_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_PORTRAIT_H

/*
 * Whether a photo of a document shows the portrait of a holder: a face that the
 * detector of the selfie methods finds (face/face_finder.h), no larger than a
 * portrait is, and, where the same photo shows the machine-readable zone, above
 * that zone, as ICAO Doc 9303 has it in parts 4 to 7.
 *
 * It tells a photo of a document from one of a mere code. Whose face it is, or
 * whether it was printed there by the issuer, is not known by this.
 *
 * Memory: the finder lives in its pool, the work in the scratch pool. Threads: one
 * photo at a time. Failures: lack of memory; a photo without a face is none.
 */
#include "analyze/face/face_finder.h"
#include "analyze/image.h"

/* Opens the detector with the models of MODELS_DIRECTORY; *FINDER is NULL where
 * that has none for faces. */
idv_error_t *idv_document_portrait_open(const char *models_directory,
                                        idv_face_finder_t **finder,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Where a portrait is looked for. */
typedef struct {
    const idv_quad_t *zone; /* the machine-readable zone on the same photo, clockwise
                               from its own top left; NULL: there is none */
    int is_front; /* without a zone: non-zero when a portrait is expected, so that
                     the photo is looked at in all four directions and not only as
                     it is */
} idv_document_portrait_place_t;

/* What was found. */
typedef struct {
    int found; /* the photo shows a portrait ... */
    int turns; /* ... that is upright when it is turned clockwise by so many
                  quarters, 0 to 3 */
} idv_document_portrait_seen_t;

/* Looks for a portrait on the RGB photo. */
idv_error_t *
idv_document_portrait_find(idv_face_finder_t *finder, const idv_image_t *rgb,
                           const idv_document_portrait_place_t *place,
                           idv_document_portrait_seen_t *seen,
                           apr_pool_t *scratch) IDV_CHECKED;

#endif
