/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/picture_traces.h"

#include <math.h>

#include "analyze/document/document_outline.h"
#include "analyze/document/paste_trace.h"
#include "analyze/document/raster_trace.h"
#include "analyze/jpeg_plane.h"

/* The limits, derived from pictures of t/lib/recaptures.py. */
static const double prominence_limit = 3.5;
static const double evidence_limit = 1200;

/* The extent of a document above its zone, divided by the zone's length: 0.48
 * on cards, 0.6 on pages (Doc 9303-4, 9303-5). */
static const double above_zone = 0.48;

/* As a share of the sides of a photo on which no document was found. */
static const double middle_share = 0.6;

/* Maps X to a share, which is 0.5 at LIMIT. */
static double score(double x, double limit)
{
    return x / (x + limit);
}

/* --- the position of the document --- */

static void above(const idv_quad_t *zone, idv_quad_t *document)
{
    const idv_point_t *c = zone->corner;
    double up_x = (c[1].y - c[0].y) * above_zone;
    double up_y = -(c[1].x - c[0].x) * above_zone;

    *document = *zone;
    for (int i = 0; i < 2; i++) {
        document->corner[i].x += up_x;
        document->corner[i].y += up_y;
    }
}

static idv_error_t *locate(const idv_traced_picture_t *picture,
                           idv_quad_t *document, apr_pool_t *scratch)
{
    double left = picture->gray->width * (1 - middle_share) / 2;
    double top = picture->gray->height * (1 - middle_share) / 2;
    double right = picture->gray->width - left;
    double bottom = picture->gray->height - top;
    idv_document_outlines_t outlines;

    if (picture->zone) {
        above(picture->zone, document);
        return NULL;
    }
    *document = (idv_quad_t){
        {{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
    IDV_TRY(idv_document_outlines_find(picture->gray, &outlines, scratch));
    if (outlines.count > 0)
        *document = outlines.at[0].corners;
    return NULL;
}

/* The position in the file of the point (X, Y) of an upright photo, from 0 to
 * 1. */
static idv_point_t stored_point(idv_point_t upright, int orientation)
{
    double x = upright.x, y = upright.y;
    const idv_point_t points[] = {
        [IDV_ORIENTATION_UPRIGHT] = {x, y},
        [IDV_ORIENTATION_MIRRORED] = {1 - x, y},
        [IDV_ORIENTATION_HALF_TURN] = {1 - x, 1 - y},
        [IDV_ORIENTATION_FLIPPED] = {x, 1 - y},
        [IDV_ORIENTATION_TRANSPOSED] = {y, x},
        [IDV_ORIENTATION_LEFT_TURN] = {y, 1 - x},
        [IDV_ORIENTATION_TRANSVERSED] = {1 - y, 1 - x},
        [IDV_ORIENTATION_RIGHT_TURN] = {1 - y, x},
    };

    return points[orientation];
}

static void place_in_file(const idv_traced_picture_t *picture,
                          const idv_image_t *plane, idv_quad_t *document)
{
    for (int i = 0; i < 4; i++) {
        idv_point_t *corner = &document->corner[i];
        idv_point_t share = {corner->x / picture->gray->width,
                             corner->y / picture->gray->height};

        share = stored_point(share, picture->decoded->orientation);
        *corner = (idv_point_t){share.x * plane->width, share.y * plane->height};
    }
}

idv_error_t *idv_picture_traces_find(const idv_traced_picture_t *picture,
                                     idv_picture_traces_t *traces,
                                     apr_pool_t *scratch)
{
    idv_jpeg_plane_t plane;
    idv_quad_t document;
    idv_raster_trace_t raster;
    idv_paste_trace_t paste;

    *traces = (idv_picture_traces_t){-1, -1};
    IDV_TRY(idv_jpeg_plane_read(picture->file, &plane, scratch));
    IDV_TRY(locate(picture, &document, scratch));
    if (plane.gray)
        place_in_file(picture, plane.gray, &document);
    idv_raster_trace_find(plane.gray ? plane.gray : picture->gray, &document,
                          &raster, scratch);
    if (raster.is_known)
        traces->raster = score(raster.prominence, prominence_limit);
    idv_paste_trace_find(&plane, &paste, scratch);
    if (paste.is_known)
        traces->paste = score(paste.evidence, evidence_limit);
    return NULL;
}
