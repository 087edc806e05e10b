/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/network_tflite.h"

#include <string.h>

/* Codes of operators, types of tensors, activations (schema.fbs). */
enum {
    OP_ADD = 0,
    OP_CONCATENATION = 2,
    OP_CONV_2D = 3,
    OP_DEPTHWISE_CONV_2D = 4,
    OP_DEQUANTIZE = 6,
    OP_MAX_POOL_2D = 17,
    OP_MUL = 18,
    OP_RELU = 19,
    OP_RESHAPE = 22,
    OP_PAD = 34,
    OP_SUB = 41,
    OP_PRELU = 54,
    OP_ABS = 101
};
enum { TYPE_FLOAT32 = 0, TYPE_FLOAT16 = 1, TYPE_INT32 = 2 };

/* Far more than in the models in use. */
enum { TENSORS_MAX = 4096, OPERATORS_MAX = 4096, DIMENSIONS_MAX = 4 };
#define VALUES_MAX (16 * 1024 * 1024)

/* A tensor of the file, and its tensor in the network. */
typedef struct {
    int dimensions[DIMENSIONS_MAX]; /* padded with 1 in front */
    int type;
    apr_uint32_t data, length; /* of a constant, in bytes; length 0: none */
    float *values;             /* of a constant, once it was requested */
    int tensor;                /* of the network; -1: none yet */
} source_t;

typedef struct {
    idv_bytes_t file;
    const char *fault; /* the first; NULL: none */
    idv_network_t *network;
    source_t *sources;
    int source_count;
    apr_uint32_t codes; /* the vector of operator codes */
    apr_pool_t *pool;
} reading_t;

static void fail(reading_t *reading, const char *fault)
{
    if (!reading->fault)
        reading->fault = fault;
}

/* --- FlatBuffers: little-endian, offsets relative to their own position --- */

static apr_uint32_t read_bytes(reading_t *reading, apr_uint32_t at, int count)
{
    apr_uint32_t value = 0;

    if ((apr_uint64_t)at + (apr_uint64_t)count > reading->file.length) {
        fail(reading, "an offset beyond the file");
        return 0;
    }
    for (int i = 0; i < count; i++)
        value |= (apr_uint32_t)reading->file.data[at + (apr_uint32_t)i]
              << 8 * i;
    return value;
}

static apr_uint32_t read_word(reading_t *reading, apr_uint32_t at)
{
    return read_bytes(reading, at, 4);
}

/* The position of the field INDEX of TABLE; 0: it is absent. */
static apr_uint32_t field(reading_t *reading, apr_uint32_t table, int index)
{
    apr_uint32_t names = table - read_word(reading, table);
    apr_uint32_t place = 4 + 2 * (apr_uint32_t)index;
    apr_uint32_t offset;

    if (!table || place + 2 > read_bytes(reading, names, 2))
        return 0;
    offset = read_bytes(reading, names + place, 2);
    return offset ? table + offset : 0;
}

static int number(reading_t *reading, apr_uint32_t table, int index, int bytes)
{
    apr_uint32_t at = field(reading, table, index);

    return at ? (int)read_bytes(reading, at, bytes) : 0;
}

/* The target of the field INDEX of TABLE; 0: it is absent. */
static apr_uint32_t target(reading_t *reading, apr_uint32_t table, int index)
{
    apr_uint32_t at = field(reading, table, index);

    return at ? at + read_word(reading, at) : 0;
}

/* The length of the vector at VECTOR, at most MOST. */
static int count_of(reading_t *reading, apr_uint32_t vector, int most)
{
    apr_uint32_t count = vector ? read_word(reading, vector) : 0;

    if (count <= (apr_uint32_t)most)
        return (int)count;
    fail(reading, "a list that is too long");
    return 0;
}

/* The table or number at INDEX of VECTOR. */
static apr_uint32_t element(reading_t *reading, apr_uint32_t vector, int index)
{
    apr_uint32_t at = vector + 4 + 4 * (apr_uint32_t)index;

    return at + read_word(reading, at);
}

static int integer_at(reading_t *reading, apr_uint32_t vector, int index)
{
    return (int)read_word(reading, vector + 4 + 4 * (apr_uint32_t)index);
}

/* --- tensors --- */

static void read_source(reading_t *reading, apr_uint32_t table,
                        apr_uint32_t buffers, source_t *source)
{
    apr_uint32_t shape = target(reading, table, 0);
    int count = count_of(reading, shape, DIMENSIONS_MAX);
    int buffer = number(reading, table, 2, 4);
    apr_uint32_t data;

    for (int i = 0; i < DIMENSIONS_MAX; i++)
        source->dimensions[i] = 1;
    for (int i = 0; i < count; i++)
        source->dimensions[DIMENSIONS_MAX - count + i] =
            integer_at(reading, shape, i);
    source->type = number(reading, table, 1, 1);
    source->tensor = -1;
    if (buffer < 0 || buffer >= count_of(reading, buffers, TENSORS_MAX)) {
        fail(reading, "a tensor without a buffer");
        return;
    }
    data = target(reading, element(reading, buffers, buffer), 0);
    if (!data)
        return;
    source->length = read_word(reading, data);
    source->data = data + 4;
    if ((apr_uint64_t)source->data + source->length > reading->file.length) {
        fail(reading, "a buffer beyond the file");
        source->length = 0;
    }
}

static float from_half(apr_uint32_t half)
{
    apr_uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31;
    apr_uint32_t fraction = half & 0x3ff;
    union {
        apr_uint32_t bits;
        float value;
    } single = {.bits = sign | (exponent + 112) << 23 | fraction << 13};

    if (exponent == 0)
        single.value = (sign ? -1.0F : 1.0F) * (float)fraction / 16777216.0F;
    else if (exponent == 31)
        single.bits = sign | 0xffU << 23 | fraction << 13;
    return single.value;
}

static float from_single(const unsigned char *at)
{
    apr_uint32_t bits = (apr_uint32_t)at[0] | (apr_uint32_t)at[1] << 8
                      | (apr_uint32_t)at[2] << 16 | (apr_uint32_t)at[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof(bits));
    return value;
}

static int count_values(reading_t *reading, const source_t *source)
{
    apr_int64_t count = 1;

    for (int i = 0; i < DIMENSIONS_MAX; i++) {
        int size = source->dimensions[i];

        if (size < 1 || count * size > VALUES_MAX) {
            fail(reading, "a tensor of an impossible shape");
            return 0;
        }
        count *= size;
    }
    return (int)count;
}

/* The values of a constant; NULL after a fault. */
static const float *values_of(reading_t *reading, source_t *source)
{
    int count = count_values(reading, source);
    apr_uint32_t size = source->type == TYPE_FLOAT16 ? 2 : 4;
    const unsigned char *at = reading->file.data + source->data;

    if (source->values)
        return source->values;
    if (source->type > TYPE_FLOAT16 || count == 0
        || source->length != (apr_uint32_t)count * size) {
        fail(reading, "weights that are not floats of the tensor's shape");
        return NULL;
    }
    source->values =
        apr_palloc(reading->pool, sizeof(float) * (apr_size_t)count);
    /* read_source() has checked that all of it is in the file. */
    for (int i = 0; i < count; i++, at += size)
        source->values[i] = size == 2
                              ? from_half((apr_uint32_t)(at[0] | at[1] << 8))
                              : from_single(at);
    return source->values;
}

static source_t *source_at(reading_t *reading, int index)
{
    if (index >= 0 && index < reading->source_count)
        return &reading->sources[index];
    fail(reading, "an operator without its tensor");
    return &reading->sources[0];
}

/* The operand INDEX of OPERATOR, or its result with LIST 2. */
static source_t *operand(reading_t *reading, apr_uint32_t operator, int list,
                         int index)
{
    apr_uint32_t vector = target(reading, operator, list);

    if (index >= count_of(reading, vector, TENSORS_MAX)) {
        fail(reading, "an operator without an operand");
        return &reading->sources[0];
    }
    return source_at(reading, integer_at(reading, vector, index));
}

/* The network's tensor for SOURCE; a constant is added to the network. */
static int tensor_of(reading_t *reading, source_t *source)
{
    const float *values;

    if (source->tensor >= 0 || (source->length == 0 && !source->values))
        return source->tensor;
    values = values_of(reading, source);
    if (values)
        source->tensor = idv_network_constant(reading->network, values,
                                              count_values(reading, source));
    return source->tensor;
}

/* --- operators --- */

typedef struct {
    reading_t *reading;
    apr_uint32_t table, options;
} operator_t;

static int left_of(const operator_t *operator)
{
    return tensor_of(operator->reading,
                     operand(operator->reading, operator->table, 1, 0));
}

static int right_of(const operator_t *operator)
{
    return tensor_of(operator->reading,
                     operand(operator->reading, operator->table, 1, 1));
}

/* Applies the activation in the field INDEX of the options to RESULT: none, or
 * RELU. */
static int activate(const operator_t *operator, int result, int index)
{
    int activation = number(operator->reading, operator->options, index, 1);

    if (activation == 1)
        return idv_network_relu(operator->reading->network, result);
    if (activation != 0)
        fail(operator->reading, "an unknown activation");
    return result;
}

/* Padding and strides come first in the options of all operators with a
 * window. */
static idv_network_window_t window_of(const operator_t *operator, int height,
                                      int width)
{
    reading_t *reading = operator->reading;
    idv_network_window_t window = {
        .height = height,
        .width = width,
        .step = number(reading, operator->options, 1, 4),
        .same = number(reading, operator->options, 0, 1) == 0,
    };

    if (number(reading, operator->options, 2, 4) != window.step)
        fail(reading, "a window of two different steps");
    return window;
}

static int add_convolution(const operator_t *operator, int is_depthwise)
{
    reading_t *reading = operator->reading;
    source_t *kernel = operand(reading, operator->table, 1, 1);
    source_t *bias = operand(reading, operator->table, 1, 2);
    const int *size = kernel->dimensions;
    idv_network_window_t window = window_of(operator, size[1], size[2]);
    idv_network_weights_t weights = {
        .weights = values_of(reading, kernel),
        .bias = values_of(reading, bias),
        .outputs = is_depthwise ? size[3] : size[0],
        .by_output = is_depthwise ? 1 : size[1] * size[2] * size[3],
        .by_position = size[3],
        .by_input = is_depthwise ? 0 : 1,
    };
    int input = left_of(operator), first = is_depthwise ? 5 : 4;

    if (reading->fault)
        return -1;
    for (int i = first; i < first + 2; i++)
        if (field(reading, operator->options, i)
            && number(reading, operator->options, i, 4) != 1)
            fail(reading, "a dilated convolution");
    if (count_values(reading, bias) != weights.outputs
        || (!is_depthwise
            && size[3] != idv_network_shape(reading->network, input).channels))
        fail(reading, "weights that do not fit");
    if (reading->fault)
        return -1;
    return activate(operator,
                    is_depthwise ? idv_network_convolve_depthwise(
                        reading->network, input, &window, &weights)
                                 : idv_network_convolve(reading->network, input,
                                                        &window, &weights),
                    is_depthwise ? 4 : 3);
}

static int add_conv(const operator_t *operator)
{
    return add_convolution(operator, 0);
}

static int add_depthwise(const operator_t *operator)
{
    return add_convolution(operator, 1);
}

static int add_pool(const operator_t *operator)
{
    reading_t *reading = operator->reading;
    idv_network_window_t window =
        window_of(operator, number(reading, operator->options, 4, 4),
                  number(reading, operator->options, 3, 4));

    return activate(operator, idv_network_pool_most(reading->network,
                                                    left_of(operator), &window),
                    5);
}

static int add_sum(const operator_t *operator)
{
    return activate(operator,
                    idv_network_add(operator->reading->network,
                                    left_of(operator), right_of(operator)),
                    0);
}

static int add_difference(const operator_t *operator)
{
    return activate(operator,
                    idv_network_subtract(operator->reading->network,
                                         left_of(operator), right_of(operator)),
                    0);
}

static int add_product(const operator_t *operator)
{
    return activate(operator,
                    idv_network_multiply(operator->reading->network,
                                         left_of(operator), right_of(operator)),
                    0);
}

static int add_relu(const operator_t *operator)
{
    return idv_network_relu(operator->reading->network, left_of(operator));
}

static int add_absolute(const operator_t *operator)
{
    return idv_network_absolute(operator->reading->network, left_of(operator));
}

static int add_prelu(const operator_t *operator)
{
    return idv_network_prelu(operator->reading->network, left_of(operator),
                             right_of(operator));
}

/* The padding, in front and behind, is a constant of 4 x 2 integers. Only
 * padding behind is supported. */
static int add_padding(const operator_t *operator)
{
    reading_t *reading = operator->reading;
    const source_t *sizes = operand(reading, operator->table, 1, 1);
    int more[8];

    if (sizes->type != TYPE_INT32 || sizes->length != sizeof(more)) {
        fail(reading, "a padding without its size");
        return -1;
    }
    for (int i = 0; i < 8; i++)
        more[i] = (int)read_word(reading, sizes->data + 4 * (apr_uint32_t)i);
    if (more[0] || more[1] || more[2] || more[4] || more[6])
        fail(reading, "a padding in front");
    return idv_network_pad(reading->network, left_of(operator),
                           (idv_network_shape_t){more[3], more[5], more[7]});
}

/* The models in use reshape only the output of the last convolution, so only
 * the order of the values matters. */
static int add_reshape(const operator_t *operator)
{
    return idv_network_flatten(operator->reading->network, left_of(operator));
}

static int add_concatenation(const operator_t *operator)
{
    return idv_network_append(operator->reading->network, left_of(operator),
                              right_of(operator));
}

static const struct {
    int code;
    int (*add)(const operator_t *operator);
} operators[] = {
    {OP_ADD, add_sum},          {OP_CONCATENATION, add_concatenation},
    {OP_CONV_2D, add_conv},     {OP_DEPTHWISE_CONV_2D, add_depthwise},
    {OP_MAX_POOL_2D, add_pool}, {OP_MUL, add_product},
    {OP_RELU, add_relu},        {OP_RESHAPE, add_reshape},
    {OP_PAD, add_padding},      {OP_SUB, add_difference},
    {OP_PRELU, add_prelu},      {OP_ABS, add_absolute},
};

/* Older files have the code only in a byte, newer ones also in a word. */
static int code_of(reading_t *reading, apr_uint32_t operator)
{
    int index = number(reading, operator, 0, 4), byte, word;
    apr_uint32_t table;

    if (index < 0
        || index >= count_of(reading, reading->codes, OPERATORS_MAX)) {
        fail(reading, "an operator without a code");
        return -1;
    }
    table = element(reading, reading->codes, index);
    byte = number(reading, table, 0, 1);
    word = number(reading, table, 3, 4);
    return byte > word ? byte : word;
}

static void read_operator(reading_t *reading, apr_uint32_t table)
{
    operator_t operator= {reading, table, target(reading, table, 4)};
    source_t *result = operand(reading, table, 2, 0);
    int code = code_of(reading, table);

    /* Weights that were stored with half the bits. */
    if (code == OP_DEQUANTIZE) {
        source_t *stored = operand(reading, table, 1, 0);

        values_of(reading, stored);
        result->values = stored->values;
        return;
    }
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        if (operators[i].code == code) {
            result->tensor = operators[i].add(&operator);
            return;
        }
    fail(reading, "an unknown operator");
}

static void read_graph(reading_t *reading, apr_uint32_t graph,
                       apr_uint32_t buffers)
{
    apr_uint32_t tensors = target(reading, graph, 0);
    apr_uint32_t inputs = target(reading, graph, 1);
    apr_uint32_t list = target(reading, graph, 3);
    int count = count_of(reading, list, OPERATORS_MAX);
    source_t *input;

    reading->source_count = count_of(reading, tensors, TENSORS_MAX);
    reading->sources = apr_pcalloc(
        reading->pool,
        sizeof(*reading->sources) * (apr_size_t)(reading->source_count + 1));
    for (int i = 0; i < reading->source_count; i++)
        read_source(reading, element(reading, tensors, i), buffers,
                    &reading->sources[i]);
    if (count_of(reading, inputs, TENSORS_MAX) != 1) {
        fail(reading, "not one input");
        return;
    }
    input = source_at(reading, integer_at(reading, inputs, 0));
    input->tensor = idv_network_input(
        reading->network,
        (idv_network_shape_t){input->dimensions[1], input->dimensions[2],
                              input->dimensions[3]});
    for (int i = 0; i < count && !reading->fault; i++)
        read_operator(reading, element(reading, list, i));
}

static void take_results(reading_t *reading, apr_uint32_t graph,
                         idv_tflite_t *out)
{
    apr_uint32_t list = target(reading, graph, 2);

    out->result_count = count_of(reading, list, IDV_TFLITE_RESULTS_MAX);
    for (int i = 0; i < out->result_count && !reading->fault; i++) {
        out->results[i] =
            source_at(reading, integer_at(reading, list, i))->tensor;
        idv_network_result(reading->network, out->results[i]);
    }
}

idv_error_t *idv_tflite_read(idv_bytes_t file, idv_tflite_t *out,
                             apr_pool_t *pool)
{
    reading_t reading = {.file = file};
    apr_uint32_t model, graphs;

    memset(out, 0, sizeof(*out));
    if (file.length < 8 || memcmp(file.data + 4, "TFL3", 4) != 0)
        return idv_error_internal(pool, "not a model of TensorFlow Lite");
    if (apr_pool_create(&reading.pool, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    reading.network = out->network = idv_network_create(pool);
    model = read_word(&reading, 0);
    reading.codes = target(&reading, model, 1);
    graphs = target(&reading, model, 2);
    if (count_of(&reading, graphs, 1) != 1)
        fail(&reading, "not one subgraph");
    else
        read_graph(&reading, element(&reading, graphs, 0),
                   target(&reading, model, 4));
    if (!reading.fault)
        take_results(&reading, element(&reading, graphs, 0), out);
    apr_pool_destroy(reading.pool);
    if (reading.fault)
        return idv_error_internal(pool, "a model cannot be read: %s",
                                  reading.fault);
    return idv_network_finish(out->network, pool);
}
