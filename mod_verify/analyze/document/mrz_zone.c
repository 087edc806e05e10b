/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_zone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CHAIN = 128, /* glyphs */
    LEAST_CHAIN = 8,
    LEAST_ROW = 14, /* glyphs of a row of a zone */
    LEAST_LONE_ROW = 26, /* columns of the only row of a zone, which has 30: */
    MOST_LONE_ROW = 34,  /* glyphs at its ends may be missed or foreign */
    MAX_PAIRS = 64,
    /* The last glyphs of a chain, whose heights and slope lead to the next.
     * With fewer than LEAST_SLOPE, the chain counts as level. */
    RECENT_HEIGHTS = 10,
    RECENT_SLOPE = 12,
    LEAST_SLOPE = 5
};
#define STEEPEST 0.18 /* slope of a line */
#define LEAST_REGULAR 0.66
/* Normal equations with a smaller determinant count as unsolvable. */
#define LEAST_DETERMINANT 1e-12
/* The height of the box of an OCR-B capital, in pitches, and the deviation from
 * it that is attributed to the bits rather than to the page. */
#define CAPITAL_HEIGHT 1.08
#define DOUBTFUL_STRETCH 0.08

/* Glyphs that follow one another from left to right. */
typedef struct {
    int count;
    int glyphs[MAX_CHAIN];
    double pitch, height; /* medians */
    double line[3];
    double left, right;
    double regular; /* share of glyphs at whole pitches */
} chain_t;

typedef struct {
    const idv_mrz_glyphs_t *glyphs;
    unsigned char *used; /* by a chain */
    chain_t *chains;
    int count;
} search_t;

/* ---- fitting ---- */

static double determinant(const double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
         - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
         + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Solves the normal equations of a parabola by Cramer's rule. S are the sums of
 * powers of x, and T those of their products with y. Zero if the points do not
 * determine a parabola. */
static int solve_parabola(const double s[5], const double t[3], double p[3])
{
    double whole[3][3] = {
        {s[0], s[1], s[2]}, {s[1], s[2], s[3]}, {s[2], s[3], s[4]}};
    double divisor = determinant(whole);

    if (fabs(divisor) <= LEAST_DETERMINANT)
        return 0;
    for (int k = 0; k < 3; k++) {
        double replaced[3][3];

        memcpy(replaced, whole, sizeof replaced);
        for (int row = 0; row < 3; row++)
            replaced[row][k] = t[row];
        p[k] = determinant(replaced) / divisor;
    }
    return 1;
}

/* Solves the normal equations of a straight line, with S and T as for
 * solve_parabola(). P is a level line if the points do not determine one. */
static void solve_line(const double s[5], const double t[3], double p[3])
{
    double divisor = s[0] * s[2] - s[1] * s[1];

    p[0] = t[0] / s[0];
    p[1] = p[2] = 0;
    if (fabs(divisor) <= LEAST_DETERMINANT)
        return;
    p[0] = (t[0] * s[2] - t[1] * s[1]) / divisor;
    p[1] = (s[0] * t[1] - s[1] * t[0]) / divisor;
}

/* Least squares for y = out[0] + out[1] x + out[2] x^2. A straight line if
 * DEGREE is 1 or the points do not allow more. */
static void fit(const double *x, const double *y, int n, int degree,
                double out[3])
{
    double s[5] = {0}, t[3] = {0}, p[3], middle = 0;
    const double unit = 500; /* keeps the sums well-conditioned */

    for (int i = 0; i < n; i++)
        middle += x[i] / n;
    for (int i = 0; i < n; i++) {
        double at = (x[i] - middle) / unit, power = 1;

        for (int k = 0; k < 5; k++) {
            s[k] += power;
            if (k < 3)
                t[k] += power * y[i];
            power *= at;
        }
    }
    if (degree < 2 || !solve_parabola(s, t, p))
        solve_line(s, t, p);
    out[2] = p[2] / (unit * unit);
    out[1] = p[1] / unit - 2 * out[2] * middle;
    out[0] = p[0] - p[1] / unit * middle + out[2] * middle * middle;
}

static double parabola(const double p[3], double x)
{
    return p[0] + (p[1] + p[2] * x) * x;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), by_value);
    return values[count / 2];
}

/* ---- chains ---- */

static const idv_mrz_glyph_t *glyph_of(const search_t *search,
                                       const chain_t *chain, int index)
{
    return &search->glyphs->at[chain->glyphs[index]];
}

/* Computes the chain's properties from its glyphs. */
static void chain_measure(const search_t *search, chain_t *chain, int degree)
{
    double u[MAX_CHAIN] = {0}, v[MAX_CHAIN] = {0};
    double steps[MAX_CHAIN] = {0}, heights[MAX_CHAIN] = {0};
    int regular = 0;

    for (int i = 0; i < chain->count; i++) {
        const idv_mrz_glyph_t *glyph = glyph_of(search, chain, i);

        u[i] = glyph->u;
        v[i] = glyph->v;
        heights[i] = glyph->height;
        if (i)
            steps[i - 1] = u[i] - u[i - 1];
    }
    chain->left = u[0];
    chain->right = u[chain->count - 1];
    chain->height = median(heights, chain->count);
    chain->pitch = median(steps, chain->count - 1);
    fit(u, v, chain->count, degree, chain->line);
    for (int i = 1; i < chain->count; i++) {
        double step = (u[i] - u[i - 1]) / chain->pitch, whole = round(step);

        regular += whole >= 1 && whole <= 3 && fabs(step - whole) < 0.24;
    }
    chain->regular = (double)regular / (chain->count - 1);
}

/* The next glyph after LAST on a line of SLOPE, or -1. */
static int next_glyph(const search_t *search, int last, double slope,
                      double height)
{
    const idv_mrz_glyph_t *from = &search->glyphs->at[last];
    double best = 1e9;
    int found = -1;

    for (int j = last + 1; j < search->glyphs->count; j++) {
        const idv_mrz_glyph_t *glyph = &search->glyphs->at[j];
        double du = glyph->u - from->u;
        double dv = glyph->v - (from->v + slope * du);
        double cost = du + 2 * fabs(dv);

        if (du > 3.4 * height)
            break;
        if (search->used[j] || du < 0.35 * height
            || glyph->height > 1.6 * height || glyph->height < 0.5 * height
            || fabs(dv) > 0.36 * height)
            continue;
        if (cost < best) {
            best = cost;
            found = j;
        }
    }
    return found;
}

/* Follows a row of glyphs from START, at most MAX_CHAIN of them. */
static void chain_follow(const search_t *search, int start, chain_t *chain)
{
    double slope = 0;
    int last = start;

    chain->count = 0;
    while (last >= 0 && chain->count < MAX_CHAIN) {
        double heights[RECENT_HEIGHTS], height;
        int recent;

        chain->glyphs[chain->count++] = last;
        recent = chain->count < RECENT_HEIGHTS ? chain->count : RECENT_HEIGHTS;
        for (int k = 0; k < recent; k++)
            heights[k] = glyph_of(search, chain, chain->count - 1 - k)->height;
        height = median(heights, recent);
        if (chain->count >= LEAST_SLOPE) {
            int back =
                chain->count > RECENT_SLOPE ? RECENT_SLOPE : chain->count;
            const idv_mrz_glyph_t *a =
                glyph_of(search, chain, chain->count - back);
            const idv_mrz_glyph_t *b = &search->glyphs->at[last];

            slope = 0.7 * slope + 0.3 * (b->v - a->v) / (b->u - a->u + 1e-3);
            slope = fmax(-STEEPEST, fmin(STEEPEST, slope));
        }
        last = next_glyph(search, last, slope, height);
    }
}

static void find_chains(search_t *search)
{
    for (int i = 0;
         i < search->glyphs->count && search->count < IDV_MRZ_MAX_ROWS_FOUND;
         i++) {
        chain_t *chain = &search->chains[search->count];

        if (search->used[i])
            continue;
        chain_follow(search, i, chain);
        if (chain->count < LEAST_CHAIN)
            continue;
        for (int k = 0; k < chain->count; k++)
            search->used[chain->glyphs[k]] = 1;
        chain_measure(search, chain, 1);
        search->count++;
    }
}

/* Non-zero if B continues the line of A. */
static int continues(const chain_t *a, const chain_t *b)
{
    double gap = b->left - a->right, middle = (a->right + b->left) / 2;

    return a->left < b->left && a->count + b->count <= MAX_CHAIN
        && fabs(b->pitch - a->pitch) < 0.25 * a->pitch && gap > 0.3 * a->pitch
        && gap < 9 * a->pitch
        && fabs(parabola(a->line, middle) - parabola(b->line, middle))
               < 0.55 * a->height
        && fabs(parabola(a->line, b->right) - parabola(b->line, b->right))
               < 1.3 * a->height;
}

/* Joins pieces of one row. Each join removes a chain, so this ends. */
static void join_chains(search_t *search)
{
    for (int i = 0; i < search->count; i++)
        for (int j = 0; j < search->count; j++) {
            chain_t *a = &search->chains[i], *b = &search->chains[j];

            if (i == j || !continues(a, b))
                continue;
            memcpy(a->glyphs + a->count, b->glyphs,
                   (size_t)b->count * sizeof(*b->glyphs));
            a->count += b->count;
            chain_measure(search, a, 1);
            search->chains[j] = search->chains[--search->count];
            i = -1; /* from the beginning */
            break;
        }
}

/* ---- columns ---- */

/* Numbers the glyphs of the chain by the distances between them. */
static void number_glyphs(const search_t *search, const chain_t *chain,
                          double number[MAX_CHAIN])
{
    double pitch = chain->pitch;

    number[0] = 0;
    for (int i = 1; i < chain->count; i++) {
        double step =
            glyph_of(search, chain, i)->u - glyph_of(search, chain, i - 1)->u;
        double whole = fmax(1, round(step / pitch));

        number[i] = number[i - 1] + whole;
        if (whole == 1)
            pitch = 0.9 * pitch + 0.1 * step;
    }
}

/* The integer at which the curve COLUMNS is nearest to U, starting from AT, by
 * Newton's method. Zero if the curve is too flat there for a zone. */
static int renumber(const double columns[3], double u, double least_rise,
                    double *at)
{
    for (int k = 0; k < 4; k++) {
        double rise = columns[1] + 2 * columns[2] * *at;

        if (rise < least_rise)
            return 0;
        *at -= (parabola(columns, *at) - u) / rise;
    }
    *at = round(*at);
    return 1;
}

/* Fits u(i) to the chain: numbers the glyphs, then alternately improves the
 * curve and the numbers, and omits outliers. Returns the number of columns; 0
 * if there is no such curve. */
static int fit_columns(const search_t *search, const chain_t *chain,
                       double columns[3])
{
    double number[MAX_CHAIN] = {0}, x[MAX_CHAIN], y[MAX_CHAIN];

    number_glyphs(search, chain, number);
    for (int turn = 0; turn < 4; turn++) {
        int n = 0;

        for (int i = 0; i < chain->count; i++) {
            double u = glyph_of(search, chain, i)->u;

            if (turn
                && fabs(u - parabola(columns, number[i])) > 0.33 * chain->pitch)
                continue;
            x[n] = number[i];
            y[n++] = u;
        }
        if (n < LEAST_CHAIN)
            return 0;
        if (!n)
            return 0;
        fit(x, y, n, 2, columns);
        for (int i = 0; i < chain->count; i++)
            if (!renumber(columns, glyph_of(search, chain, i)->u,
                          0.3 * chain->pitch, &number[i]))
                return 0;
    }
    return (int)(number[chain->count - 1] - number[0]) + 1;
}

/* Renumbers the columns of ROW so that 0 is the one nearest to LEFT, which is
 * at or before its first. Returns the number of columns added. */
static int align_columns(idv_mrz_row_t *row, double left)
{
    double *p = row->columns;
    double k = round((left - p[0]) / p[1]);

    p[0] = parabola(p, k);
    p[1] += 2 * p[2] * k;
    return -(int)k;
}

/* ---- zones ---- */

/* The ratio of the text's height to its width. Fillers are lower than letters
 * and digits, which are at least a third of any zone. */
static double measure_stretch(const search_t *search, chain_t *const chains[],
                              int count)
{
    double heights[IDV_MRZ_ZONE_ROWS * MAX_CHAIN], pitch = 0, stretch;
    int n = 0;

    for (int i = 0; i < count; i++) {
        pitch += chains[i]->pitch / count;
        for (int k = 0; k < chains[i]->count; k++)
            heights[n++] = glyph_of(search, chains[i], k)->height;
    }
    qsort(heights, (size_t)n, sizeof(*heights), by_value);
    stretch = heights[n * 4 / 5] / (pitch * CAPITAL_HEIGHT);
    if (fabs(stretch - 1) < DOUBTFUL_STRETCH)
        return 1;
    return stretch < 0.6 ? 0.6 : stretch > 1.5 ? 1.5 : stretch;
}

static int zone_create(const search_t *search, chain_t *const chains[],
                       int count, idv_mrz_zone_t *zone)
{
    double left = 1e9, glyphs = 0;
    int columns[IDV_MRZ_ZONE_ROWS];

    zone->row_count = count;
    zone->columns = 0;
    zone->score = 0;
    for (int i = 0; i < count; i++) {
        chain_t fine = *chains[i];

        columns[i] = fit_columns(search, &fine, zone->rows[i].columns);
        if (columns[i] < LEAST_ROW)
            return 0;
        chain_measure(search, &fine, 2);
        memcpy(zone->rows[i].line, fine.line, sizeof fine.line);
        left = fmin(left, zone->rows[i].columns[0]);
        zone->score += fine.regular / count;
        glyphs += fine.count;
    }
    for (int i = 0; i < count; i++) {
        columns[i] += align_columns(&zone->rows[i], left);
        if (columns[i] > zone->columns)
            zone->columns = columns[i];
    }
    zone->score *= glyphs;
    for (int i = 0; i < count; i++)
        zone->rows[i].stretch = measure_stretch(search, chains, count);
    return zone->columns <= MAX_CHAIN;
}

/* Non-zero if B is below A like the next row of a zone. */
static int lies_below(const chain_t *a, const chain_t *b, double *distance)
{
    double pitch = (a->pitch + b->pitch) / 2;
    double middle = (fmax(a->left, b->left) + fmin(a->right, b->right)) / 2;

    *distance = parabola(b->line, middle) - parabola(a->line, middle);
    if (fabs(a->pitch - b->pitch) >= 0.15 * pitch || *distance <= 1.1 * pitch
        || *distance >= 3.6 * pitch)
        return 0;
    return fabs(a->left - b->left) < 6 * pitch
        || fabs(a->right - b->right) < 6 * pitch;
}

static void keep_zone(const idv_mrz_zone_t *zone,
                      idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES], int *count)
{
    int at = *count;

    while (at > 0 && zones[at - 1].score < zone->score)
        at--;
    if (at == IDV_MRZ_MAX_ZONES)
        return;
    if (*count < IDV_MRZ_MAX_ZONES)
        ++*count;
    memmove(zones + at + 1, zones + at,
            sizeof(*zones) * (size_t)(*count - 1 - at));
    zones[at] = *zone;
}

static void pair_chains(const search_t *search,
                        idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES], int *count)
{
    int pairs = 0;

    for (int i = 0; i < search->count; i++)
        for (int j = 0; j < search->count && pairs < MAX_PAIRS; j++) {
            chain_t *rows[IDV_MRZ_ZONE_ROWS] = {&search->chains[i],
                                                &search->chains[j]};
            idv_mrz_zone_t zone;
            double first, second;

            if (i == j || !lies_below(rows[0], rows[1], &first))
                continue;
            pairs++;
            for (int k = 0; k < search->count && !rows[2]; k++)
                if (k != i && k != j
                    && lies_below(rows[1], &search->chains[k], &second)
                    && fabs(second - first) < 0.35 * first)
                    rows[2] = &search->chains[k];
            if (rows[2] && zone_create(search, rows, 3, &zone))
                keep_zone(&zone, zones, count);
            if (zone_create(search, rows, 2, &zone))
                keep_zone(&zone, zones, count);
        }
}

/* Non-zero if the rows may be a whole zone. */
static void keep_lone_rows(const search_t *search,
                           idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES], int *count)
{
    for (int i = 0; i < search->count; i++) {
        chain_t *row = &search->chains[i];
        idv_mrz_zone_t zone;

        if (!zone_create(search, &row, 1, &zone)
            || zone.columns < LEAST_LONE_ROW || zone.columns > MOST_LONE_ROW)
            continue;
        zone.score *= 2; /* pairs of rows of text have more glyphs */
        keep_zone(&zone, zones, count);
    }
}

int idv_mrz_zones_find(const idv_mrz_glyphs_t *glyphs,
                       idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES],
                       apr_pool_t *scratch)
{
    search_t search = {glyphs, NULL, NULL, 0};
    int count = 0, kept = 0;

    search.used = apr_pcalloc(scratch, (apr_size_t)glyphs->count + 1);
    search.chains =
        apr_palloc(scratch, IDV_MRZ_MAX_ROWS_FOUND * sizeof(*search.chains));
    find_chains(&search);
    join_chains(&search);
    for (int i = 0; i < search.count; i++)
        if (search.chains[i].count >= LEAST_ROW
            && search.chains[i].regular >= LEAST_REGULAR)
            search.chains[kept++] = search.chains[i];
    search.count = kept;
    pair_chains(&search, zones, &count);
    keep_lone_rows(&search, zones, &count);
    return count;
}

idv_mrz_place_t idv_mrz_row_place(const idv_mrz_row_t *row, double column)
{
    double u = parabola(row->columns, column);
    double pitch = row->columns[1] + 2 * row->columns[2] * column;
    idv_mrz_place_t place = {u, parabola(row->line, u), pitch,
                             pitch * row->stretch,
                             row->line[1] + 2 * row->line[2] * u};

    return place;
}

static void row_flip(idv_mrz_row_t *row, int columns)
{
    double *p = row->columns, last = columns - 1;

    /* u'(i) = -u(last - i) */
    p[0] = -parabola(p, last);
    p[1] += 2 * p[2] * last;
    p[2] = -p[2];
    /* v'(u') = -v(-u') */
    row->line[0] = -row->line[0];
    row->line[2] = -row->line[2];
}

void idv_mrz_zone_flip(idv_mrz_zone_t *zone)
{
    for (int i = 0; i < zone->row_count; i++)
        row_flip(&zone->rows[i], zone->columns);
    for (int i = 0; i < zone->row_count / 2; i++) {
        idv_mrz_row_t keep = zone->rows[i];

        zone->rows[i] = zone->rows[zone->row_count - 1 - i];
        zone->rows[zone->row_count - 1 - i] = keep;
    }
}
