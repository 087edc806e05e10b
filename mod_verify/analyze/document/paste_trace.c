/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/paste_trace.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/vector.h"

enum {
    BLOCK = IDV_JPEG_BLOCK,
    FREQUENCIES = 9,
    VALUES = 201, /* of a quantised coefficient that are counted: -100 to 100 */
    ZERO = VALUES / 2,
    STEP_MOST = 64,
    STEP_LEAST = 2, /* rounding of samples leaves gaps for smaller ones */
    COEFFICIENTS_LEAST = 1500, /* that are not 0, per frequency */
    FREQUENCIES_LEAST = 4, /* that an earlier step explains */
    CELL = 4, /* blocks per side of a cell of the map */
    CELLS_LEAST = 6 /* per region; half a field of a document */
};

/* Low frequencies, which most blocks have. */
static const unsigned char waves[FREQUENCIES][2] = {
    {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}};

/* The least share of values that an earlier step leaves out. Smaller gaps do
 * not count. */
static const double least_gap = 0.1;

/* The largest share of those left-out values that may occur nevertheless. */
static const double most_misfits = 0.35;

/* The largest share of the picture that a region covers: the pasted part is
 * smaller than the original. */
static const double most_of_picture = 0.4;

/* The least probability that a value of an untouched block is not explained,
 * because of rounding. */
static const double least_misfit = 0.04;

/* One frequency. */
typedef struct {
    int step;    /* the file's */
    int earlier; /* 0: none explains the values */
    double by_chance; /* share of misfits without EARLIER */
    double log_inside, log_outside; /* evidence of one value for a paste */
    int counts[VALUES];
    unsigned char fits[VALUES];
} frequency_t;

/* The frequencies that the waves have in one direction. A pool aligns to 8 bytes. */
enum { NEEDED = 4 };
typedef double needed_t
    __attribute__((vector_size(NEEDED * sizeof(double)), aligned(8)));

typedef struct {
    const idv_jpeg_plane_t *plane;
    needed_t across[BLOCK]; /* the cosines of a sample */
    frequency_t of[FREQUENCIES];
    int columns, rows; /* of blocks */
    signed char *values; /* FREQUENCIES a block; ZERO: none */
    double *map; /* evidence of each cell */
    int map_width, map_height;
} search_t;

static void prepare_cosines(search_t *search)
{
    for (int u = 0; u < NEEDED; u++)
        for (int x = 0; x < BLOCK; x++)
            search->across[x][u] = (u == 0 ? sqrt(1.0 / BLOCK) : 0.5)
                                 * cos((2 * x + 1) * u * M_PI / (2 * BLOCK));
}

/* Non-zero if one of the eight bytes of WORD is 0. */
static int has_zero(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);

    return ((word - ones) & ~word & ones << 7) != 0;
}

/* Non-zero if the block has samples at the ends of the scale, where rounding
 * clips them. */
static int is_cut(const unsigned char *first, int stride)
{
    int is_cut = 0;

    for (int y = 0; y < BLOCK; y++) {
        uint64_t row;

        memcpy(&row, first + y * stride, sizeof(row));
        is_cut |= has_zero(row) | has_zero(~row);
    }
    return is_cut;
}

/* The values of one block; the frequencies of one direction are adjacent. */
IDV_WIDE static void transform(const search_t *search, const unsigned char *first,
                      int stride, signed char *values)
{
    needed_t rows[BLOCK], both[NEEDED];

    for (int y = 0; y < BLOCK; y++) {
        rows[y] = (needed_t){0};
        for (int x = 0; x < BLOCK; x++)
            rows[y] += (double)first[y * stride + x] * search->across[x];
    }
    for (int v = 0; v < NEEDED; v++) {
        both[v] = (needed_t){0};
        for (int y = 0; y < BLOCK; y++)
            both[v] += rows[y] * search->across[y][v];
    }
    for (int i = 0; i < FREQUENCIES; i++) {
        int value = idv_round_small(both[waves[i][1]][waves[i][0]]
                                    / search->of[i].step);

        values[i] = (signed char)(abs(value) <= ZERO ? value : 0);
    }
}

static void transform_all(search_t *search)
{
    const idv_image_t *gray = search->plane->gray;

    for (int row = 0; row < search->rows; row++)
        for (int column = 0; column < search->columns; column++) {
            const unsigned char *first =
                idv_image_row(gray, row * BLOCK) + column * BLOCK;
            signed char *values =
                search->values
                + ((size_t)row * search->columns + column) * FREQUENCIES;

            if (is_cut(first, gray->stride))
                continue;
            transform(search, first, gray->stride, values);
            for (int i = 0; i < FREQUENCIES; i++)
                search->of[i].counts[ZERO + values[i]]++;
        }
}

/* --- the earlier step --- */

/* The values that can result from a step of EARLIER followed by one of STEP. */
static void mark_fits(int earlier, int step, unsigned char *fits)
{
    for (int i = 0; i < VALUES; i++) {
        double value = (double)(i - ZERO) * step;
        double nearest = round(value / earlier) * earlier;

        fits[i] = fabs(value - nearest) <= step / 2.0 + 0.5;
    }
}

/* The count of the value AT, interpolated from the counts of the explained
 * values (FITS) on both sides of it: natural coefficients have a peak at 0 and
 * fall off exponentially on both sides. */
static double expected_count(const int *counts, const unsigned char *fits,
                             int at)
{
    int below = at - 1, above = at + 1;
    double share;

    while (below >= 0 && !fits[below])
        below--;
    while (above < VALUES && !fits[above])
        above++;
    if (below < 0 || above >= VALUES)
        return 0;
    share = (double)(at - below) / (above - below);
    return exp((1 - share) * log(counts[below] + 0.5)
               + share * log(counts[above] + 0.5));
}

/* Tests whether EARLIER explains the values: compares the values it does not
 * explain with those expected without it. Zeros are not counted. */
static void explain(frequency_t *frequency, int earlier, int count,
                    double *best)
{
    unsigned char fits[VALUES];
    double misfits = 0, expected = 0, misfit, by_chance;

    mark_fits(earlier, frequency->step, fits);
    for (int i = 0; i < VALUES; i++)
        if (!fits[i]) {
            misfits += frequency->counts[i];
            expected += expected_count(frequency->counts, fits, i);
        }
    if (misfits > most_misfits * expected || expected - misfits <= *best)
        return;
    *best = expected - misfits;
    by_chance = fmin(expected / (count + expected - misfits), 0.9);
    misfit = fmax(misfits / count, least_misfit);
    if (by_chance <= misfit)
        return;
    frequency->earlier = earlier;
    frequency->by_chance = by_chance;
    frequency->log_inside = log((1 - by_chance) / (1 - misfit));
    frequency->log_outside = log(by_chance / misfit);
    memcpy(frequency->fits, fits, sizeof(fits));
}

static void find_earlier_step(frequency_t *frequency)
{
    double best;
    int count = 0;

    for (int i = 0; i < VALUES; i++)
        count += i == ZERO ? 0 : frequency->counts[i];
    if (count < COEFFICIENTS_LEAST || frequency->step < STEP_LEAST)
        return;
    best = least_gap * count;
    for (int earlier = frequency->step + 1; earlier <= STEP_MOST; earlier++)
        explain(frequency, earlier, count, &best);
}

/* --- regions without an earlier step --- */

static void draw_map(search_t *search)
{
    for (int row = 0; row < search->map_height * CELL; row++)
        for (int column = 0; column < search->map_width * CELL; column++) {
            const signed char *values =
                search->values
                + ((size_t)row * search->columns + column) * FREQUENCIES;
            double *cell = &search->map[(size_t)(row / CELL) * search->map_width
                                        + column / CELL];

            for (int i = 0; i < FREQUENCIES; i++) {
                const frequency_t *frequency = &search->of[i];

                if (frequency->earlier && values[i])
                    *cell += frequency->fits[ZERO + values[i]]
                               ? frequency->log_inside
                               : frequency->log_outside;
            }
        }
}

/* The best run of columns with the sums SUMS, HEIGHT cells high. Its evidence;
 * 0 if it is not a region. */
static double best_run(const search_t *search, const double *sums, int height)
{
    double most = most_of_picture * search->map_width * search->map_height;
    double best = 0, run = 0;
    int length = 0;

    for (int i = 0; i < search->map_width; i++) {
        run += sums[i];
        length++;
        if (run <= 0)
            run = length = 0;
        else if (run > best && length * height >= CELLS_LEAST
                 && length * height <= most)
            best = run;
    }
    return best;
}

/* The rectangle with the most evidence (Bentley, "Programming Pearls", column
 * 8). */
static double best_rectangle(const search_t *search, apr_pool_t *pool)
{
    double *sums =
        apr_palloc(pool, (apr_size_t)search->map_width * sizeof(*sums));
    double best = 0;

    for (int top = 0; top < search->map_height; top++) {
        memset(sums, 0, (size_t)search->map_width * sizeof(*sums));
        for (int row = top; row < search->map_height; row++) {
            double found;

            for (int i = 0; i < search->map_width; i++)
                sums[i] += search->map[(size_t)row * search->map_width + i];
            found = best_run(search, sums, row - top + 1);
            best = found > best ? found : best;
        }
    }
    return best;
}

static int count_explained(const search_t *search)
{
    int count = 0;

    for (int i = 0; i < FREQUENCIES; i++)
        count += search->of[i].earlier > 0;
    return count;
}

static void prepare(search_t *search, const idv_jpeg_plane_t *plane,
                    apr_pool_t *pool)
{
    search->plane = plane;
    search->columns = plane->gray->width / BLOCK;
    search->rows = plane->gray->height / BLOCK;
    search->map_width = search->columns / CELL;
    search->map_height = search->rows / CELL;
    search->values = apr_pcalloc(
        pool, (apr_size_t)search->columns * search->rows * FREQUENCIES + 1);
    search->map = apr_pcalloc(pool, ((apr_size_t)search->map_width
                                         * search->map_height + 1)
                                        * sizeof(*search->map));
    for (int i = 0; i < FREQUENCIES; i++)
        search->of[i].step = plane->steps[waves[i][1] * BLOCK + waves[i][0]];
    prepare_cosines(search);
}

void idv_paste_trace_find(const idv_jpeg_plane_t *plane,
                          idv_paste_trace_t *trace, apr_pool_t *scratch)
{
    search_t *search = apr_pcalloc(scratch, sizeof(*search));

    *trace = (idv_paste_trace_t){0, 0};
    if (!plane->gray)
        return;
    prepare(search, plane, scratch);
    for (int i = 0; i < FREQUENCIES; i++)
        if (search->of[i].step < 1)
            return;
    transform_all(search);
    for (int i = 0; i < FREQUENCIES; i++)
        find_earlier_step(&search->of[i]);
    trace->is_known = count_explained(search) >= FREQUENCIES_LEAST;
    if (!trace->is_known)
        return;
    draw_map(search);
    trace->evidence = best_rectangle(search, scratch);
}
