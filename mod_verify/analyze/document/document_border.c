/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_border.h"

#include <math.h>

#include "analyze/image_lines.h"
#include "analyze/vector.h"

enum {
    FINE_SIDE = 640, /* pixels of the image in which lines are fitted */
    LEAST_SIDE = 64, /* of the image that is searched for lines */
    SAMPLES = 64,    /* places of a side to which a line is fitted */
    REACH = 6,       /* fine pixels between a line and its edge */
    NEAR_FIRST = 2,  /* fine pixels from the picture's edge: where a leg ... */
    NEAR_LAST = 9,   /* ... still has an edge if the document is cut */
    INWARDS = 4,     /* how far a round corner may bend it there */
    ROUNDS = 2       /* of fitting */
};

/* How far legs may lean, and the base; degrees. */
static const double most_lean = 24;

/* The least length of the base and of the legs, as shares of the picture. */
static const double least_base = 0.25, least_leg = 0.2;

/* The least share of each side with an edge under it, roughly and fitted; that
 * of the base, on which fingers may lie; and of the last part and the last pixels
 * of a leg. */
static const double least_rough = 0.45, least_side = 0.7, least_near = 0.75;
static const double base_covered = 0.65, least_last = 0.6;

/* The share of edge from which a side continues beyond its corner, and how many
 * of the four ends may. */
static const double goes_on = 0.6;
enum { MOST_GO_ON = 1 };

/* The least that is seen of a document across the border, for each pixel along
 * it. */
static const double least_depth = 0.4;

/* Tolerances of what is seen, because of perspective. */
static const double larger = 1.04, zone_least = 0.8, zone_most = 1.02;

/* What is seen of a document. Corners: two on the picture's edge, then the two
 * of the base, around. */
typedef struct {
    idv_point_t corner[4];
} seen_t;

typedef struct {
    const idv_document_border_question_t *question;
    const idv_image_edges_t *rough, *fine;
    idv_image_lines_t lines;
    idv_image_line_t border; /* the examined side of the picture */
    double depth;   /* of the picture, across the border */
    double shorter; /* side of the picture */
} search_t;

static double length_of(idv_point_t a, idv_point_t b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

/* --- shape --- */

/* Non-zero if the corners of the base are inside of the picture, and the legs
 * leave it at the examined side. */
static int is_inside(const idv_image_edges_t *edges, const seen_t *seen)
{
    double margin = 0.005 * (edges->width + edges->height);

    for (int i = 0; i < 4; i++) {
        idv_point_t point = seen->corner[i];
        double least = i < 2 ? -0.5 : margin;

        if (point.x < least || point.y < least
            || point.x > edges->width - 1 - least
            || point.y > edges->height - 1 - least)
            return 0;
    }
    return 1;
}

/* Non-zero if POINT of the photo is in what is seen. */
static int is_seen(const search_t *search, const seen_t *seen,
                   idv_point_t point)
{
    double factor = search->fine->factor;
    idv_point_t fine = {point.x * factor, point.y * factor};
    idv_quad_t one, other; /* one of them is clockwise */

    for (int i = 0; i < 4; i++)
        one.corner[i] = other.corner[3 - i] = seen->corner[i];
    return idv_quad_contains(&one, fine) || idv_quad_contains(&other, fine);
}

/* Non-zero if the barcode is in what is seen; also if it is unknown. */
static int has_code(const search_t *search, const seen_t *seen)
{
    const idv_point_t *code = search->question->code;

    return !code || is_seen(search, seen, *code);
}

/* Non-zero if the zone belongs to a document of which WIDTH is seen along the
 * base and DEPTH along the legs, in fine pixels; also if it is unknown. */
static int fits_zone(const search_t *search, const seen_t *seen, double width,
                     double depth)
{
    const idv_quad_t *zone = search->question->zone;
    double factor = search->fine->factor, ratio = search->question->ratio;
    idv_point_t along, base;
    double length, turn;

    if (!zone)
        return 1;
    along = (idv_point_t){zone->corner[1].x - zone->corner[0].x,
                          zone->corner[1].y - zone->corner[0].y};
    base = (idv_point_t){seen->corner[2].x - seen->corner[3].x,
                         seen->corner[2].y - seen->corner[3].y};
    length = hypot(along.x, along.y);
    turn = fabs(along.x * base.x + along.y * base.y)
         / (length * hypot(base.x, base.y));
    length *= factor;
    if (!is_seen(search, seen, idv_quad_middle(zone)))
        return 0;
    if (turn > 0.8)
        return length > zone_least * width && length < zone_most * width
            && depth * ratio < larger * width;
    return turn < 0.6 && length > zone_least * ratio * width
        && length < zone_most * ratio * width;
}

/* Non-zero if what is seen is a large part of a document, and no more than a
 * whole one. */
static int has_shape(const search_t *search, const seen_t *seen)
{
    double width = (length_of(seen->corner[0], seen->corner[1])
                    + length_of(seen->corner[2], seen->corner[3]))
                 / 2;
    double depth = (length_of(seen->corner[1], seen->corner[2])
                    + length_of(seen->corner[3], seen->corner[0]))
                 / 2;
    double ratio = search->question->ratio;

    if (depth < least_depth * width)
        return 0;
    if (ratio <= 0)
        return depth * IDV_DOCUMENT_RATIO_PAGE < width;
    return (depth * ratio < larger * width
            || (depth > width && depth < larger * ratio * width))
        && has_code(search, seen) && fits_zone(search, seen, width, depth);
}

/* --- edges --- */

/* How many of the ends at the base continue beyond its corners. */
static int count_beyond(const idv_image_edges_t *edges, const seen_t *seen)
{
    const idv_point_t base[2] = {seen->corner[2], seen->corner[3]};
    const idv_point_t one[2] = {seen->corner[1], seen->corner[2]};
    const idv_point_t other[2] = {seen->corner[0], seen->corner[3]};

    return (idv_image_edges_share(edges, base, -0.16, -0.03) > goes_on)
         + (idv_image_edges_share(edges, base, 1.03, 1.16) > goes_on)
         + (idv_image_edges_share(edges, one, 1.03, 1.16) > goes_on)
         + (idv_image_edges_share(edges, other, 1.03, 1.16) > goes_on);
}

/* Non-zero if base and legs have edges under at least LEAST of them. */
static int has_sides(const idv_image_edges_t *edges, const seen_t *seen,
                     double least)
{
    for (int i = 1; i < 4; i++) {
        const idv_point_t side[2] = {seen->corner[i],
                                     seen->corner[(i + 1) % 4]};

        if (idv_image_edges_share(edges, side, 0.06, 0.94)
            < (i == 2 ? base_covered * least : least))
            return 0;
    }
    return count_beyond(edges, seen) <= MOST_GO_ON;
}

/* The gradient across the unit vector (UX, UY) at a place; 0 outside, and where
 * the edge runs another way. */
static double across(const idv_image_edges_t *edges, double x, double y,
                     idv_point_t unit)
{
    int column = idv_round_small(x), row = idv_round_small(y);
    int i = row * edges->width + column;
    double over, along;

    if (column < 1 || row < 1 || column >= edges->width - 1
        || row >= edges->height - 1)
        return 0;
    over = edges->y[i] * unit.x - edges->x[i] * unit.y;
    along = edges->x[i] * unit.x + edges->y[i] * unit.y;
    return fabs(over) > 1.5 * fabs(along) ? over : 0;
}

/* The distance of the strongest edge from the place at SHARE of the way from A
 * to B, to the left of it; NAN if there is none. */
static double offset_of_edge(const idv_image_edges_t *edges, idv_point_t a,
                             idv_point_t b, double share)
{
    double length = length_of(a, b), best = edges->least;
    idv_point_t unit = {(b.x - a.x) / length, (b.y - a.y) / length};
    double where = NAN;

    for (int d = -REACH; d <= REACH; d++) {
        double strength =
            fabs(across(edges, a.x + share * (b.x - a.x) - d * unit.y,
                        a.y + share * (b.y - a.y) + d * unit.x, unit));

        if (strength >= best) {
            best = strength;
            where = d;
        }
    }
    return where;
}

/* Fits the line from A to B to the edge next to it: least squares, the second
 * time without what is off the line. Zero if there is too little edge. */
static int fit(const idv_image_edges_t *edges, const idv_point_t *from,
               const idv_point_t *to, idv_image_line_t *line)
{
    idv_point_t a = *from, b = *to;
    double at = 0, slope = 0, length = length_of(a, b), most = REACH;
    idv_point_t normal = {-(b.y - a.y) / length, (b.x - a.x) / length};

    for (int round = 0; round < ROUNDS; round++, most = 1.5) {
        double n = 0, t = 0, tt = 0, d = 0, td = 0;

        for (int i = 0; i < SAMPLES; i++) {
            double share = 0.05 + 0.9 * i / (SAMPLES - 1);
            double off = offset_of_edge(edges, a, b, share);

            if (isnan(off) || fabs(off - at - slope * share) > most)
                continue;
            n++;
            t += share;
            tt += share * share;
            d += off;
            td += share * off;
        }
        if (n < SAMPLES / 2 || n * tt - t * t < 1e-6)
            return 0;
        slope = (n * td - t * d) / (n * tt - t * t);
        at = (d - slope * t) / n;
    }
    b.x += (at + slope) * normal.x;
    b.y += (at + slope) * normal.y;
    a.x += at * normal.x;
    a.y += at * normal.y;
    length = length_of(a, b);
    line->cosine = -(b.y - a.y) / length;
    line->sine = (b.x - a.x) / length;
    line->offset = line->cosine * a.x + line->sine * a.y;
    return 1;
}

/* Non-zero if the leg from BASE to BORDER has an edge up to the border: the
 * same side is brighter, on the line or a little towards INNER. */
static int reaches_border(const idv_image_edges_t *edges, idv_point_t base,
                          idv_point_t border, idv_point_t inner)
{
    double length = length_of(base, border);
    idv_point_t unit = {(border.x - base.x) / length,
                        (border.y - base.y) / length};
    double inwards = (inner.y - border.y) * unit.x > (inner.x - border.x) * unit.y
                       ? 1
                       : -1;
    const idv_point_t leg[2] = {base, border};
    int brighter = 0, darker = 0, count = 0;

    if (idv_image_edges_share(edges, leg, 0.82, 0.97) < least_last)
        return 0;
    for (int k = NEAR_FIRST; k <= NEAR_LAST; k++, count++) {
        double most = 0;

        for (int d = -1; d <= INWARDS; d++) {
            double found = across(
                edges, border.x - k * unit.x - d * inwards * unit.y,
                border.y - k * unit.y + d * inwards * unit.x, unit);

            if (fabs(found) > fabs(most))
                most = found;
        }
        brighter += most >= edges->least;
        darker += most <= -edges->least;
    }
    return (brighter > darker ? brighter : darker) >= least_near * count;
}

/* --- the search --- */

/* Fits what is seen to the fine edges, and judges it strictly. */
static int holds(const search_t *search, const seen_t *rough)
{
    const idv_image_edges_t *fine = search->fine;
    double factor = fine->factor / search->rough->factor;
    idv_image_line_t border = search->border, leg, other, base;
    seen_t seen;

    border.offset *= factor;
    for (int i = 0; i < 4; i++)
        seen.corner[i] = (idv_point_t){rough->corner[i].x * factor,
                                       rough->corner[i].y * factor};
    if (!fit(fine, &seen.corner[1], &seen.corner[2], &leg)
        || !fit(fine, &seen.corner[2], &seen.corner[3], &base)
        || !fit(fine, &seen.corner[3], &seen.corner[0], &other)
        || !idv_image_lines_cross(&border, &other, &seen.corner[0])
        || !idv_image_lines_cross(&border, &leg, &seen.corner[1])
        || !idv_image_lines_cross(&base, &leg, &seen.corner[2])
        || !idv_image_lines_cross(&base, &other, &seen.corner[3]))
        return 0;
    return has_sides(fine, &seen, least_side) && has_shape(search, &seen)
        && reaches_border(fine, seen.corner[2], seen.corner[1], seen.corner[0])
        && reaches_border(fine, seen.corner[3], seen.corner[0], seen.corner[1]);
}

/* Non-zero if the three lines are sides of a document beyond the border. */
static int is_document(const search_t *search, const idv_image_line_t *one,
                       const idv_image_line_t *other,
                       const idv_image_line_t *base)
{
    const idv_image_edges_t *edges = search->rough;
    seen_t seen;

    if (!idv_image_lines_cross(&search->border, other, &seen.corner[0])
        || !idv_image_lines_cross(&search->border, one, &seen.corner[1])
        || !idv_image_lines_cross(base, one, &seen.corner[2])
        || !idv_image_lines_cross(base, other, &seen.corner[3])
        || !is_inside(edges, &seen))
        return 0;
    return length_of(seen.corner[2], seen.corner[3])
               > least_base * search->shorter
        && length_of(seen.corner[0], seen.corner[1])
               > least_base * search->shorter
        && length_of(seen.corner[1], seen.corner[2]) > least_leg * search->shorter
        && length_of(seen.corner[0], seen.corner[3]) > least_leg * search->shorter
        && has_sides(edges, &seen, least_rough) && holds(search, &seen);
}

/* Tries all lines as base and legs of a document that goes beyond the border of
 * the search. */
static int looks_cut(const search_t *search)
{
    const idv_image_line_t *bases[IDV_IMAGE_LINES_MAX];
    const idv_image_line_t *legs[IDV_IMAGE_LINES_MAX];
    int base_count = 0, leg_count = 0;

    for (int i = 0; i < search->lines.count; i++) {
        const idv_image_line_t *line = &search->lines.at[i];
        double turn = idv_image_lines_turn(line, &search->border);

        if (turn <= most_lean)
            bases[base_count++] = line;
        else if (turn >= 90 - most_lean)
            legs[leg_count++] = line;
    }
    for (int i = 0; i < leg_count; i++)
        for (int k = i + 1; k < leg_count; k++)
            for (int b = 0; b < base_count; b++)
                if (is_document(search, legs[i], legs[k], bases[b]))
                    return 1;
    return 0;
}

idv_error_t *
idv_document_border_look(const idv_image_t *gray,
                         const idv_document_border_question_t *question,
                         int *is_cut, apr_pool_t *scratch)
{
    idv_image_edges_t rough, fine;
    search_t search = {.question = question, .rough = &rough, .fine = &fine};

    *is_cut = 0;
    IDV_TRY(
        idv_image_edges_find(gray, IDV_IMAGE_LINES_SIDE, &rough, scratch));
    if (rough.width < LEAST_SIDE || rough.height < LEAST_SIDE)
        return NULL;
    IDV_TRY(idv_image_edges_find(gray, FINE_SIDE, &fine, scratch));
    idv_image_lines_find(&rough, &search.lines, scratch);
    idv_image_edges_ignore_grain(&rough);
    idv_image_edges_ignore_grain(&fine);
    search.shorter = rough.width < rough.height ? rough.width : rough.height;
    for (int side = 0; side < 4 && !*is_cut; side++) {
        int is_level = side < 2, is_far = side % 2;

        search.depth = is_level ? rough.height : rough.width;
        search.border = (idv_image_line_t){!is_level, is_level,
                                           is_far ? search.depth - 1 : 0,
                                           is_level ? 90 : 0};
        *is_cut = looks_cut(&search);
    }
    return NULL;
}
