/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_outline.h"

#include <math.h>
#include <string.h>

#include "analyze/image_scale.h"
#include "analyze/vector.h"

enum {
    REDUCED_SIDE = 320, /* pixels of the reduced image */
    LEAST_SIDE = 64,
    ANGLES = 90,       /* of lines, from 0 to 180 degrees */
    ANGLE_SPREAD = 2,  /* an edge votes for this many angles around its own */
    LINES_MAX = 26,    /* the strongest, from which sides are chosen */
    APART_ANGLES = 2,  /* lines that differ by at most this are one ... */
    APART_OFFSETS = 3, /* ... if they are also this close */
    SAMPLES = 40       /* places of a side that are sampled */
};

/* Levels of brightness per pixel. Weaker gradients are not edges, and gradients
 * stronger than a paper edge count as one. */
static const double least_edge = 3, most_edge = 18;

/* The least share of the photo that a document fills, and the range of its
 * aspect ratio: 1.59 for cards and 1.42 for pages, seen at an angle. */
static const double least_share = 0.08, least_ratio = 1.1, most_ratio = 2.1;

/* How far opposite sides may lean because of perspective, and adjacent sides
 * may deviate from the right angle; degrees. */
static const double most_lean = 24, most_skew = 30;

/* Least values for an outline: the share of the weakest side with an edge under
 * it, and the total score. */
static const double least_side = 0.45, least_support = 0.55;

/* The edges of the reduced image: the gradient of brightness at each pixel. */
typedef struct {
    int width, height;
    float *x, *y, *strength; /* strength 0: not the ridge of an edge */
} edges_t;

/* x cos + y sin = offset */
typedef struct {
    double cosine, sine, offset;
    double angle; /* degrees, 0 to 180 */
} line_t;

typedef struct {
    const edges_t *edges;
    line_t lines[LINES_MAX];
    int line_count;
    idv_document_outlines_t *outlines;
} search_t;

/* --- edges --- */

/* The gradient of brightness in levels per pixel, by Sobel's operator. */
static void differentiate(const idv_image_t *image, edges_t *edges)
{
    for (int y = 1; y < image->height - 1; y++)
        for (int x = 1; x < image->width - 1; x++) {
            const unsigned char *p = idv_image_row(image, y) + x;
            const unsigned char *up = p - image->stride;
            const unsigned char *down = p + image->stride;
            int i = y * image->width + x;

            edges->x[i] = (float)(up[1] + 2 * p[1] + down[1] - up[-1]
                                  - 2 * p[-1] - down[-1])
                        / 8;
            edges->y[i] = (float)(down[-1] + 2 * down[0] + down[1] - up[-1]
                                  - 2 * up[0] - up[1])
                        / 8;
        }
}

/* Reduces each edge to its ridge: a pixel that is weaker than its neighbour
 * across the edge gets strength 0. */
static void find_ridges(edges_t *edges)
{
    for (int y = 2; y < edges->height - 2; y++)
        for (int x = 2; x < edges->width - 2; x++) {
            int i = y * edges->width + x;
            float gx = edges->x[i], gy = edges->y[i];
            float strength = hypotf(gx, gy);
            int dx = fabsf(gx) > 0.4f * strength ? (gx > 0 ? 1 : -1) : 0;
            int dy = fabsf(gy) > 0.4f * strength ? (gy > 0 ? 1 : -1) : 0;
            int before = i - dy * edges->width - dx;
            int after = i + dy * edges->width + dx;

            if (strength >= least_edge
                && strength >= hypotf(edges->x[before], edges->y[before])
                && strength > hypotf(edges->x[after], edges->y[after]))
                edges->strength[i] = fminf(strength, (float)most_edge);
        }
}

static idv_error_t *find_edges(const idv_image_t *gray, double factor,
                               edges_t *edges, apr_pool_t *pool)
{
    idv_image_t *image;
    apr_size_t pixels;

    IDV_TRY(idv_image_scale(gray, factor, &image, pool));
    IDV_TRY(idv_image_blur(image, 1, &image, pool));
    pixels = (apr_size_t)image->width * (apr_size_t)image->height;
    edges->width = image->width;
    edges->height = image->height;
    edges->x = apr_pcalloc(pool, sizeof(float) * pixels);
    edges->y = apr_pcalloc(pool, sizeof(float) * pixels);
    edges->strength = apr_pcalloc(pool, sizeof(float) * pixels);
    differentiate(image, edges);
    find_ridges(edges);
    return NULL;
}

/* --- lines --- */

/* The votes by angle and offset; offsets are whole pixels from -REACH on. */
typedef struct {
    int reach, offsets;
    float *votes;
    double cosine[ANGLES], sine[ANGLES];
} ballot_t;

static void make_ballot(const edges_t *edges, ballot_t *ballot,
                        apr_pool_t *pool)
{
    ballot->reach = (int)hypot(edges->width, edges->height) + 1;
    ballot->offsets = 2 * ballot->reach + 1;
    ballot->votes = apr_pcalloc(pool, sizeof(float) * ANGLES
                                          * (apr_size_t)ballot->offsets);
    for (int a = 0; a < ANGLES; a++) {
        ballot->cosine[a] = cos(a * M_PI / ANGLES);
        ballot->sine[a] = sin(a * M_PI / ANGLES);
    }
}

static void vote(const edges_t *edges, ballot_t *ballot)
{
    for (int y = 2; y < edges->height - 2; y++)
        for (int x = 2; x < edges->width - 2; x++) {
            int i = y * edges->width + x, own;

            if (edges->strength[i] <= 0)
                continue;
            own = (int)lround(atan2(edges->y[i], edges->x[i]) * ANGLES / M_PI);
            for (int k = own - ANGLE_SPREAD; k <= own + ANGLE_SPREAD; k++) {
                int a = (k + 2 * ANGLES) % ANGLES;
                double offset = ballot->cosine[a] * x + ballot->sine[a] * y;

                ballot->votes[a * ballot->offsets + ballot->reach
                              + idv_round_small(offset)] += edges->strength[i];
            }
        }
}

/* The votes of a line and of its two neighbours, since sides are not quite
 * straight. */
static float count_votes(const ballot_t *ballot, int angle, int offset)
{
    const float *votes = ballot->votes + angle * ballot->offsets + offset;

    return votes[0] + (votes[-1] + votes[1]) / 2;
}

/* Removes the votes of LINE and of similar lines. */
static void void_votes(ballot_t *ballot, int angle, int offset)
{
    for (int k = angle - APART_ANGLES; k <= angle + APART_ANGLES; k++) {
        int a = (k + ANGLES) % ANGLES;
        /* Beyond 0 and 180 degrees, a line appears with the opposite sign. */
        int middle = k == a ? offset : ballot->offsets - 1 - offset;

        for (int o = middle - APART_OFFSETS; o <= middle + APART_OFFSETS; o++)
            if (o >= 0 && o < ballot->offsets)
                ballot->votes[a * ballot->offsets + o] = 0;
    }
}

/* The strongest lines, none of which are duplicates. */
static void find_lines(ballot_t *ballot, search_t *search)
{
    const float least = (float)most_edge * LEAST_SIDE / 4;

    while (search->line_count < LINES_MAX) {
        line_t *line = &search->lines[search->line_count];
        float most = 0;
        int angle = 0, offset = 0;

        for (int a = 0; a < ANGLES; a++)
            for (int o = 1; o < ballot->offsets - 1; o++) {
                float votes = count_votes(ballot, a, o);

                if (votes > most) {
                    most = votes;
                    angle = a;
                    offset = o;
                }
            }
        if (most < least)
            break;
        line->angle = angle * 180.0 / ANGLES;
        line->cosine = ballot->cosine[angle];
        line->sine = ballot->sine[angle];
        line->offset = offset - ballot->reach;
        search->line_count++;
        void_votes(ballot, angle, offset);
    }
}

/* --- quadrilaterals --- */

/* The intersection of two lines; zero if they are nearly parallel. */
static int cross(const line_t *a, const line_t *b, idv_point_t *point)
{
    double turn = a->cosine * b->sine - a->sine * b->cosine;

    if (fabs(turn) < 0.3)
        return 0;
    point->x = (a->offset * b->sine - b->offset * a->sine) / turn;
    point->y = (b->offset * a->cosine - a->offset * b->cosine) / turn;
    return 1;
}

/* The angle between two lines, 0 to 90 degrees. */
static double turn_between(const line_t *a, const line_t *b)
{
    double turn = fabs(a->angle - b->angle);

    return turn > 90 ? 180 - turn : turn;
}

/* Non-zero if an edge from A to B passes through the place at SHARE of the way;
 * -1 if that place is outside the image. */
static int has_edge(const edges_t *edges, idv_point_t a, idv_point_t b,
                    double share)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    double nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;

    for (int k = -1; k <= 1; k++) {
        int x = idv_round_small(a.x + share * (b.x - a.x) + k * nx);
        int y = idv_round_small(a.y + share * (b.y - a.y) + k * ny);
        int i = y * edges->width + x;
        double across, along;

        if (x < 1 || y < 1 || x >= edges->width - 1 || y >= edges->height - 1)
            return -1;
        across = fabs(edges->x[i] * nx + edges->y[i] * ny);
        along = fabs(edges->x[i] * ny - edges->y[i] * nx);
        if (across >= least_edge && across > 1.5 * along)
            return 1;
    }
    return 0;
}

/* The share of the way from A to B, between FIRST and LAST of it, with an edge
 * under it. Places outside the image are not counted. */
static double share_of_edge(const edges_t *edges, const idv_point_t side[2],
                            double first, double last)
{
    int with = 0, seen = 0;

    for (int i = 0; i < SAMPLES; i++) {
        int has = has_edge(edges, side[0], side[1],
                           first + (last - first) * (i + 0.5) / SAMPLES);

        with += has > 0;
        seen += has >= 0;
    }
    return seen > SAMPLES / 4 ? (double)with / seen : 0;
}

/* The score of the quadrilateral as an outline; 0: not an outline. */
static double support_of(const edges_t *edges, const idv_quad_t *quad)
{
    double weakest = 1, sum = 0, beyond = 0;

    for (int i = 0; i < 4; i++) {
        const idv_point_t side[2] = {quad->corner[i],
                                     quad->corner[(i + 1) % 4]};
        double share = share_of_edge(edges, side, 0.06, 0.94);

        if (share < least_side)
            return 0;
        weakest = fmin(weakest, share);
        sum += share;
        beyond += share_of_edge(edges, side, -0.16, -0.03)
                + share_of_edge(edges, side, 1.03, 1.16);
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
static int arrange(const edges_t *edges, idv_quad_t *quad)
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
static void try_sides(search_t *search, const line_t *const pair[2],
                      const line_t *const other[2])
{
    idv_quad_t quad;
    double support;

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (turn_between(pair[i], other[k]) < 90 - most_skew)
                return;
    if (!cross(pair[0], other[0], &quad.corner[0])
        || !cross(pair[0], other[1], &quad.corner[1])
        || !cross(pair[1], other[1], &quad.corner[2])
        || !cross(pair[1], other[0], &quad.corner[3])
        || !arrange(search->edges, &quad))
        return;
    support = support_of(search->edges, &quad);
    if (support >= least_support)
        note(search, &quad, support);
}

/* The distance of two lines in the middle of the image. */
static double distance_between(const edges_t *edges, const line_t *a,
                               const line_t *b)
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
    const edges_t *edges = search->edges;
    const line_t *a = &search->lines[i], *b = &search->lines[k];
    int shorter = edges->width < edges->height ? edges->width : edges->height;

    return turn_between(a, b) <= most_lean
        && distance_between(edges, a, b) > shorter * 0.2;
}

/* Combines all pairs of opposite sides with each other, each combination
 * once. */
static void find_quads(search_t *search)
{
    struct {
        const line_t *line[2];
    } pairs[LINES_MAX * (LINES_MAX - 1) / 2];
    int count = 0;

    for (int i = 0; i < search->line_count; i++)
        for (int k = i + 1; k < search->line_count; k++)
            if (are_opposite(search, i, k)) {
                pairs[count].line[0] = &search->lines[i];
                pairs[count++].line[1] = &search->lines[k];
            }
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            try_sides(search, pairs[i].line, pairs[k].line);
}

idv_error_t *idv_document_outlines_find(const idv_image_t *gray,
                                        idv_document_outlines_t *outlines,
                                        apr_pool_t *scratch)
{
    int longer = gray->width > gray->height ? gray->width : gray->height;
    double factor = longer > REDUCED_SIDE ? (double)REDUCED_SIDE / longer : 1;
    search_t search = {.outlines = outlines};
    edges_t edges = {0};
    ballot_t ballot;

    outlines->count = 0;
    if (gray->width * factor < LEAST_SIDE || gray->height * factor < LEAST_SIDE)
        return NULL;
    IDV_TRY(find_edges(gray, factor, &edges, scratch));
    make_ballot(&edges, &ballot, scratch);
    vote(&edges, &ballot);
    search.edges = &edges;
    find_lines(&ballot, &search);
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

            corner->x = (corner->x + 0.5) / factor;
            corner->y = (corner->y + 0.5) / factor;
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
