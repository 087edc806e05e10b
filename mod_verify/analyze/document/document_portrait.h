/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_DOCUMENT_PORTRAIT_H
#define IDV_ANALYZE_DOCUMENT_DOCUMENT_PORTRAIT_H

/*
 * Decides whether a photo of a document shows the holder's portrait: a face
 * found by the detector of the selfie methods (face/face_finder.h), no larger
 * than a portrait and, if the photo shows the machine-readable zone, above that
 * zone, as ICAO Doc 9303 specifies in parts 4 to 7.
 *
 * This distinguishes a photo of a document from one of only a code. It does not
 * tell whose face it is, or whether the issuer printed it.
 *
 * Memory: the finder lives in its pool, the work in the scratch pool. Threads:
 * one photo at a time. Failures: lack of memory; a photo without a face is not
 * a failure.
 */
#include "analyze/face/face_finder.h"
#include "analyze/image.h"

/* Opens the detector with the models of MODELS_DIRECTORY; *FINDER is NULL if
 * there are none for faces. */
idv_error_t *idv_document_portrait_open(const char *models_directory,
                                        idv_face_finder_t **finder,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Where to search for a portrait. */
typedef struct {
    const idv_quad_t *zone; /* the machine-readable zone on the same photo,
                               clockwise from its own top left; NULL: none */
    int is_front; /* without a zone: non-zero if a portrait is expected, so that
                     the photo is searched in all four directions and not only
                     as it is */
} idv_document_portrait_place_t;

/* The result of the search. */
typedef struct {
    int found; /* the photo shows a portrait ... */
    int turns; /* ... that is upright after this many clockwise quarter turns, 0
                  to 3 */
} idv_document_portrait_seen_t;

/* Searches the RGB photo for a portrait. */
idv_error_t *
idv_document_portrait_find(idv_face_finder_t *finder, const idv_image_t *rgb,
                           const idv_document_portrait_place_t *place,
                           idv_document_portrait_seen_t *seen,
                           apr_pool_t *scratch) IDV_CHECKED;

#endif
