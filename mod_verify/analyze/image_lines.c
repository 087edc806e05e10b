/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image_lines.h"

#include <math.h>

#include "analyze/image_scale.h"
#include "analyze/vector.h"

enum {
    ANGLES = 90,       /* of lines, from 0 to 180 degrees */
    ANGLE_SPREAD = 2,  /* an edge votes for this many angles around its own */
    APART_ANGLES = 2,  /* lines that differ by at most this are one ... */
    APART_OFFSETS = 3, /* ... if they are also this close */
    LEAST_LENGTH = 64, /* pixels of the shortest line */
    SAMPLES = 40       /* places of a side that are sampled */
};

/* Gradients stronger than a paper edge count as one. */
static const double most_edge = 18;

/* How far edges stand out of the grain that half of the pixels stay below. */
static const double grain = 2.2;

/* --- edges --- */

/* The gradient of brightness in levels per pixel, by Sobel's operator. */
static void differentiate(const idv_image_t *image, idv_image_edges_t *edges)
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
static void find_ridges(idv_image_edges_t *edges)
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

            if (strength >= IDV_IMAGE_EDGE_LEAST
                && strength >= hypotf(edges->x[before], edges->y[before])
                && strength > hypotf(edges->x[after], edges->y[after]))
                edges->strength[i] = fminf(strength, (float)most_edge);
        }
}

idv_error_t *idv_image_edges_find(const idv_image_t *gray, int side,
                                  idv_image_edges_t *edges, apr_pool_t *pool)
{
    int longer = gray->width > gray->height ? gray->width : gray->height;
    double factor = longer > side ? (double)side / longer : 1;
    idv_image_t *image;
    apr_size_t pixels;

    IDV_TRY(idv_image_scale(gray, factor, &image, pool));
    IDV_TRY(idv_image_blur(image, 1, &image, pool));
    pixels = (apr_size_t)image->width * (apr_size_t)image->height;
    edges->factor = factor;
    edges->least = IDV_IMAGE_EDGE_LEAST;
    edges->width = image->width;
    edges->height = image->height;
    edges->x = apr_pcalloc(pool, sizeof(float) * pixels);
    edges->y = apr_pcalloc(pool, sizeof(float) * pixels);
    edges->strength = apr_pcalloc(pool, sizeof(float) * pixels);
    differentiate(image, edges);
    find_ridges(edges);
    return NULL;
}

void idv_image_edges_ignore_grain(idv_image_edges_t *edges)
{
    enum { BINS = 256, BINS_PER_LEVEL = 4 };
    int counts[BINS] = {0}, all = 0, bin = 0;

    for (int i = 0; i < edges->width * edges->height; i += 3, all++) {
        int of = (int)(BINS_PER_LEVEL
                       * fmaxf(fabsf(edges->x[i]), fabsf(edges->y[i])));

        counts[of < BINS ? of : BINS - 1]++;
    }
    for (int sum = counts[0]; sum < all / 2; sum += counts[++bin])
        ;
    edges->least = fmax(edges->least, grain * bin / BINS_PER_LEVEL);
}

/* --- lines --- */

/* The votes by angle and offset; offsets are whole pixels from -REACH on. */
typedef struct {
    int reach, offsets;
    float *votes;
    double cosine[ANGLES], sine[ANGLES];
} ballot_t;

static void make_ballot(const idv_image_edges_t *edges, ballot_t *ballot,
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

static void vote(const idv_image_edges_t *edges, ballot_t *ballot)
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

static void count_lines(ballot_t *ballot, idv_image_lines_t *lines)
{
    const float least = (float)most_edge * LEAST_LENGTH / 4;

    while (lines->count < IDV_IMAGE_LINES_MAX) {
        idv_image_line_t *line = &lines->at[lines->count];
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
        lines->count++;
        void_votes(ballot, angle, offset);
    }
}

void idv_image_lines_find(const idv_image_edges_t *edges,
                          idv_image_lines_t *lines, apr_pool_t *scratch)
{
    ballot_t ballot;

    lines->count = 0;
    make_ballot(edges, &ballot, scratch);
    vote(edges, &ballot);
    count_lines(&ballot, lines);
}

/* --- tools for those who combine lines --- */

int idv_image_lines_cross(const idv_image_line_t *a, const idv_image_line_t *b,
                          idv_point_t *point)
{
    double turn = a->cosine * b->sine - a->sine * b->cosine;

    if (fabs(turn) < 0.3)
        return 0;
    point->x = (a->offset * b->sine - b->offset * a->sine) / turn;
    point->y = (b->offset * a->cosine - a->offset * b->cosine) / turn;
    return 1;
}

double idv_image_lines_turn(const idv_image_line_t *a,
                            const idv_image_line_t *b)
{
    double turn = fabs(a->angle - b->angle);

    return turn > 90 ? 180 - turn : turn;
}

int idv_image_edges_pass(const idv_image_edges_t *edges, idv_point_t a,
                         idv_point_t b, double share)
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
        if (across >= edges->least && across > 1.5 * along)
            return 1;
    }
    return 0;
}

double idv_image_edges_share(const idv_image_edges_t *edges,
                             const idv_point_t side[2], double first,
                             double last)
{
    int with = 0, seen = 0;

    for (int i = 0; i < SAMPLES; i++) {
        double share = first + (last - first) * (i + 0.5) / SAMPLES;
        int has = idv_image_edges_pass(edges, side[0], side[1], share);

        with += has > 0;
        seen += has >= 0;
    }
    return seen > SAMPLES / 4 ? (double)with / seen : 0;
}
