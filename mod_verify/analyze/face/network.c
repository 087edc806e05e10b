/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/network.h"

#include <limits.h>
#include <string.h>

#include <apr_tables.h>

#include "analyze/face/network_kernel.h"
#include "analyze/face/network_memory.h"
#include "analyze/vector.h"

/* Far above the numbers of the networks in use. */
enum { SIDE_MAX = 4096, CHANNELS_MAX = 65536 };
#define VALUES_MAX (16 * 1024 * 1024)

typedef float lanes_t
    __attribute__((vector_size(sizeof(float) * IDV_NETWORK_LANES)));
typedef int signs_t
    __attribute__((vector_size(sizeof(float) * IDV_NETWORK_LANES)));

typedef struct {
    idv_network_shape_t shape;
    int stride; /* floats per pixel */
    int last;   /* the last step that reads it; for a result: all of them */
    int slot;   /* in the memory; constants have none: -1 */
    float *values;
} tensor_t;

typedef struct step_t step_t;
typedef void run_t(const idv_network_t *network, const step_t *step);
struct step_t {
    run_t *run;
    int left, right, result; /* tensors; right -1: none */
    idv_network_window_t window;
    int before, above; /* zeros on the left and above */
    int is_mean;       /* of a pool */
    const float *weights, *bias;
};

struct idv_network_t {
    apr_pool_t *pool;
    idv_network_memory_t memory;
    apr_array_header_t *tensors; /* tensor_t */
    apr_array_header_t *steps;   /* step_t */
    const char *fault;           /* the first; NULL: none */
    idv_kernel_t *kernel;
    float *windows; /* IDV_KERNEL_WINDOWS gathered windows */
    int depth_max;
};

static tensor_t *tensor_at(const idv_network_t *network, int tensor)
{
    return &APR_ARRAY_IDX(network->tensors, tensor, tensor_t);
}

static apr_size_t pixels_of(const tensor_t *tensor)
{
    return (apr_size_t)tensor->shape.height * (apr_size_t)tensor->shape.width;
}

static int refuse(idv_network_t *network, const char *fault)
{
    if (!network->fault)
        network->fault = fault;
    return -1;
}

/* Zeros; NULL after a fault. */
static float *make_values(idv_network_t *network, apr_size_t count)
{
    float *values = idv_network_memory_take(&network->memory, count);

    if (!values)
        refuse(network, "no memory");
    return values;
}

static int round_up(int count, int unit)
{
    return (count + unit - 1) / unit * unit;
}

static int add_tensor(idv_network_t *network, idv_network_shape_t shape)
{
    tensor_t *tensor;

    if (shape.height < 1 || shape.width < 1 || shape.channels < 1
        || shape.height > SIDE_MAX || shape.width > SIDE_MAX
        || shape.channels > CHANNELS_MAX
        || (apr_int64_t)shape.height * shape.width * shape.channels
               > VALUES_MAX)
        return refuse(network, "a tensor of an impossible shape");
    tensor = apr_array_push(network->tensors);
    tensor->shape = shape;
    tensor->stride = round_up(shape.channels, IDV_NETWORK_LANES);
    tensor->slot = -1;
    return network->tensors->nelts - 1;
}

idv_network_t *idv_network_create(apr_pool_t *pool)
{
    idv_network_t *network = apr_pcalloc(pool, sizeof(*network));

    network->pool = network->memory.pool = pool;
    network->tensors = apr_array_make(pool, 64, sizeof(tensor_t));
    network->steps = apr_array_make(pool, 64, sizeof(step_t));
    network->kernel = idv_kernel_choose();
    return network;
}

int idv_network_input(idv_network_t *network, idv_network_shape_t shape)
{
    if (network->tensors->nelts > 0)
        return refuse(network, "an input that is not the first tensor");
    return add_tensor(network, shape);
}

int idv_network_constant(idv_network_t *network, const float *values, int count)
{
    int tensor = add_tensor(network, (idv_network_shape_t){1, 1, count});

    if (tensor < 0)
        return tensor;
    tensor_at(network, tensor)->values =
        make_values(network, (apr_size_t)tensor_at(network, tensor)->stride);
    if (!tensor_at(network, tensor)->values)
        return -1;
    memcpy(tensor_at(network, tensor)->values, values,
           sizeof(*values) * (apr_size_t)count);
    return tensor;
}

idv_network_shape_t idv_network_shape(const idv_network_t *network, int tensor)
{
    if (tensor < 0 || tensor >= network->tensors->nelts)
        return (idv_network_shape_t){0, 0, 0};
    return tensor_at(network, tensor)->shape;
}

/* Adds a step from LEFT and RIGHT (-1: none) to a new tensor of SHAPE. *STEP
 * becomes its number. Returns NULL after a fault. */
static step_t *add_step(idv_network_t *network, int left, int right,
                        idv_network_shape_t shape)
{
    int result = add_tensor(network, shape);
    step_t *step;

    if (result < 0)
        return NULL;
    step = apr_array_push(network->steps);
    memset(step, 0, sizeof(*step));
    step->left = left;
    step->right = right;
    step->result = result;
    return step;
}

/* The result of STEP, which RUN computes; -1 after a fault. */
static int run_by(step_t *step, run_t *run)
{
    if (!step)
        return -1;
    step->run = run;
    return step->result;
}

static int is_tensor(idv_network_t *network, int tensor)
{
    if (tensor >= 0 && tensor < network->tensors->nelts)
        return 1;
    refuse(network, "an operand that does not exist");
    return 0;
}

/* --- windows --- */

/* The shape that WINDOW produces from INPUT, with OUTPUTS channels; all zero if
 * it does not fit. */
static idv_network_shape_t windowed(idv_network_shape_t input,
                                    const idv_network_window_t *window,
                                    int outputs)
{
    idv_network_shape_t shape = {0, 0, outputs};
    int step = window->step;

    if (step < 1 || window->height < 1 || window->width < 1
        || window->height > SIDE_MAX || window->width > SIDE_MAX)
        return shape;
    if (window->same) {
        shape.height = (input.height + step - 1) / step;
        shape.width = (input.width + step - 1) / step;
    } else if (input.height >= window->height && input.width >= window->width) {
        shape.height = (input.height - window->height) / step + 1;
        shape.width = (input.width - window->width) / step + 1;
    }
    return shape;
}

/* The zeros before the first of SIZE, so that RESULT windows of LENGTH fit. */
static int zeros_before(int size, int result, int length, int step)
{
    int missing = (result - 1) * step + length - size;

    return missing > 0 ? missing / 2 : 0;
}

static step_t *add_windowed(idv_network_t *network, int input,
                            const idv_network_window_t *window, int outputs)
{
    idv_network_shape_t from, to;
    step_t *step;

    if (!is_tensor(network, input))
        return NULL;
    from = idv_network_shape(network, input);
    to = windowed(from, window, outputs);
    step = add_step(network, input, -1, to);
    if (!step)
        return NULL;
    step->window = *window;
    if (window->same) {
        step->above =
            zeros_before(from.height, to.height, window->height, window->step);
        step->before =
            zeros_before(from.width, to.width, window->width, window->step);
    }
    return step;
}

/* Copies the window at (X, Y) of FROM, which may start outside of it. */
static void gather(const tensor_t *from, const idv_network_window_t *window,
                   int x, int y, float *to)
{
    size_t pixel = (size_t)from->stride * sizeof(float);

    for (int row = y; row < y + window->height; row++)
        for (int column = x; column < x + window->width;
             column++, to += from->stride) {
            if (row < 0 || column < 0 || row >= from->shape.height
                || column >= from->shape.width)
                memset(to, 0, pixel);
            else
                memcpy(to,
                       from->values
                           + ((size_t)row * (size_t)from->shape.width
                              + (size_t)column)
                                 * (size_t)from->stride,
                       pixel);
        }
}

/* Points BLOCK to the windows of COUNT results from FIRST on. The remaining
 * entries repeat the last window. */
static void take_windows(const idv_network_t *network, const step_t *step,
                         apr_size_t first, int count, idv_kernel_block_t *block)
{
    const tensor_t *from = tensor_at(network, step->left);
    const tensor_t *to = tensor_at(network, step->result);
    const idv_network_window_t *window = &step->window;
    int is_pixel = window->height == 1 && window->width == 1;

    for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
        apr_size_t result = first + (apr_size_t)(n < count ? n : count - 1);
        int width = to->shape.width;
        int y = (int)(result / (apr_size_t)width) * window->step - step->above;
        int x = (int)(result % (apr_size_t)width) * window->step - step->before;
        float *gathered =
            network->windows + (apr_size_t)n * (apr_size_t)block->depth;

        block->results[n] = to->values + result * (apr_size_t)to->stride;
        if (is_pixel) {
            block->windows[n] = from->values
                              + ((apr_size_t)y * (apr_size_t)from->shape.width
                                 + (apr_size_t)x)
                                    * (apr_size_t)from->stride;
            continue;
        }
        block->windows[n] = gathered;
        gather(from, window, x, y, gathered);
    }
}

static void run_convolution(const idv_network_t *network, const step_t *step)
{
    const tensor_t *from = tensor_at(network, step->left);
    const tensor_t *to = tensor_at(network, step->result);
    idv_kernel_block_t block = {.depth = step->window.height
                                       * step->window.width * from->stride};
    apr_size_t count = pixels_of(to);

    for (apr_size_t first = 0; first < count; first += IDV_KERNEL_WINDOWS) {
        int some = count - first < IDV_KERNEL_WINDOWS ? (int)(count - first)
                                                      : IDV_KERNEL_WINDOWS;

        take_windows(network, step, first, some, &block);
        block.weights = step->weights;
        block.bias = step->bias;
        for (int output = 0; output < to->stride;
             output += IDV_KERNEL_OUTPUTS) {
            int left = to->stride - output;

            block.outputs =
                left < IDV_KERNEL_OUTPUTS ? left : IDV_KERNEL_OUTPUTS;
            network->kernel(&block);
            block.weights += block.depth * IDV_KERNEL_OUTPUTS;
            block.bias += IDV_KERNEL_OUTPUTS;
            for (int n = 0; n < IDV_KERNEL_WINDOWS; n++)
                block.results[n] += block.outputs;
        }
    }
}

static float *pack_weights(idv_network_t *network, const tensor_t *input,
                           const idv_network_window_t *window,
                           const idv_network_weights_t *weights)
{
    int positions = window->height * window->width;
    int outputs = round_up(weights->outputs, IDV_KERNEL_OUTPUTS);
    float *packed = make_values(network, (apr_size_t)positions
                                             * (apr_size_t)input->stride
                                             * (apr_size_t)outputs);

    if (packed)
        idv_kernel_pack(&(idv_kernel_weights_t){
                            weights->weights, weights->outputs, positions,
                            input->shape.channels, weights->by_output,
                            weights->by_position, weights->by_input},
                        input->stride, packed);
    return packed;
}

static float *copy_bias(idv_network_t *network,
                        const idv_network_weights_t *weights)
{
    float *bias = make_values(
        network, (apr_size_t)round_up(weights->outputs, IDV_KERNEL_OUTPUTS));

    if (bias && weights->bias)
        memcpy(bias, weights->bias,
               sizeof(*bias) * (apr_size_t)weights->outputs);
    return bias;
}

int idv_network_convolve(idv_network_t *network, int input,
                         const idv_network_window_t *window,
                         const idv_network_weights_t *weights)
{
    step_t *step = add_windowed(network, input, window, weights->outputs);
    const tensor_t *from;
    int depth;

    if (!step)
        return -1;
    from = tensor_at(network, input);
    depth = window->height * window->width * from->stride;
    if (depth > network->depth_max)
        network->depth_max = depth;
    step->run = run_convolution;
    step->weights = pack_weights(network, from, window, weights);
    step->bias = copy_bias(network, weights);
    return step->result;
}

static const lanes_t *lanes(const float *values, apr_size_t at)
{
    return (const lanes_t *)(values + at);
}

/* One result of a depthwise convolution: all its channels. */
IDV_INTO_WIDE void weigh_window(const tensor_t *from, const step_t *step, int x,
                                int y, float *result)
{
    const idv_network_window_t *window = &step->window;
    apr_size_t stride = (apr_size_t)from->stride;

    for (apr_size_t c = 0; c < stride; c += IDV_NETWORK_LANES) {
        lanes_t sum = *lanes(step->bias, c);

        for (int row = 0; row < window->height; row++)
            for (int column = 0; column < window->width; column++) {
                int py = y + row, px = x + column;
                apr_size_t at = (apr_size_t)(row * window->width + column);

                if (py < 0 || px < 0 || py >= from->shape.height
                    || px >= from->shape.width)
                    continue;
                sum += *lanes(step->weights, at * stride + c)
                     * *lanes(from->values,
                              ((apr_size_t)py * (apr_size_t)from->shape.width
                               + (apr_size_t)px)
                                      * stride
                                  + c);
            }
        *(lanes_t *)(result + c) = sum;
    }
}

IDV_WIDE static void run_depthwise(const idv_network_t *network, const step_t *step)
{
    const tensor_t *from = tensor_at(network, step->left);
    const tensor_t *to = tensor_at(network, step->result);
    float *result = to->values;

    for (int y = 0; y < to->shape.height; y++)
        for (int x = 0; x < to->shape.width; x++, result += to->stride)
            weigh_window(from, step, x * step->window.step - step->before,
                         y * step->window.step - step->above, result);
}

int idv_network_convolve_depthwise(idv_network_t *network, int input,
                                   const idv_network_window_t *window,
                                   const idv_network_weights_t *weights)
{
    step_t *step = add_windowed(network, input, window, weights->outputs);
    const tensor_t *from;
    int positions = window->height * window->width;
    float *packed;

    if (!step)
        return -1;
    from = tensor_at(network, input);
    if (from->shape.channels != weights->outputs)
        return refuse(network, "a depthwise convolution with other channels");
    packed =
        make_values(network, (apr_size_t)positions * (apr_size_t)from->stride);
    for (int at = 0; packed && at < positions; at++)
        for (int i = 0; i < weights->outputs; i++)
            packed[at * from->stride + i] =
                weights->weights[at * weights->by_position
                                 + i * weights->by_output];
    step->run = run_depthwise;
    step->weights = packed;
    step->bias = copy_bias(network, weights);
    return step->result;
}

/* The pixel of FROM at PLACE in the window at (X, Y); NULL: outside. */
static const float *pixel_in(const tensor_t *from, const step_t *step, int x,
                             int y, int place)
{
    int row = y * step->window.step - step->above + place / step->window.width;
    int column =
        x * step->window.step - step->before + place % step->window.width;

    if (row < 0 || column < 0 || row >= from->shape.height
        || column >= from->shape.width)
        return NULL;
    return from->values
         + ((apr_size_t)row * (apr_size_t)from->shape.width
            + (apr_size_t)column)
               * (apr_size_t)from->stride;
}

/* The maximum, or the mean, of the pixels in each window that are inside. */
IDV_WIDE static void run_pool(const idv_network_t *network, const step_t *step)
{
    const tensor_t *from = tensor_at(network, step->left);
    const tensor_t *to = tensor_at(network, step->result);
    int places = step->window.height * step->window.width;
    float *result = to->values;

    for (int y = 0; y < to->shape.height; y++)
        for (int x = 0; x < to->shape.width; x++, result += to->stride) {
            int found = 0;

            memset(result, 0, sizeof(*result) * (apr_size_t)to->stride);
            for (int place = 0; place < places; place++) {
                const float *pixel = pixel_in(from, step, x, y, place);

                for (int c = 0; pixel && c < to->stride; c++) {
                    if (step->is_mean)
                        result[c] += pixel[c];
                    else if (!found || pixel[c] > result[c])
                        result[c] = pixel[c];
                }
                found += pixel != NULL;
            }
            for (int c = 0; step->is_mean && found && c < to->stride; c++)
                result[c] /= (float)found;
        }
}

static int add_pool(idv_network_t *network, int input,
                    const idv_network_window_t *window, int is_mean)
{
    step_t *step = add_windowed(network, input, window,
                                idv_network_shape(network, input).channels);

    if (!step)
        return -1;
    step->run = run_pool;
    step->is_mean = is_mean;
    return step->result;
}

int idv_network_pool_most(idv_network_t *network, int input,
                          const idv_network_window_t *window)
{
    return add_pool(network, input, window, 0);
}

int idv_network_pool_mean(idv_network_t *network, int input,
                          const idv_network_window_t *window)
{
    return add_pool(network, input, window, 1);
}

/* --- pixel by pixel --- */

#define EACH_VECTOR(name, expression)                                          \
    IDV_WIDE static void name(const idv_network_t *network,                    \
                              const step_t *step)                              \
    {                                                                          \
        const tensor_t *left = tensor_at(network, step->left);                 \
        const tensor_t *other =                                                \
            tensor_at(network, step->right < 0 ? step->left : step->right);    \
        const tensor_t *to = tensor_at(network, step->result);                 \
        apr_size_t count = pixels_of(to) * (apr_size_t)to->stride;             \
        apr_size_t period = pixels_of(other) * (apr_size_t)other->stride;      \
        const lanes_t zero = {0};                                              \
                                                                               \
        for (apr_size_t i = 0, k = 0; i < count;                               \
             i += IDV_NETWORK_LANES, k = k + IDV_NETWORK_LANES == period       \
                                           ? 0                                 \
                                           : k + IDV_NETWORK_LANES) {          \
            lanes_t a = *lanes(left->values, i);                               \
            lanes_t b = *lanes(other->values, k);                              \
            lanes_t positive = (lanes_t)((signs_t)a & (a > zero));             \
                                                                               \
            (void)b;                                                           \
            (void)positive;                                                    \
            *(lanes_t *)(to->values + i) = (expression);                       \
        }                                                                      \
    }

EACH_VECTOR(run_add, a + b)
EACH_VECTOR(run_subtract, a - b)
EACH_VECTOR(run_multiply, a *b)
EACH_VECTOR(run_prelu, positive + (a - positive) * b)
EACH_VECTOR(run_relu, positive)
EACH_VECTOR(run_absolute, positive + positive - a)

static int add_pointwise(idv_network_t *network, int left, int right,
                         run_t *run)
{
    idv_network_shape_t shape, other;
    step_t *step;

    if (!is_tensor(network, left) || (right >= 0 && !is_tensor(network, right)))
        return -1;
    shape = idv_network_shape(network, left);
    other = idv_network_shape(network, right >= 0 ? right : left);
    if (other.channels != shape.channels
        || (other.height * other.width != 1
            && (other.height != shape.height || other.width != shape.width)))
        return refuse(network, "two tensors that do not fit");
    step = add_step(network, left, right, shape);
    return run_by(step, run);
}

/* A missing operand must not become an operation on one operand. */
static int add_of_two(idv_network_t *network, int left, int right, run_t *run)
{
    return right < 0 ? refuse(network, "an operand that does not exist")
                     : add_pointwise(network, left, right, run);
}

static int is_constant(const idv_network_t *network, int tensor)
{
    return tensor >= 0 && tensor < network->tensors->nelts
        && tensor_at(network, tensor)->values;
}

int idv_network_add(idv_network_t *network, int left, int right)
{
    return is_constant(network, left)
             ? add_of_two(network, right, left, run_add)
             : add_of_two(network, left, right, run_add);
}

int idv_network_subtract(idv_network_t *network, int left, int right)
{
    return add_of_two(network, left, right, run_subtract);
}

int idv_network_multiply(idv_network_t *network, int left, int right)
{
    return is_constant(network, left)
             ? add_of_two(network, right, left, run_multiply)
             : add_of_two(network, left, right, run_multiply);
}

int idv_network_prelu(idv_network_t *network, int left, int right)
{
    return add_of_two(network, left, right, run_prelu);
}

int idv_network_relu(idv_network_t *network, int input)
{
    return add_pointwise(network, input, -1, run_relu);
}

int idv_network_absolute(idv_network_t *network, int input)
{
    return add_pointwise(network, input, -1, run_absolute);
}

/* --- other shapes --- */

static void run_pad(const idv_network_t *network, const step_t *step)
{
    const tensor_t *from = tensor_at(network, step->left);
    const tensor_t *to = tensor_at(network, step->result);

    memset(to->values, 0,
           sizeof(float) * pixels_of(to) * (apr_size_t)to->stride);
    for (int y = 0; y < from->shape.height; y++)
        for (int x = 0; x < from->shape.width; x++)
            memcpy(to->values
                       + (apr_size_t)(y * to->shape.width + x)
                             * (apr_size_t)to->stride,
                   from->values
                       + (apr_size_t)(y * from->shape.width + x)
                             * (apr_size_t)from->stride,
                   sizeof(float) * (apr_size_t)from->shape.channels);
}

int idv_network_pad(idv_network_t *network, int input, idv_network_shape_t more)
{
    idv_network_shape_t shape;
    step_t *step;

    if (!is_tensor(network, input))
        return -1;
    if (more.height < 0 || more.width < 0 || more.channels < 0
        || more.height > SIDE_MAX || more.width > SIDE_MAX
        || more.channels > CHANNELS_MAX)
        return refuse(network, "a padding of an impossible size");
    shape = idv_network_shape(network, input);
    shape.height += more.height;
    shape.width += more.width;
    shape.channels += more.channels;
    step = add_step(network, input, -1, shape);
    return run_by(step, run_pad);
}

/* Appends the channels of every pixel of FROM at TO. */
static float *put_flat(const tensor_t *from, float *to)
{
    for (apr_size_t i = 0; i < pixels_of(from); i++) {
        memcpy(to, from->values + i * (apr_size_t)from->stride,
               sizeof(*to) * (apr_size_t)from->shape.channels);
        to += from->shape.channels;
    }
    return to;
}

static void run_append(const idv_network_t *network, const step_t *step)
{
    const tensor_t *to = tensor_at(network, step->result);
    float *end = put_flat(tensor_at(network, step->left), to->values);

    if (step->right >= 0)
        end = put_flat(tensor_at(network, step->right), end);
    memset(end, 0, sizeof(*end) * (apr_size_t)(to->values + to->stride - end));
}

static int count_values(idv_network_shape_t shape)
{
    return shape.height * shape.width * shape.channels;
}

int idv_network_flatten(idv_network_t *network, int input)
{
    idv_network_shape_t shape = {1, 1, 0};
    step_t *step;

    if (!is_tensor(network, input))
        return -1;
    shape.channels = count_values(idv_network_shape(network, input));
    step = add_step(network, input, -1, shape);
    return run_by(step, run_append);
}

int idv_network_append(idv_network_t *network, int left, int right)
{
    idv_network_shape_t shape = {1, 1, 0};
    step_t *step;

    if (!is_tensor(network, left) || !is_tensor(network, right))
        return -1;
    shape.channels = count_values(idv_network_shape(network, left))
                   + count_values(idv_network_shape(network, right));
    step = add_step(network, left, right, shape);
    return run_by(step, run_append);
}

/* --- memory and lifetimes --- */

void idv_network_result(idv_network_t *network, int tensor)
{
    if (is_tensor(network, tensor))
        tensor_at(network, tensor)->last = INT_MAX;
}

static void note_use(const idv_network_t *network, int tensor, int step)
{
    if (tensor >= 0 && tensor_at(network, tensor)->last < step)
        tensor_at(network, tensor)->last = step;
}

/* Slots of memory that tensors reuse one after the other. */
typedef struct {
    apr_size_t size; /* floats */
    int free_from;   /* step */
} slot_t;

/* A slot for TENSOR, which STEP writes. */
static void take_slot(apr_array_header_t *slots, tensor_t *tensor, int step)
{
    apr_size_t size = pixels_of(tensor) * (apr_size_t)tensor->stride;
    slot_t *slot;
    int index = 0;

    while (index < slots->nelts
           && APR_ARRAY_IDX(slots, index, slot_t).free_from > step)
        index++;
    if (index == slots->nelts) {
        slot = apr_array_push(slots);
        slot->size = 0;
    }
    slot = &APR_ARRAY_IDX(slots, index, slot_t);
    if (size > slot->size)
        slot->size = size;
    slot->free_from = tensor->last == INT_MAX ? INT_MAX : tensor->last + 1;
    tensor->slot = index;
}

static void place_tensors(idv_network_t *network)
{
    apr_array_header_t *slots =
        apr_array_make(network->pool, 8, sizeof(slot_t));
    float **memory;

    take_slot(slots, tensor_at(network, 0), 0);
    for (int i = 0; i < network->steps->nelts; i++)
        take_slot(
            slots,
            tensor_at(network, APR_ARRAY_IDX(network->steps, i, step_t).result),
            i);
    memory =
        apr_palloc(network->pool, sizeof(*memory) * (apr_size_t)slots->nelts);
    for (int i = 0; i < slots->nelts; i++)
        memory[i] = make_values(network, APR_ARRAY_IDX(slots, i, slot_t).size);
    for (int i = 0; i < network->tensors->nelts; i++)
        if (tensor_at(network, i)->slot >= 0)
            tensor_at(network, i)->values = memory[tensor_at(network, i)->slot];
    network->windows =
        make_values(network, (apr_size_t)network->depth_max
                                 * (apr_size_t)IDV_KERNEL_WINDOWS);
}

idv_error_t *idv_network_finish(idv_network_t *network, apr_pool_t *pool)
{
    if (network->tensors->nelts == 0)
        refuse(network, "it has no input");
    for (int i = 0; !network->fault && i < network->steps->nelts; i++) {
        const step_t *step = &APR_ARRAY_IDX(network->steps, i, step_t);

        note_use(network, step->left, i);
        note_use(network, step->right, i);
    }
    if (!network->fault)
        place_tensors(network);
    if (!network->fault)
        return NULL;
    return idv_error_internal(pool, "a network cannot be built: %s",
                              network->fault);
}

float *idv_network_values(const idv_network_t *network, int tensor)
{
    return tensor_at(network, tensor)->values;
}

int idv_network_stride(const idv_network_t *network, int tensor)
{
    return tensor_at(network, tensor)->stride;
}

void idv_network_run(idv_network_t *network)
{
    for (int i = 0; i < network->steps->nelts; i++) {
        const step_t *step = &APR_ARRAY_IDX(network->steps, i, step_t);

        step->run(network, step);
    }
}
