/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_view.h"

#include <math.h>

#include "analyze/vector.h"

#define CELL_SPAN_U 1.10
#define CELL_SPAN_V 1.54
#define FAINTEST_CONTRAST 24.0f
/* The distance of samples, in pixels, above which one sample per pixel would
 * skip pixels, and that up to which linear interpolation would blur. */
#define COARSE_STEP 0.95
#define FINE_STEP 0.7

void idv_mrz_view_turned(const idv_image_t *image, double radians, double scale,
                         int size[2], idv_mrz_view_t *out)
{
    double c = cos(radians), s = sin(radians);
    double width = fabs(image->width * c) + fabs(image->height * s);
    double height = fabs(image->width * s) + fabs(image->height * c);

    /* In floating point, a quarter turn is not exact. */
    size[0] = (int)ceil(width * scale - 1e-6);
    size[1] = (int)ceil(height * scale - 1e-6);
    out->image = image;
    out->map[0] = c / scale;
    out->map[1] = -s / scale;
    out->map[3] = s / scale;
    out->map[4] = c / scale;
    out->map[2] = image->width / 2.0
                - (out->map[0] * size[0] + out->map[1] * size[1]) / 2;
    out->map[5] = image->height / 2.0
                - (out->map[3] * size[0] + out->map[4] * size[1]) / 2;
}

void idv_mrz_view_flip(idv_mrz_view_t *view)
{
    view->map[0] = -view->map[0];
    view->map[1] = -view->map[1];
    view->map[3] = -view->map[3];
    view->map[4] = -view->map[4];
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* The position of the point (U, V) in the pixel grid: the pixel at its upper
 * left and the fractions beyond it. Pixel centres are at halves. */
static void locate(const idv_mrz_view_t *view, double u, double v, int pixel[2],
                   double fraction[2])
{
    const double *m = view->map;
    double x = m[0] * u + m[1] * v + m[2] - 0.5;
    double y = m[3] * u + m[4] * v + m[5] - 0.5;

    /* Far away and not a number are treated alike: as the edge. */
    x = x == x ? clamp(x, -2, view->image->width + 1) : 0;
    y = y == y ? clamp(y, -2, view->image->height + 1) : 0;
    pixel[0] = idv_floor_small(x);
    pixel[1] = idv_floor_small(y);
    fraction[0] = x - pixel[0];
    fraction[1] = y - pixel[1];
}

static int within(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static double sample_linear(const idv_mrz_view_t *view, double u, double v)
{
    const idv_image_t *image = view->image;
    int at[2], left, right;
    double f[2];
    const unsigned char *above, *below;

    locate(view, u, v, at, f);
    left = within(at[0], image->width);
    right = within(at[0] + 1, image->width);
    above = idv_image_row(image, within(at[1], image->height));
    below = idv_image_row(image, within(at[1] + 1, image->height));
    return (above[left] * (1 - f[0]) + above[right] * f[0]) * (1 - f[1])
         + (below[left] * (1 - f[0]) + below[right] * f[0]) * f[1];
}

static double sample_cubic(const idv_mrz_view_t *view, double u, double v)
{
    const idv_image_t *image = view->image;
    int at[2], columns[4];
    double f[2], across[4], down[4], sum = 0;

    locate(view, u, v, at, f);
    idv_image_cubic_weights(f[0], across);
    idv_image_cubic_weights(f[1], down);
    for (int k = 0; k < 4; k++)
        columns[k] = within(at[0] - 1 + k, image->width);
    for (int k = 0; k < 4; k++) {
        const unsigned char *row =
            idv_image_row(image, within(at[1] - 1 + k, image->height));

        sum += down[k]
             * (across[0] * row[columns[0]] + across[1] * row[columns[1]]
                + across[2] * row[columns[2]] + across[3] * row[columns[3]]);
    }
    return clamp(sum, 0, 255);
}

/* Computes a sample by PIXELS, the number of pixels in a step. */
static double sample(const idv_mrz_view_t *view, double u, double v,
                     double step, double pixels)
{
    double quarter = step / 4;

    if (pixels < FINE_STEP)
        return sample_cubic(view, u, v);
    if (pixels <= COARSE_STEP)
        return sample_linear(view, u, v);
    return (sample_linear(view, u - quarter, v - quarter)
            + sample_linear(view, u + quarter, v - quarter)
            + sample_linear(view, u - quarter, v + quarter)
            + sample_linear(view, u + quarter, v + quarter))
         / 4;
}

static double pixels_of(const idv_mrz_view_t *view, double step)
{
    return step * hypot(view->map[0], view->map[3]);
}

double idv_mrz_view_sample(const idv_mrz_view_t *view, double u, double v,
                           double step)
{
    return sample(view, u, v, step, pixels_of(view, step));
}

void idv_mrz_view_cell(const idv_mrz_view_t *view, const idv_mrz_place_t *place,
                       float cell[IDV_MRZ_CELL_SIZE])
{
    double step = place->pitch * CELL_SPAN_U / IDV_MRZ_CELL_WIDTH;
    double pixels = pixels_of(view, step);
    float darkest = 255, brightest = 0, range;

    for (int k = 0; k < IDV_MRZ_CELL_SIZE; k++) {
        double du = ((k % IDV_MRZ_CELL_WIDTH + 0.5) / IDV_MRZ_CELL_WIDTH - 0.5)
                  * place->pitch * CELL_SPAN_U;
        /* The row of the cell is an integer.
         * NOLINTNEXTLINE(bugprone-integer-division) */
        double dv = ((k / IDV_MRZ_CELL_WIDTH + 0.5) / IDV_MRZ_CELL_HEIGHT - 0.5)
                  * place->height * CELL_SPAN_V;
        double u = place->u + du - place->slope * dv;
        double v = place->v + dv + place->slope * du;
        float value = (float)sample(view, u, v, step, pixels);

        cell[k] = value;
        darkest = value < darkest ? value : darkest;
        brightest = value > brightest ? value : brightest;
    }
    range = brightest - darkest;
    if (range < FAINTEST_CONTRAST)
        range = FAINTEST_CONTRAST;
    for (int k = 0; k < IDV_MRZ_CELL_SIZE; k++)
        cell[k] = (brightest - cell[k]) / range;
}
