/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/mrz_view.h"

#include <math.h>

#define CELL_SPAN_U 1.10
#define CELL_SPAN_V 1.54
#define FAINTEST_CONTRAST 24.0f
/* Pixels between samples from which one sample would skip pixels. */
#define COARSE_STEP 1.3

void idv_mrz_view_turned(const idv_image_t *image, double radians,
                         double scale, int size[2], idv_mrz_view_t *out)
{
    double c = cos(radians), s = sin(radians);
    double width = fabs(image->width * c) + fabs(image->height * s);
    double height = fabs(image->width * s) + fabs(image->height * c);

    size[0] = (int)ceil(width * scale);
    size[1] = (int)ceil(height * scale);
    out->image = image;
    out->map[0] = c / scale;
    out->map[1] = -s / scale;
    out->map[3] = s / scale;
    out->map[4] = c / scale;
    out->map[2] = image->width / 2.0 -
                  (out->map[0] * size[0] + out->map[1] * size[1]) / 2;
    out->map[5] = image->height / 2.0 -
                  (out->map[3] * size[0] + out->map[4] * size[1]) / 2;
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

static double sample_point(const idv_mrz_view_t *view, double u, double v)
{
    const double *m = view->map;
    const idv_image_t *image = view->image;
    /* Pixel centres lie at halves. The negated test also catches NaN. */
    double x = m[0] * u + m[1] * v + m[2] - 0.5;
    double y = m[3] * u + m[4] * v + m[5] - 0.5;
    const unsigned char *above, *below;
    int left, top, right;

    if (!(x == x) || !(y == y))
        return 0;
    x = clamp(x, 0, image->width - 1);
    y = clamp(y, 0, image->height - 1);
    left = (int)x;
    top = (int)y;
    right = left + 1 < image->width ? left + 1 : left;
    above = idv_image_row(image, top);
    below = top + 1 < image->height ? above + image->stride : above;
    x -= left;
    y -= top;
    return (above[left] * (1 - x) + above[right] * x) * (1 - y) +
           (below[left] * (1 - x) + below[right] * x) * y;
}

double idv_mrz_view_sample(const idv_mrz_view_t *view, double u, double v,
                           double step)
{
    double quarter = step / 4;

    if (step * hypot(view->map[0], view->map[3]) <= COARSE_STEP)
        return sample_point(view, u, v);
    return (sample_point(view, u - quarter, v - quarter) +
            sample_point(view, u + quarter, v - quarter) +
            sample_point(view, u - quarter, v + quarter) +
            sample_point(view, u + quarter, v + quarter)) /
           4;
}

void idv_mrz_view_cell(const idv_mrz_view_t *view, const idv_mrz_place_t *place,
                       float cell[IDV_MRZ_CELL_SIZE])
{
    double step = place->pitch * CELL_SPAN_U / IDV_MRZ_CELL_WIDTH;
    float darkest = 255, brightest = 0, range;

    for (int k = 0; k < IDV_MRZ_CELL_SIZE; k++) {
        double du = ((k % IDV_MRZ_CELL_WIDTH + 0.5) / IDV_MRZ_CELL_WIDTH - 0.5) *
                    place->pitch * CELL_SPAN_U;
        double dv =
            ((k / IDV_MRZ_CELL_WIDTH + 0.5) / IDV_MRZ_CELL_HEIGHT - 0.5) *
            place->pitch * CELL_SPAN_V;
        double u = place->u + du - place->slope * dv;
        double v = place->v + dv + place->slope * du;
        float value = (float)idv_mrz_view_sample(view, u, v, step);

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
