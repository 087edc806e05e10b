/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_FACE_VIEW_H
#define IDV_ANALYZE_FACE_FACE_VIEW_H

/*
 * What a network is shown of a picture: a square that lies anywhere in it,
 * turned and scaled, as the input tensor of the network.
 *
 * Where the picture is made smaller, several samples are averaged for each
 * pixel, so that nothing aliases; what lies outside of it is black.
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

/* The similarity that brings the COUNT points of a square FROM closest to the
 * points TO of the picture, by the least squares. */
idv_face_view_t idv_face_view_fit(const idv_point_t *from,
                                  const idv_point_t *to, int count);

/* Where VIEW has the point (X, Y) of its square in the picture. */
static inline idv_point_t idv_face_view_point(const idv_face_view_t *view,
                                              double x, double y)
{
    return (idv_point_t){view->a * x - view->b * y + view->left,
                         view->b * x + view->a * y + view->top};
}

#endif
