/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_H
#define IDV_ANALYZE_FACE_NETWORK_H

/*
 * Convolutional networks: built once from existing weights (network_tflite.h,
 * network_dlib.h), then run on one input after the other.
 *
 * A tensor is an image of floats, channels innermost. The channels of a pixel
 * are rounded up to a multiple of IDV_NETWORK_LANES; the padding is zero, and
 * every operation keeps it so. So whole vectors are computed, without
 * remainders. A constant is a tensor of one pixel, which an operation on two
 * tensors applies to every pixel of the other.
 *
 * Each function that adds an operation checks its operands and returns the
 * number of the resulting tensor. The first misfit is remembered, returns a
 * negative number and makes idv_network_finish() fail. A negative operand gives
 * a negative result, so the builder of a network checks for failure once.
 *
 * Memory: a network lives in the pool of its creation, with the buffers of all
 * its tensors, which share memory if their lifetimes do not overlap; a run
 * allocates nothing. Threads: one run of a network at a time; a forked child
 * has its own copy. Failures: internal errors of building; a run cannot fail.
 */
#include "core/error.h"

#define IDV_NETWORK_LANES 8

typedef struct idv_network_t idv_network_t;

typedef struct {
    int height, width, channels; /* at least 1 */
} idv_network_shape_t;

/* How an operation moves over the image. */
typedef struct {
    int height, width; /* of the window */
    int step;          /* distance between windows in pixels */
    int same;          /* flag: zeros around, result of size / step, rounded up;
                        * else windows are inside */
} idv_network_window_t;

/* The weights of a convolution. The index of a weight is the sum of three
 * products, for the output, the position in the window (row by row) and the
 * input. */
typedef struct {
    const float *weights;
    const float *bias; /* one per output; NULL: zero */
    int outputs;
    int by_output, by_position, by_input;
} idv_network_weights_t;

/* An empty network. */
idv_network_t *idv_network_create(apr_pool_t *pool);

/* The input, first of all tensors. */
int idv_network_input(idv_network_t *network, idv_network_shape_t shape);

/* A constant of COUNT values, which are copied. */
int idv_network_constant(idv_network_t *network, const float *values,
                         int count);

/* The shape of a tensor; all zero for a negative one. */
idv_network_shape_t idv_network_shape(const idv_network_t *network, int tensor);

/* Computes every output from all inputs; BY_POSITION and the others as in
 * WEIGHTS, which are copied. */
int idv_network_convolve(idv_network_t *network, int input,
                         const idv_network_window_t *window,
                         const idv_network_weights_t *weights);

/* Computes each output from the input of the same number; `by_input` is not
 * used. */
int idv_network_convolve_depthwise(idv_network_t *network, int input,
                                   const idv_network_window_t *window,
                                   const idv_network_weights_t *weights);

/* Pixel by pixel, channel by channel; one of the two may be a constant. */
int idv_network_add(idv_network_t *network, int left, int right);
int idv_network_subtract(idv_network_t *network, int left, int right);
int idv_network_multiply(idv_network_t *network, int left, int right);
/* LEFT if it is positive, else LEFT times the constant RIGHT. */
int idv_network_prelu(idv_network_t *network, int left, int right);

int idv_network_relu(idv_network_t *network, int input);
int idv_network_absolute(idv_network_t *network, int input);

int idv_network_pool_most(idv_network_t *network, int input,
                          const idv_network_window_t *window);
int idv_network_pool_mean(idv_network_t *network, int input,
                          const idv_network_window_t *window);

/* Adds MORE rows below, columns at the right and channels at the end, all
 * zero. */
int idv_network_pad(idv_network_t *network, int input,
                    idv_network_shape_t more);

/* All values, row by row, as the channels of one pixel. */
int idv_network_flatten(idv_network_t *network, int input);

/* The channels of two tensors of one pixel, RIGHT after LEFT. */
int idv_network_append(idv_network_t *network, int left, int right);

/* Marks TENSOR as a result: it is valid until the next run. */
void idv_network_result(idv_network_t *network, int tensor);

/* Ends building, and assigns memory to every tensor. */
idv_error_t *idv_network_finish(idv_network_t *network,
                                apr_pool_t *pool) IDV_CHECKED;

/* The values of a tensor: of the input, to be filled before a run, or of a
 * result, to be read after it. Pixel (x, y) begins at (y * width + x) times
 * idv_network_stride(). */
float *idv_network_values(const idv_network_t *network, int tensor);
int idv_network_stride(const idv_network_t *network, int tensor);

/* Computes the results from the input. */
void idv_network_run(idv_network_t *network);

#endif
