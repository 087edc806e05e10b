/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_outline.h"

#include <math.h>
#include <string.h>

#include "analyze/image_lines.h"

enum {
    LEAST_SIDE = 64 /* pixels of a document or image that shows anything */
};

/* The least share of the photo that a document fills, and the range of its
 * aspect ratio: 1.59 for cards and 1.42 for pages, seen at an angle. */
static const double least_share = 0.08, least_ratio = 1.1, most_ratio = 2.1;

/* How far opposite sides may lean because of perspective, and adjacent sides
 * may deviate from the right angle; degrees. */
static const double most_lean = 24, most_skew = 30;

/* Least values for an outline: the share of the weakest side with an edge under
 * it, and the total score. */
static const double least_side = 0.45, least_support = 0.55;

typedef struct {
    const idv_image_edges_t *edges;
    idv_image_lines_t lines;
    idv_document_outlines_t *outlines;
} search_t;

/* --- quadrilaterals --- */

/* The score of the quadrilateral as an outline; 0: not an outline. */
static double support_of(const idv_image_edges_t *edges, const idv_quad_t *quad)
{
    double weakest = 1, sum = 0, beyond = 0;

    for (int i = 0; i < 4; i++) {
        const idv_point_t side[2] = {quad->corner[i],
                                     quad->corner[(i + 1) % 4]};
        double share = idv_image_edges_share(edges, side, 0.06, 0.94);

        if (share < least_side)
            return 0;
        weakest = fmin(weakest, share);
        sum += share;
        beyond += idv_image_edges_share(edges, side, -0.16, -0.03)
                + idv_image_edges_share(edges, side, 1.03, 1.16);
    }
    return 0.5 * weakest + 0.125 * sum - 0.05 * beyond;
}

static double side_length(const idv_quad_t *quad, int side)
{
    const idv_point_t *a = &quad->corner[side];
    const idv_point_t *b = &quad->corner[(side + 1) % 4];

    return hypot(b->x - a->x, b->y - a->y);
}

static double area_of(const idv_quad_t *quad)
{
    double area = 0;

    for (int i = 0; i < 4; i++) {
        const idv_point_t *a = &quad->corner[i];
        const idv_point_t *b = &quad->corner[(i + 1) % 4];

        area += a->x * b->y - b->x * a->y;
    }
    return area / 2;
}

/* Brings the corners into the order of idv_document_outline_t; zero if the
 * quadrilateral cannot be a document. */
static int arrange(const idv_image_edges_t *edges, idv_quad_t *quad)
{
    double area = area_of(quad), one, other;

    if (area < 0) { /* counter-clockwise */
        idv_point_t second = quad->corner[1];

        quad->corner[1] = quad->corner[3];
        quad->corner[3] = second;
        area = -area;
    }
    if (area < least_share * edges->width * edges->height)
        return 0;
    for (int i = 0; i < 4; i++) {
        const idv_point_t *corner = &quad->corner[i];

        if (corner->x < -0.05 * edges->width || corner->x > 1.05 * edges->width
            || corner->y < -0.05 * edges->height
            || corner->y > 1.05 * edges->height)
            return 0;
    }
    one = side_length(quad, 0) + side_length(quad, 2);
    other = side_length(quad, 1) + side_length(quad, 3);
    if (other > one) {
        idv_point_t first = quad->corner[0];
        double shorter = one;

        memmove(quad->corner, quad->corner + 1, 3 * sizeof(first));
        quad->corner[3] = first;
        one = other;
        other = shorter;
    }
    return one >= least_ratio * other && one <= most_ratio * other;
}

/* Keeps QUAD if it is among the best. Of two nearly equal ones, the better is
 * kept. */
static void note(search_t *search, const idv_quad_t *quad, double support)
{
    idv_document_outlines_t *outlines = search->outlines;
    double close = 0.05 * side_length(quad, 0);
    int place = outlines->count;

    for (int i = 0; i < outlines->count; i++) {
        idv_point_t a = idv_quad_middle(quad);
        idv_point_t b = idv_quad_middle(&outlines->at[i].corners);

        if (hypot(a.x - b.x, a.y - b.y) < close
            && fabs(side_length(quad, 0)
                    - side_length(&outlines->at[i].corners, 0))
                   < 2 * close) {
            if (support > outlines->at[i].support)
                outlines->at[i] = (idv_document_outline_t){*quad, support};
            return;
        }
    }
    if (place < IDV_DOCUMENT_OUTLINES_MAX)
        outlines->count++;
    else if (support > outlines->at[place - 1].support)
        place--;
    else
        return;
    outlines->at[place] = (idv_document_outline_t){*quad, support};
}

/* The quadrilateral formed by two pairs of lines. */
static void try_sides(search_t *search, const idv_image_line_t *const pair[2],
                      const idv_image_line_t *const other[2])
{
    idv_quad_t quad;
    double support;

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (idv_image_lines_turn(pair[i], other[k]) < 90 - most_skew)
                return;
    if (!idv_image_lines_cross(pair[0], other[0], &quad.corner[0])
        || !idv_image_lines_cross(pair[0], other[1], &quad.corner[1])
        || !idv_image_lines_cross(pair[1], other[1], &quad.corner[2])
        || !idv_image_lines_cross(pair[1], other[0], &quad.corner[3])
        || !arrange(search->edges, &quad))
        return;
    support = support_of(search->edges, &quad);
    if (support >= least_support)
        note(search, &quad, support);
}

/* The distance of two lines in the middle of the image. */
static double distance_between(const idv_image_edges_t *edges,
                               const idv_image_line_t *a,
                               const idv_image_line_t *b)
{
    double x = edges->width / 2.0, y = edges->height / 2.0;
    double from_a = a->cosine * x + a->sine * y - a->offset;
    double from_b = b->cosine * x + b->sine * y - b->offset;

    return fabs(a->angle - b->angle) > 90 ? fabs(from_a + from_b)
                                          : fabs(from_a - from_b);
}

/* Non-zero if the lines may be opposite sides. */
static int are_opposite(const search_t *search, int i, int k)
{
    const idv_image_edges_t *edges = search->edges;
    const idv_image_line_t *a = &search->lines.at[i], *b = &search->lines.at[k];
    int shorter = edges->width < edges->height ? edges->width : edges->height;

    return idv_image_lines_turn(a, b) <= most_lean
        && distance_between(edges, a, b) > shorter * 0.2;
}

/* Combines all pairs of opposite sides with each other, each combination
 * once. */
static void find_quads(search_t *search)
{
    struct {
        const idv_image_line_t *line[2];
    } pairs[IDV_IMAGE_LINES_MAX * (IDV_IMAGE_LINES_MAX - 1) / 2];
    int count = 0;

    for (int i = 0; i < search->lines.count; i++)
        for (int k = i + 1; k < search->lines.count; k++)
            if (are_opposite(search, i, k)) {
                pairs[count].line[0] = &search->lines.at[i];
                pairs[count++].line[1] = &search->lines.at[k];
            }
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            try_sides(search, pairs[i].line, pairs[k].line);
}

idv_error_t *idv_document_outlines_find(const idv_image_t *gray,
                                        idv_document_outlines_t *outlines,
                                        apr_pool_t *scratch)
{
    search_t search = {.outlines = outlines};
    idv_image_edges_t edges;

    outlines->count = 0;
    IDV_TRY(
        idv_image_edges_find(gray, IDV_IMAGE_LINES_SIDE, &edges, scratch));
    if (edges.width < LEAST_SIDE || edges.height < LEAST_SIDE)
        return NULL;
    search.edges = &edges;
    idv_image_lines_find(&edges, &search.lines, scratch);
    find_quads(&search);
    if (outlines->count > 1
        && outlines->at[1].support > outlines->at[0].support) {
        idv_document_outline_t better = outlines->at[1];

        outlines->at[1] = outlines->at[0];
        outlines->at[0] = better;
    }
    for (int i = 0; i < outlines->count; i++)
        for (int k = 0; k < 4; k++) {
            idv_point_t *corner = &outlines->at[i].corners.corner[k];

            corner->x = (corner->x + 0.5) / edges.factor;
            corner->y = (corner->y + 0.5) / edges.factor;
        }
    return NULL;
}

/* --- cutting out --- */

idv_error_t *idv_document_outline_cut(const idv_image_t *gray,
                                      const idv_document_outline_t *outline,
                                      int most, idv_warp_t *warp,
                                      idv_image_t **view, apr_pool_t *pool)
{
    const idv_quad_t *quad = &outline->corners;
    double width = fmax(side_length(quad, 0), side_length(quad, 2));
    double height = fmax(side_length(quad, 1), side_length(quad, 3));
    double factor = width > most ? most / width : 1;

    *view = NULL;
    if (width < LEAST_SIDE || height < LEAST_SIDE || height > 2 * width)
        return NULL;
    warp->from = *quad;
    warp->margin = (int)(0.02 * width * factor);
    warp->width = (int)(width * factor) + 2 * warp->margin;
    warp->height = (int)(height * factor) + 2 * warp->margin;
    return idv_image_warp(gray, warp, view, pool);
}

idv_error_t *idv_document_middle_cut(const idv_image_t *gray, double share,
                                     idv_warp_t *warp, idv_image_t **view,
                                     apr_pool_t *pool)
{
    int width = (int)(gray->width * share), height = (int)(gray->height * share);
    int left = (gray->width - width) / 2, top = (gray->height - height) / 2;
    double right = left + width, bottom = top + height;

    *warp = (idv_warp_t){
        {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}},
        width,
        height,
        0};
    IDV_TRY(idv_image_create(width, height, IDV_IMAGE_GRAY, view, pool));
    for (int y = 0; y < height; y++)
        memcpy(idv_image_row(*view, y), idv_image_row(gray, top + y) + left,
               (size_t)width);
    return NULL;
}
