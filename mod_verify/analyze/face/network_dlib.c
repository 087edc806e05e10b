/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/network_dlib.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "core/json.h"

enum { WEIGHTS_MAX = 512, DIMENSIONS_MAX = 4 };
#define VALUES_MAX (4 * 1024 * 1024)

typedef struct {
    const char *name;
    int dimensions[DIMENSIONS_MAX]; /* padded with 1 at the end */
    const unsigned char *bytes; /* of the file: floats, or bytes to be scaled */
    int is_scaled;
    double scale, least;
    int count;
} weight_t;

typedef struct {
    apr_array_header_t *weights; /* weight_t */
    idv_bytes_t bytes;
    apr_size_t used;
    idv_network_t *network;
    const char *fault; /* NULL: none */
    apr_pool_t *pool;
    apr_pool_t *layer; /* for the values of one layer */
} reading_t;

static void fail(reading_t *reading, const char *fault)
{
    if (!reading->fault)
        reading->fault = fault;
}

/* --- weights --- */

static int read_shape(reading_t *reading, const json_t *shape, int *dimensions)
{
    apr_int64_t count = 1;

    for (int i = 0; i < DIMENSIONS_MAX; i++)
        dimensions[i] = 1;
    if (!json_is_array(shape) || json_array_size(shape) > DIMENSIONS_MAX) {
        fail(reading, "a weight without a shape");
        return 0;
    }
    for (size_t i = 0; i < json_array_size(shape); i++) {
        json_int_t size = json_integer_value(json_array_get(shape, i));

        if (size < 1 || count * size > VALUES_MAX) {
            fail(reading, "a weight of an impossible shape");
            return 0;
        }
        dimensions[i] = (int)size;
        count *= size;
    }
    return (int)count;
}

/* Finds the bytes of WEIGHT, which come next in the file. */
static void take_bytes(reading_t *reading, const json_t *quantization,
                       weight_t *weight)
{
    apr_size_t size = (apr_size_t)weight->count
                    * (quantization ? sizeof(char) : sizeof(float));

    if (size > reading->bytes.length - reading->used) {
        fail(reading, "weights that end early");
        return;
    }
    weight->bytes = reading->bytes.data + reading->used;
    weight->is_scaled = quantization != NULL;
    weight->scale = json_number_value(json_object_get(quantization, "scale"));
    weight->least = json_number_value(json_object_get(quantization, "min"));
    reading->used += size;
}

static void read_weights(reading_t *reading, const json_t *group)
{
    const json_t *list = json_object_get(group, "weights"), *entry;
    size_t i;

    json_array_foreach (list, i, entry) {
        weight_t *weight = apr_array_push(reading->weights);
        const char *name = json_string_value(json_object_get(entry, "name"));

        if (!name || i >= WEIGHTS_MAX) {
            fail(reading, "a weight without a name");
            return;
        }
        weight->name = name;
        weight->count = read_shape(reading, json_object_get(entry, "shape"),
                                   weight->dimensions);
        take_bytes(reading, json_object_get(entry, "quantization"), weight);
        if (reading->fault)
            return;
    }
}

/* The weight NAME of LAYER; without values after a fault. */
static const weight_t *find_weight(reading_t *reading, const char *layer,
                                   const char *name)
{
    static const weight_t none = {0};
    const char *whole = apr_pstrcat(reading->pool, layer, name, NULL);

    for (int i = 0; i < reading->weights->nelts; i++) {
        const weight_t *weight = &APR_ARRAY_IDX(reading->weights, i, weight_t);

        if (strcmp(weight->name, whole) == 0)
            return weight;
    }
    fail(reading, "a weight that is missing");
    return &none;
}

/* The values of WEIGHT, until the next layer. Six million bytes are read at every
 * start, so that each is looked up rather than computed. */
static float *values_of(const reading_t *reading, const weight_t *weight)
{
    enum { LEVELS = 256 };
    apr_size_t size = sizeof(float) * (apr_size_t)weight->count;
    float *values = apr_palloc(reading->layer, size);
    float levels[LEVELS];

    if (!weight->is_scaled) {
        memcpy(values, weight->bytes, size);
        return values;
    }
    for (int i = 0; i < LEVELS; i++)
        levels[i] = (float)(i * weight->scale + weight->least);
    for (int i = 0; i < weight->count; i++)
        values[i] = levels[weight->bytes[i]];
    return values;
}

/* --- layers --- */

/* Multiplies the filters by the scale of each output, which is their last
 * dimension. */
static void scale_filters(float *filters, int count, const float *scales,
                          int outputs)
{
    for (int i = 0; i < count; i += outputs)
        for (int j = 0; j < outputs; j++)
            filters[i + j] *= scales[j];
}

/* Combines a convolution with the scale and offset of each output. Weights are
 * in the order row, column, input, output. */
static int add_scaled(reading_t *reading, int input, const char *layer,
                      const idv_network_window_t *size)
{
    const weight_t *filters = find_weight(reading, layer, "/conv/filters");
    const weight_t *bias = find_weight(reading, layer, "/conv/bias");
    const weight_t *scale = find_weight(reading, layer, "/scale/weights");
    const weight_t *offset = find_weight(reading, layer, "/scale/biases");
    idv_network_window_t window = *size;
    int outputs = filters->dimensions[3];
    int inputs = filters->dimensions[2];
    float *weights, *sums;
    const float *scales, *offsets;
    idv_network_weights_t packed;

    if (reading->fault)
        return -1;
    if (bias->count != outputs || scale->count != outputs
        || offset->count != outputs
        || inputs != idv_network_shape(reading->network, input).channels) {
        fail(reading, "weights that do not fit");
        return -1;
    }
    window.height = filters->dimensions[0];
    window.width = filters->dimensions[1];
    apr_pool_clear(reading->layer);
    weights = values_of(reading, filters);
    scales = values_of(reading, scale);
    offsets = values_of(reading, offset);
    sums = values_of(reading, bias);
    scale_filters(weights, filters->count, scales, outputs);
    for (int i = 0; i < outputs; i++)
        sums[i] = sums[i] * scales[i] + offsets[i];
    packed = (idv_network_weights_t){weights,          sums,   outputs, 1,
                                     inputs * outputs, outputs};
    return idv_network_convolve(reading->network, input, &window, &packed);
}

static const char *part(reading_t *reading, const char *block, const char *name)
{
    return apr_pstrcat(reading->pool, block, name, NULL);
}

/* Two convolutions; the input is added to their result. */
static int add_residual(reading_t *reading, int input, const char *block)
{
    const idv_network_window_t same = {.step = 1, .same = 1};
    idv_network_t *network = reading->network;
    int result = idv_network_relu(
        network,
        add_scaled(reading, input, part(reading, block, "/conv1"), &same));

    result = add_scaled(reading, result, part(reading, block, "/conv2"), &same);
    return idv_network_relu(network, idv_network_add(network, result, input));
}

/* The same, at half the size: the input is halved by averaging, and missing
 * pixels or channels are filled with zeros. */
static int add_halving(reading_t *reading, int input, const char *block)
{
    const idv_network_window_t inside = {.step = 2},
                               same = {.step = 1, .same = 1};
    const idv_network_window_t two = {.height = 2, .width = 2, .step = 2};
    idv_network_t *network = reading->network;
    int result = idv_network_relu(
        network,
        add_scaled(reading, input, part(reading, block, "/conv1"), &inside));
    int halved = idv_network_pool_mean(network, input, &two);
    idv_network_shape_t left, right, more = {0};

    result = add_scaled(reading, result, part(reading, block, "/conv2"), &same);
    left = idv_network_shape(network, result);
    right = idv_network_shape(network, halved);
    more.height = right.height - left.height;
    more.width = right.width - left.width;
    if (more.height || more.width)
        result = idv_network_pad(network, result, more);
    more = (idv_network_shape_t){0, 0, left.channels - right.channels};
    if (more.channels)
        halved = idv_network_pad(network, halved, more);
    return idv_network_relu(network, idv_network_add(network, result, halved));
}

static const struct {
    int (*add)(reading_t *reading, int input, const char *block);
    const char *block;
} blocks[] = {
    {add_residual, "conv32_1"},    {add_residual, "conv32_2"},
    {add_residual, "conv32_3"},    {add_halving, "conv64_down"},
    {add_residual, "conv64_1"},    {add_residual, "conv64_2"},
    {add_residual, "conv64_3"},    {add_halving, "conv128_down"},
    {add_residual, "conv128_1"},   {add_residual, "conv128_2"},
    {add_halving, "conv256_down"}, {add_residual, "conv256_1"},
    {add_residual, "conv256_2"},   {add_halving, "conv256_down_out"},
};

static int build(reading_t *reading)
{
    const idv_network_window_t first = {.step = 2};
    const idv_network_window_t three = {.height = 3, .width = 3, .step = 2};
    idv_network_window_t all = {.step = 1};
    idv_network_t *network = reading->network;
    const weight_t *last = find_weight(reading, "fc", "");
    idv_network_weights_t weights = {
        NULL, NULL, last->dimensions[1], 1, 0, last->dimensions[1]};
    const idv_network_window_t pixel = {.height = 1, .width = 1, .step = 1};
    idv_network_shape_t shape;
    int result = idv_network_input(
        network, (idv_network_shape_t){IDV_DLIB_SIDE, IDV_DLIB_SIDE, 3});

    result = idv_network_relu(
        network, add_scaled(reading, result, "conv32_down", &first));
    result = idv_network_pool_most(network, result, &three);
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
        result = blocks[i].add(reading, result, blocks[i].block);
    shape = idv_network_shape(network, result);
    if (reading->fault || shape.channels != last->dimensions[0]
        || last->dimensions[1] != IDV_DLIB_VALUES) {
        fail(reading, "a last layer that does not fit");
        return -1;
    }
    all.height = shape.height;
    all.width = shape.width;
    weights.weights = values_of(reading, last);
    result = idv_network_pool_mean(network, result, &all);
    return idv_network_convolve(network, result, &pixel, &weights);
}

idv_error_t *idv_dlib_read(idv_bytes_t manifest, idv_bytes_t weights,
                           idv_network_t **network, int *result,
                           apr_pool_t *pool)
{
    reading_t reading = {.bytes = weights};
    const json_t *group;
    json_t *root;

    if (apr_pool_create(&reading.pool, pool) != APR_SUCCESS
        || apr_pool_create(&reading.layer, reading.pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    root = idv_json_own(
        json_loadb((const char *)manifest.data, manifest.length, 0, NULL),
        reading.pool);
    group = json_array_get(root, 0);
    if (!group)
        fail(&reading, "no manifest");
    reading.network = *network = idv_network_create(pool);
    reading.weights =
        apr_array_make(reading.pool, WEIGHTS_MAX, sizeof(weight_t));
    if (!reading.fault)
        read_weights(&reading, group);
    if (!reading.fault)
        *result = build(&reading);
    idv_network_result(*network, reading.fault ? -1 : *result);
    apr_pool_destroy(reading.pool);
    if (reading.fault)
        return idv_error_internal(pool, "the network of dlib: %s",
                                  reading.fault);
    return idv_network_finish(*network, pool);
}
