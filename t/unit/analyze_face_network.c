/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of networks: each operation against plain loops, and the fast
 * kernel against the portable one.
 */
#include "unit/unit.h"

#include <math.h>

#include "analyze/face/network.h"
#include "analyze/face/network_kernel.h"
#include "analyze/face/network_memory.h"
#include "analyze/face/network_tflite.h"

enum { SIDE = 7, INPUTS = 3, OUTPUTS = 19, WINDOW = 3 };

static float weights[OUTPUTS * WINDOW * WINDOW * INPUTS], bias[OUTPUTS];
static float image[SIDE][SIDE][INPUTS];

static void fill(void)
{
    for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++)
        weights[i] = (float)((int)(i * 7 % 13) - 6) / 8;
    for (int i = 0; i < OUTPUTS; i++)
        bias[i] = (float)(i - 9) / 4;
    for (int i = 0; i < SIDE * SIDE * INPUTS; i++)
        ((float *)image)[i] = (float)(i * 5 % 11 - 5) / 4;
}

static int weight_at(int output, int row, int column, int input)
{
    return ((output * WINDOW + row) * WINDOW + column) * INPUTS + input;
}

/* The sum for one output at the window that begins at (X, Y). */
static float plain(int output, int x, int y)
{
    float sum = bias[output];

    for (int row = 0; row < WINDOW; row++)
        for (int column = 0; column < WINDOW; column++)
            for (int i = 0; i < INPUTS; i++)
                if (y + row >= 0 && y + row < SIDE && x + column >= 0
                    && x + column < SIDE)
                    sum += image[y + row][x + column][i]
                         * weights[weight_at(output, row, column, i)];
    return sum;
}

static idv_network_t *begin(int *input, apr_pool_t *pool)
{
    idv_network_t *network = idv_network_create(pool);

    *input =
        idv_network_input(network, (idv_network_shape_t){SIDE, SIDE, INPUTS});
    return network;
}

static void show(idv_network_t *network, int input)
{
    float *values = idv_network_values(network, input);
    int stride = idv_network_stride(network, input);

    for (int i = 0; i < SIDE * SIDE; i++)
        memcpy(values + i * stride, image[i / SIDE][i % SIDE],
               sizeof(image[0][0]));
}

static const idv_network_weights_t all = {
    weights, bias, OUTPUTS, WINDOW *WINDOW *INPUTS, INPUTS, 1};

static void convolves_as_plain_loops_do(void **state)
{
    static const idv_network_window_t windows[] = {{WINDOW, WINDOW, 1, 0},
                                                   {WINDOW, WINDOW, 1, 1},
                                                   {WINDOW, WINDOW, 2, 1},
                                                   {WINDOW, WINDOW, 2, 0}};

    fill();
    for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
        const idv_network_window_t *window = &windows[i];
        int input, result, before = window->same ? 1 : 0;
        idv_network_t *network = begin(&input, *state);
        idv_network_shape_t shape;

        result = idv_network_convolve(network, input, window, &all);
        idv_network_result(network, result);
        assert_null(idv_network_finish(network, *state));
        shape = idv_network_shape(network, result);
        assert_int_equal(shape.channels, OUTPUTS);
        assert_int_equal(shape.width,
                         window->same ? (SIDE + window->step - 1) / window->step
                                      : (SIDE - WINDOW) / window->step + 1);
        show(network, input);
        idv_network_run(network);
        for (int at = 0; at < shape.height * shape.width; at++)
            for (int output = 0; output < OUTPUTS; output++) {
                int x = at % shape.width * window->step - before;
                int y = at / shape.width * window->step - before;
                float found = idv_network_values(
                    network,
                    result)[at * idv_network_stride(network, result) + output];

                assert_true(fabsf(found - plain(output, x, y)) < 1e-4F);
            }
    }
}

static void kernels_agree(void **state)
{
    enum { DEPTH = 40 };
    static float left[IDV_KERNEL_WINDOWS][DEPTH] __attribute__((aligned(32)));
    static float packed[DEPTH * IDV_KERNEL_OUTPUTS]
        __attribute__((aligned(32)));
    static float sums[2][IDV_KERNEL_WINDOWS][IDV_KERNEL_OUTPUTS]
        __attribute__((aligned(32)));
    static float start[IDV_KERNEL_OUTPUTS] __attribute__((aligned(32)));

    (void)state;
    for (int i = 0; i < IDV_KERNEL_WINDOWS * DEPTH; i++)
        ((float *)left)[i] = (float)(i * 3 % 17 - 8) / 8;
    for (int i = 0; i < DEPTH * IDV_KERNEL_OUTPUTS; i++)
        packed[i] = (float)(i * 7 % 23 - 11) / 16;
    for (int which = 0; which < 2; which++) {
        idv_kernel_block_t block = {.depth = DEPTH,
                                    .weights = packed,
                                    .bias = start,
                                    .outputs = IDV_KERNEL_OUTPUTS};

        for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
            block.windows[n] = left[n];
            block.results[n] = sums[which][n];
        }
        (which ? idv_kernel_choose() : idv_kernel_portable)(&block);
    }
    for (int i = 0; i < IDV_KERNEL_WINDOWS * IDV_KERNEL_OUTPUTS; i++)
        assert_true(fabsf(((float *)sums[0])[i] - ((float *)sums[1])[i])
                    < 1e-4F);
}

static void works_pixel_by_pixel(void **state)
{
    const float factors[INPUTS] = {2, -1, 0.5F};
    int input, factor, result;
    idv_network_t *network = begin(&input, *state);

    fill();
    factor = idv_network_constant(network, factors, INPUTS);
    result = idv_network_prelu(network, input, factor);
    result =
        idv_network_add(network, result, idv_network_absolute(network, input));
    result =
        idv_network_subtract(network, result, idv_network_relu(network, input));
    result = idv_network_multiply(network, factor, result);
    idv_network_result(network, result);
    assert_null(idv_network_finish(network, *state));
    show(network, input);
    idv_network_run(network);
    for (int i = 0; i < SIDE * SIDE * INPUTS; i++) {
        float x = ((float *)image)[i], f = factors[i % INPUTS];
        float wanted = f * ((x > 0 ? x : x * f) + fabsf(x) - (x > 0 ? x : 0));
        float found = idv_network_values(
            network, result)[i / INPUTS * idv_network_stride(network, result)
                             + i % INPUTS];

        assert_true(fabsf(found - wanted) < 1e-5F);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    const float few[] = {1, 2};
    int input;
    idv_network_t *network = begin(&input, *state);

    assert_true(
        idv_network_add(network, input, idv_network_constant(network, few, 2))
        < 0);
    assert_true(idv_network_relu(network, -1) < 0);
    assert_non_null(idv_network_finish(network, *state));
    network = begin(&input, *state);
    assert_true(idv_network_convolve(network, input,
                                     &(idv_network_window_t){SIDE + 1, 1, 1, 0},
                                     &all)
                < 0);
    assert_non_null(idv_network_finish(network, *state));
}

/* Zeros, aligned, each of its own; also more than a block. */
static void memory_is_of_zeros(void **state)
{
    static const apr_size_t counts[] = {1, 7, 3000000, 1000, 2000000};
    enum { COUNT = sizeof(counts) / sizeof(*counts) };
    idv_network_memory_t memory = {.pool = *state};
    float *taken[COUNT];

    for (int i = 0; i < COUNT; i++) {
        taken[i] = idv_network_memory_take(&memory, counts[i]);
        assert_non_null(taken[i]);
        assert_int_equal((apr_uintptr_t)taken[i] % 64, 0);
        for (apr_size_t k = 0; k < counts[i]; k++) {
            assert_true(taken[i][k] == 0);
            taken[i][k] = (float)(i + 1);
        }
    }
    for (int i = 0; i < COUNT; i++)
        for (apr_size_t k = 0; k < counts[i]; k++)
            assert_true(taken[i][k] == (float)(i + 1));
}

static void damaged_models_are_refused(void **state)
{
    unsigned char file[64] = {8, 0, 0, 0, 'T', 'F', 'L', '3'};
    idv_tflite_t model;

    assert_non_null(idv_tflite_read((idv_bytes_t){file, 4}, &model, *state));
    for (int byte = 0; byte < 256; byte += 5) {
        memset(file + 8, byte, sizeof(file) - 8);
        assert_non_null(
            idv_tflite_read((idv_bytes_t){file, sizeof(file)}, &model, *state));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(convolves_as_plain_loops_do),
        pooled_test(kernels_agree),
        pooled_test(works_pixel_by_pixel),
        pooled_test(what_does_not_fit_is_refused),
        pooled_test(memory_is_of_zeros),
        pooled_test(damaged_models_are_refused),
    };

    apr_initialize();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
