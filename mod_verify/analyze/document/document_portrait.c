/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_portrait.h"

#include <math.h>
#include <string.h>

#include "analyze/face/model_file.h"
#include "analyze/image_scale.h"

/* The least length in pixels of the photo, and of the zone on it, for a search:
 * the faces of portraits then have 60 or more. */
enum { REDUCED_SIDE = 1000, REDUCED_ZONE = 600 };

/* The width of a face, divided by the length of the zone, which is about that
 * of the document. Heads are 32 to 36 mm high on a page of 125 mm, and 15 to 26
 * mm on a card of 86 mm (Doc 9303-4, 9303-5); a face is two thirds as wide.
 * Small second portraits are about half as large. */
static const double least_of_zone = 0.05, most_of_zone = 0.36;

/* The height of the middle of the face above the zone, divided by the zone's
 * length: 0.35 on pages, 0.3 on cards. */
static const double least_above = 0.02, most_above = 0.9;

/* The margin around that which is also searched, divided by the zone's
 * length. */
static const double around_zone = 0.1;

/* As a share of the longer side of a photo without a zone. A selfie is
 * larger. */
static const double least_of_photo = 0.03, most_of_photo = 0.3;

idv_error_t *idv_document_portrait_open(const char *models_directory,
                                        idv_face_finder_t **finder,
                                        apr_pool_t *pool)
{
    idv_bytes_t file;
    apr_pool_t *scratch;
    int is_there;

    *finder = NULL;
    if (apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    is_there =
        idv_model_map(models_directory, IDV_MODEL_FACE_DETECTOR, &file, scratch)
        == NULL;
    apr_pool_destroy(scratch);
    return is_there ? idv_face_finder_open(models_directory, finder, pool)
                    : NULL;
}

/* The number of clockwise quarter turns that make the zone of a photo upright,
 * within 45 degrees. */
static int turns_of(const idv_quad_t *zone)
{
    const idv_point_t *c = zone->corner;
    double down = atan2(c[1].y - c[0].y, c[1].x - c[0].x) * 180 / M_PI;

    return (8 - (int)lround(down / 90)) % 4;
}

/* The position of POINT, in an image of SIZE, after TURNS clockwise quarter
 * turns. */
static idv_point_t turn_point(idv_point_t point, const int size[2], int turns)
{
    const idv_point_t turned[] = {
        point,
        {size[1] - point.y, point.x},
        {size[0] - point.x, size[1] - point.y},
        {point.y, size[0] - point.x},
    };

    return turned[turns];
}

/* The position of FACE relative to ZONE, both in pixels of the upright
 * photo. */
static int lies_above(const idv_face_t *face, const idv_quad_t *zone)
{
    const idv_point_t *c = zone->corner;
    double dx = c[1].x - c[0].x, dy = c[1].y - c[0].y;
    double length = hypot(dx, dy);
    double x = (face->left + face->right) / 2 - c[0].x;
    double y = (face->top + face->bottom) / 2 - c[0].y;
    double along = (x * dx + y * dy) / length / length;
    double above = (x * dy - y * dx) / length / length;
    double width = (face->right - face->left) / length;

    return width >= least_of_zone && width <= most_of_zone && along > -0.1
        && along < 1.1 && above >= least_above && above <= most_above;
}

static int is_plausible(const idv_face_t *face, const idv_image_t *photo,
                        const idv_quad_t *zone)
{
    int longer = photo->width > photo->height ? photo->width : photo->height;
    double width = (face->right - face->left) / longer;

    return zone ? lies_above(face, zone)
                : width >= least_of_photo && width <= most_of_photo;
}

/* Searches the photo rotated by TURNS quarters; ZONE is in unrotated
 * coordinates. */
static idv_error_t *look(idv_face_finder_t *finder, const idv_image_t *photo,
                         const idv_quad_t *zone,
                         idv_document_portrait_seen_t *seen, apr_pool_t *pool)
{
    idv_face_t *faces = apr_palloc(pool, IDV_FACES_MAX * sizeof(*faces));
    const int size[2] = {photo->width, photo->height};
    idv_image_t *upright;
    idv_quad_t turned;
    int count;

    for (int i = 0; zone && i < 4; i++)
        turned.corner[i] = turn_point(zone->corner[i], size, seen->turns);
    IDV_TRY(idv_image_turn(photo, seen->turns, &upright, pool));
    count = idv_face_find(finder, upright, IDV_FACE_PORTRAIT, faces);
    for (int i = 0; i < count; i++)
        seen->found |= is_plausible(&faces[i], upright, zone ? &turned : NULL);
    return NULL;
}

/* The part of the photo above ZONE that may contain a portrait. */
static idv_error_t *crop(const idv_image_t *rgb, const idv_quad_t *zone,
                         idv_image_t **part, idv_point_t *origin,
                         apr_pool_t *pool)
{
    const idv_point_t *c = zone->corner;
    double dx = c[1].x - c[0].x, dy = c[1].y - c[0].y, length = hypot(dx, dy);
    double up_x = dy * most_above, up_y = -dx * most_above;
    const idv_point_t ends[] = {c[0],
                                c[1],
                                {c[0].x + up_x, c[0].y + up_y},
                                {c[1].x + up_x, c[1].y + up_y}};
    double left = HUGE_VAL, top = HUGE_VAL, right = 0, bottom = 0;
    int x, y, width, height;

    for (int i = 0; i < 4; i++) {
        left = fmin(left, ends[i].x - around_zone * length);
        top = fmin(top, ends[i].y - around_zone * length);
        right = fmax(right, ends[i].x + around_zone * length);
        bottom = fmax(bottom, ends[i].y + around_zone * length);
    }
    x = (int)fmin(fmax(left, 0), rgb->width - 1);
    y = (int)fmin(fmax(top, 0), rgb->height - 1);
    width = (int)fmax(fmin(right, rgb->width) - x, 1);
    height = (int)fmax(fmin(bottom, rgb->height) - y, 1);
    IDV_TRY(idv_image_create(width, height, IDV_IMAGE_RGB, part, pool));
    for (int row = 0; row < height; row++)
        memcpy(idv_image_row(*part, row),
               idv_image_row(rgb, y + row) + x * IDV_IMAGE_RGB,
               (size_t)(*part)->stride);
    *origin = (idv_point_t){x, y};
    return NULL;
}

static idv_error_t *look_above(idv_face_finder_t *finder,
                               const idv_image_t *rgb, const idv_quad_t *zone,
                               idv_document_portrait_seen_t *seen,
                               apr_pool_t *pool)
{
    const idv_point_t *c = zone->corner;
    double length = hypot(c[1].x - c[0].x, c[1].y - c[0].y);
    double factor = fmax(fmin(REDUCED_ZONE / fmax(length, 1), 1), 0.05);
    idv_image_t *part;
    idv_point_t origin;
    idv_quad_t reduced;

    IDV_TRY(crop(rgb, zone, &part, &origin, pool));
    IDV_TRY(idv_image_scale(part, factor, &part, pool));
    for (int i = 0; i < 4; i++)
        reduced.corner[i] = (idv_point_t){(c[i].x - origin.x) * factor,
                                          (c[i].y - origin.y) * factor};
    seen->turns = turns_of(zone);
    return look(finder, part, &reduced, seen, pool);
}

idv_error_t *
idv_document_portrait_find(idv_face_finder_t *finder, const idv_image_t *rgb,
                           const idv_document_portrait_place_t *place,
                           idv_document_portrait_seen_t *seen,
                           apr_pool_t *scratch)
{
    /* Upright first, upside down last. */
    static const int all_turns[] = {0, 1, 3, 2};
    int longer = rgb->width > rgb->height ? rgb->width : rgb->height;
    double factor = longer > REDUCED_SIDE ? (double)REDUCED_SIDE / longer : 1;
    idv_image_t *photo;

    *seen = (idv_document_portrait_seen_t){0, 0};
    if (place->zone)
        return look_above(finder, rgb, place->zone, seen, scratch);
    IDV_TRY(idv_image_scale(rgb, factor, &photo, scratch));
    for (int i = 0; i < (place->is_front ? 4 : 1) && !seen->found; i++) {
        seen->turns = all_turns[i];
        IDV_TRY(look(finder, photo, NULL, seen, scratch));
    }
    return NULL;
}
