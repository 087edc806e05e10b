/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/face_view.h"

#include <math.h>

enum { SAMPLES_MAX = 6 }; /* per direction, for one pixel */

/* Adds the bilinear sample of IMAGE at POINT to SUMS. */
static void add_sample(const idv_image_t *image, idv_point_t point,
                       double sums[3])
{
    int x = (int)floor(point.x), y = (int)floor(point.y);
    double right = point.x - x, below = point.y - y;

    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++) {
            double share =
                (column ? right : 1 - right) * (row ? below : 1 - below);
            int px = x + column, py = y + row;

            if (px < 0 || py < 0 || px >= image->width || py >= image->height)
                continue;
            for (int c = 0; c < 3; c++)
                sums[c] +=
                    share * idv_image_row(image, py)[px * image->channels + c];
        }
}

void idv_face_view_fill(const idv_image_t *image, const idv_face_view_t *view,
                        const idv_face_tone_t *tone, idv_network_t *network,
                        int input)
{
    int side = idv_network_shape(network, input).width;
    int stride = idv_network_stride(network, input);
    float *value = idv_network_values(network, input);
    double scale = sqrt(view->a * view->a + view->b * view->b);
    int samples = scale > 1.3 ? (int)ceil(fmin(scale, SAMPLES_MAX)) : 1;
    double count = samples * samples;

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++, value += stride) {
            double sums[3] = {0};

            for (int i = 0; i < samples * samples; i++) {
                double dx = (i % samples + 0.5) / samples - 0.5;
                double dy = ((double)(i / samples) + 0.5) / samples - 0.5;

                add_sample(image, idv_face_view_point(view, x + dx, y + dy),
                           sums);
            }
            for (int c = 0; c < 3; c++)
                value[c] =
                    (float)(sums[c] / count) * tone->scale + tone->offset[c];
        }
}

idv_face_view_t idv_face_view_fit(const idv_point_t *from,
                                  const idv_point_t *to, int count)
{
    idv_point_t middle = {0, 0}, target = {0, 0};
    double a = 0, b = 0, square = 1e-9;
    idv_face_view_t view;

    for (int i = 0; i < count; i++) {
        middle.x += from[i].x / count;
        middle.y += from[i].y / count;
        target.x += to[i].x / count;
        target.y += to[i].y / count;
    }
    for (int i = 0; i < count; i++) {
        double x = from[i].x - middle.x, y = from[i].y - middle.y;
        double u = to[i].x - target.x, v = to[i].y - target.y;

        a += x * u + y * v;
        b += x * v - y * u;
        square += x * x + y * y;
    }
    view.a = a / square;
    view.b = b / square;
    view.left = target.x - view.a * middle.x + view.b * middle.y;
    view.top = target.y - view.b * middle.x - view.a * middle.y;
    return view;
}
