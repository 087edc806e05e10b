/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_VIEW_H
#define IDV_ANALYZE_FACE_FACE_VIEW_H

/*
 * A square cut out of a picture, in any position, turned and scaled, as the
 * input tensor of a network.
 *
 * When the picture is reduced, several samples are averaged for each pixel
 * against aliasing; places outside the picture are black.
 *
 * Memory: the caller's. Threads: pure. Failures: none.
 */
#include "analyze/face/network.h"
#include "analyze/image.h"

/* The point (x, y) of the square shows the picture's
 * (a x - b y + left, b x + a y + top): a similarity. */
typedef struct {
    double a, b, left, top;
} idv_face_view_t;

/* How samples become values: sample * scale + offset of the channel. */
typedef struct {
    float scale;
    float offset[3];
} idv_face_tone_t;

/* Fills the tensor INPUT, a square of three channels, with VIEW of the RGB
 * image IMAGE. */
void idv_face_view_fill(const idv_image_t *image, const idv_face_view_t *view,
                        const idv_face_tone_t *tone, idv_network_t *network,
                        int input);

/* The similarity that maps the COUNT points FROM of a square to the points TO
 * of the picture, by least squares. */
idv_face_view_t idv_face_view_fit(const idv_point_t *from,
                                  const idv_point_t *to, int count);

/* The point of the picture at (X, Y) of the square of VIEW. */
static inline idv_point_t idv_face_view_point(const idv_face_view_t *view,
                                              double x, double y)
{
    return (idv_point_t){view->a * x - view->b * y + view->left,
                         view->b * x + view->a * y + view->top};
}

#endif
