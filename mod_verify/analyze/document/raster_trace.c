/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/raster_trace.h"

#include <math.h>
#include <string.h>

#include "analyze/fourier.h"
#include "analyze/vector.h"

enum {
    SIDE = IDV_FOURIER_SIDE,
    HALF = SIDE / 2,
    CELLS = SIDE * SIDE,
    COLUMNS = 8, /* of tiles */
    ROWS = 6,
    LEAST_TILES = 32,
    LEAST_FREQUENCY = 20, /* waves per tile; most print has lower ones */
    SURROUNDINGS = 6, /* cells of the spectrum on each side ... */
    PEAK = 2,         /* ... less those in the middle */
    BLOCKS = SIDE / 8 /* compression has a period of 8 pixels */
};

/* The least mean power of a tile's fine half. Below it, compression or a lens
 * out of focus has left only the effects of rounding to integer levels. */
static const double least_power = 2200;

/* How far a raster seen at an angle deviates from a square one. */
static const double aslant = 0.05;

/* Flags of a frequency. */
enum { OF_BLOCKS = 1, FINE = 2 /* and in the half that is evaluated */ };

/* The spectra of all tiles. */
typedef struct {
    idv_fourier_t fourier;
    float window[SIDE];
    unsigned char kind[CELLS];
    float real[CELLS], imaginary[CELLS];
    float power[CELLS], relative[CELLS]; /* logarithms, of one tile */
    double sums[(SIDE + 1) * (SIDE + 1)];
    float total[CELLS];
    double fine; /* logarithm of the mean power, of all tiles */
    int tiles;
} spectra_t;

/* --- one tile --- */

static void take_tile(const idv_image_t *gray, int left, int top,
                      const float *window, float *samples)
{
    double mean = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            mean += idv_image_row(gray, top + y)[left + x];
    mean /= CELLS;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            samples[y * SIDE + x] =
                (float)(idv_image_row(gray, top + y)[left + x] - mean)
                * window[y] * window[x];
}

/* The distance of the index I from 0, around the circle. */
static int frequency(int i)
{
    return i < HALF ? i : i - SIDE;
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

/* Sums of POWER over all rectangles from (0, 0). The borders are extended by
 * SURROUNDINGS, as the spectrum is periodic. */
static void sum_up(spectra_t *spectra)
{
    double *sums = spectra->sums;

    for (int y = 0; y < SIDE; y++) {
        double row = 0;

        for (int x = 0; x < SIDE; x++) {
            row += spectra->power[y * SIDE + x];
            sums[(y + 1) * (SIDE + 1) + x + 1] =
                sums[y * (SIDE + 1) + x + 1] + row;
        }
    }
}

/* The sum over the columns from LEFT and rows from TOP, up to the whole. */
static double sum_between(const double *sums, int left, int top, int right,
                          int bottom)
{
    const int wide = SIDE + 1;

    return sums[bottom * wide + right] - sums[top * wide + right]
         - sums[bottom * wide + left] + sums[top * wide + left];
}

/* The same for a square that may extend beyond the borders. */
static double sum_around(const double *sums, int x, int y, int reach)
{
    double sum = 0;

    if (x >= reach && y >= reach && x + reach < SIDE && y + reach < SIDE)
        return sum_between(sums, x - reach, y - reach, x + reach + 1,
                           y + reach + 1);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int left = x - reach + i * SIDE, right = x + reach + 1 + i * SIDE;
            int top = y - reach + j * SIDE, bottom = y + reach + 1 + j * SIDE;

            left = left < 0 ? 0 : left;
            top = top < 0 ? 0 : top;
            right = right > SIDE ? SIDE : right;
            bottom = bottom > SIDE ? SIDE : bottom;
            if (left < right && top < bottom)
                sum += sum_between(sums, left, top, right, bottom);
        }
    return sum;
}

/* The power of each cell relative to its surroundings. */
static void compare_with_surroundings(spectra_t *spectra)
{
    const int wide = 2 * SURROUNDINGS + 1, narrow = 2 * PEAK + 1;
    const double count = wide * wide - narrow * narrow;

    sum_up(spectra);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x <= HALF; x++) {
            double around = sum_around(spectra->sums, x, y, SURROUNDINGS)
                          - sum_around(spectra->sums, x, y, PEAK);

            spectra->relative[y * SIDE + x] =
                spectra->power[y * SIDE + x] - (float)(around / count);
        }
    for (int y = 0; y < SIDE; y++) /* the other half is its mirror image */
        for (int x = HALF + 1; x < SIDE; x++)
            spectra->relative[y * SIDE + x] =
                spectra->relative[(SIDE - y) % SIDE * SIDE + SIDE - x];
}

/* Non-zero for the frequencies of blocks and the adjacent ones, into which the
 * window spreads them. */
static int is_of_blocks(int x, int y)
{
    int across = (x + SIDE) % BLOCKS, down = (y + SIDE) % BLOCKS;

    return (across <= 1 || across == BLOCKS - 1)
        && (down <= 1 || down == BLOCKS - 1);
}

/* Replaces each cell of RELATIVE with the greatest of itself and its eight
 * neighbours, except those of blocks: at an angle, a raster is a little finer
 * on one side of the document. POWER is overwritten. */
IDV_WIDE static void spread_peaks(spectra_t *spectra)
{
    float *cells = spectra->relative, *across = spectra->power;

    for (int i = 0; i < CELLS; i++)
        cells[i] = spectra->kind[i] & OF_BLOCKS ? -HUGE_VALF : cells[i];
    for (int y = 0; y < SIDE; y++) {
        const float *from = cells + y * SIDE;
        float *to = across + y * SIDE;

        to[0] = greater(greater(from[SIDE - 1], from[0]), from[1]);
        for (int x = 1; x < SIDE - 1; x++)
            to[x] = greater(greater(from[x - 1], from[x]), from[x + 1]);
        to[SIDE - 1] = greater(greater(from[SIDE - 2], from[SIDE - 1]), from[0]);
    }
    for (int y = 0; y < SIDE; y++) {
        const float *above = across + (y + SIDE - 1) % SIDE * SIDE;
        const float *here = across + y * SIDE;
        const float *below = across + (y + 1) % SIDE * SIDE;

        for (int x = 0; x < SIDE; x++)
            cells[y * SIDE + x] = greater(greater(above[x], here[x]), below[x]);
    }
}

/* The mean power of the fine half of the spectrum. */
static double measure_fine(const spectra_t *spectra)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < CELLS; i++)
        if (spectra->kind[i] & FINE) {
            sum += spectra->power[i];
            count++;
        }
    return sum / count;
}

/* A picture without noise has no power where it has no structure. The power of
 * rounding is added, so that the logarithm stays meaningful. */
static void add_spectrum(spectra_t *spectra)
{
    const float rounding = 0.1f * CELLS;

    for (int i = 0; i < CELLS; i++) {
        float power = spectra->real[i] * spectra->real[i]
                    + spectra->imaginary[i] * spectra->imaginary[i];

        spectra->power[i] = logf(power + rounding);
    }
    compare_with_surroundings(spectra);
    spectra->fine += measure_fine(spectra);
    spread_peaks(spectra);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x <= HALF; x++)
            if (!(spectra->kind[y * SIDE + x] & OF_BLOCKS))
                spectra->total[y * SIDE + x] += spectra->relative[y * SIDE + x];
    spectra->tiles++;
}

/* --- all tiles --- */

/* The point at ACROSS and DOWN, 0 to 1, of the quadrilateral. */
static idv_point_t point_in(const idv_quad_t *quad, double across, double down)
{
    const idv_point_t *c = quad->corner;
    const double share[] = {(1 - across) * (1 - down), across * (1 - down),
                            across * down, (1 - across) * down};
    idv_point_t point = {0, 0};

    for (int i = 0; i < 4; i++) {
        point.x += share[i] * c[i].x;
        point.y += share[i] * c[i].y;
    }
    return point;
}

static void add_tiles(const idv_image_t *gray, const idv_quad_t *document,
                      spectra_t *spectra)
{
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int column = i % COLUMNS, row = i / COLUMNS;
        idv_point_t middle =
            point_in(document, (column + 0.5) / COLUMNS, (row + 0.5) / ROWS);
        double left = middle.x - HALF, top = middle.y - HALF;

        if (!(left >= 0 && top >= 0 && left + SIDE <= gray->width
              && top + SIDE <= gray->height))
            continue;
        take_tile(gray, (int)left, (int)top, spectra->window, spectra->real);
        memset(spectra->imaginary, 0, sizeof(spectra->imaginary));
        idv_fourier_transform(&spectra->fourier, spectra->real,
                              spectra->imaginary);
        add_spectrum(spectra);
    }
}

/* The greatest value within REACH cells of the frequency (X, Y), wrapping
 * around; the spectrum of a picture is symmetric about 0. */
static float greatest_within(const spectra_t *spectra, int x, int y, int reach)
{
    float greatest = -HUGE_VALF;

    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++) {
            int column = i < 0 ? -i : i, row = i < 0 ? -j : j;
            float other;

            if (column > HALF || row > HALF || row < -HALF)
                continue;
            row = (row + SIDE) % SIDE;
            if (is_of_blocks(column, row))
                continue;
            other = spectra->total[row * SIDE + column];
            greatest = other > greatest ? other : greatest;
        }
    return greatest;
}

/* The strength of the weaker of two frequencies that are equally fine and at
 * right angles; the best such pair. */
static double find_square(const spectra_t *spectra)
{
    double best = 0;

    for (int i = 0; i < CELLS; i++) {
        int x = frequency(i % SIDE), y = frequency(i / SIDE);
        double radius = hypot(x, y), weaker;

        if (x < 0 || radius < LEAST_FREQUENCY || spectra->total[i] <= best
            || is_of_blocks(x, y))
            continue;
        weaker = greatest_within(spectra, -y, x,
                                 (int)lround(aslant * radius) + 1);
        best = fmax(best, fmin(spectra->total[i], weaker));
    }
    return best;
}

static spectra_t *make_spectra(apr_pool_t *pool)
{
    spectra_t *spectra = apr_pcalloc(pool, sizeof(*spectra));

    idv_fourier_prepare(&spectra->fourier);
    for (int i = 0; i < SIDE; i++)
        spectra->window[i] =
            (float)(0.5 - 0.5 * cos(2 * M_PI * (i + 0.5) / SIDE));
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE, y = i / SIDE;
        int is_fine = x <= HALF
                   && hypot(frequency(x), frequency(y)) > HALF / 2.0;

        spectra->kind[i] = (unsigned char)((is_of_blocks(x, y) ? OF_BLOCKS : 0)
                                           | (is_fine ? FINE : 0));
    }
    return spectra;
}

void idv_raster_trace_find(const idv_image_t *gray, const idv_quad_t *document,
                           idv_raster_trace_t *trace, apr_pool_t *scratch)
{
    spectra_t *spectra = make_spectra(scratch);

    *trace = (idv_raster_trace_t){0, 0};
    add_tiles(gray, document, spectra);
    if (spectra->tiles < LEAST_TILES
        || spectra->fine < log(least_power) * spectra->tiles)
        return;
    trace->is_known = 1;
    trace->prominence = find_square(spectra) / spectra->tiles;
}
