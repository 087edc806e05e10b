/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_network.h"

#include <apr_file_io.h>
#include <apr_strings.h>
#include <math.h>
#include <string.h>

#include "analyze/vector.h"

/* When shape, cell or encoding change, increase the number and run `make
 * train`. */
#define FILE_MAGIC "IDV-MRZ-NETWORK-2\n"

typedef idv_mrz_lanes_t lanes_t;

typedef struct {
    int in_width, in_height, in_channels;
    int kernel, stride, outputs; /* kernel 0: spans everything */
} shape_t;

static const shape_t SHAPES[IDV_MRZ_LAYERS] = {
    {IDV_MRZ_CELL_WIDTH, IDV_MRZ_CELL_HEIGHT, 1, 5, 2, 8},
    {10, 14, 8, 3, 2, 24},
    {5, 7, 24, 0, 1, 96},
    {1, 1, 96, 0, 1, 40},
};

static void connect_window(const shape_t *shape, int column, int row,
                           short *sources)
{
    int half = shape->kernel / 2;
    int beyond = shape->in_width * shape->in_height * shape->in_channels;

    for (int dy = -half; dy <= half; dy++)
        for (int dx = -half; dx <= half; dx++) {
            int x = column * shape->stride + dx, y = row * shape->stride + dy;
            int inside =
                x >= 0 && y >= 0 && x < shape->in_width && y < shape->in_height;

            for (int k = 0; k < shape->in_channels; k++)
                *sources++ = (short)(inside ? (y * shape->in_width + x)
                                                      * shape->in_channels
                                                  + k
                                            : beyond);
        }
}

static void layer_create(const shape_t *shape, idv_mrz_layer_t *layer,
                         apr_pool_t *pool)
{
    int columns = 1, rows = 1;
    apr_size_t weights;

    layer->fan_in = shape->in_width * shape->in_height * shape->in_channels;
    if (shape->kernel) {
        columns = (shape->in_width + shape->stride - 1) / shape->stride;
        rows = (shape->in_height + shape->stride - 1) / shape->stride;
        layer->fan_in = shape->kernel * shape->kernel * shape->in_channels;
    }
    layer->positions = columns * rows;
    layer->lanes = shape->outputs / IDV_MRZ_LANES;
    layer->sources =
        apr_palloc(pool, sizeof(short) * (apr_size_t)layer->positions
                             * (apr_size_t)layer->fan_in);
    for (int p = 0; p < layer->positions; p++) {
        short *sources = layer->sources + p * layer->fan_in;

        if (shape->kernel)
            connect_window(shape, p % columns, p / columns, sources);
        else
            for (int k = 0; k < layer->fan_in; k++)
                sources[k] = (short)k;
    }
    /* Pools align to 8 bytes, but lanes need alignment to their own size. */
    weights = (apr_size_t)(layer->fan_in + 1) * (apr_size_t)layer->lanes;
    layer->weights = apr_pcalloc(pool, (weights + 1) * sizeof(lanes_t));
    layer->weights =
        (lanes_t *)(((apr_uintptr_t)layer->weights + sizeof(lanes_t) - 1)
                    & ~(apr_uintptr_t)(sizeof(lanes_t) - 1));
    layer->biases = layer->weights + layer->fan_in * layer->lanes;
}

idv_mrz_network_t *idv_mrz_network_create(apr_pool_t *pool)
{
    idv_mrz_network_t *network = apr_pcalloc(pool, sizeof(*network));

    for (int i = 0; i < IDV_MRZ_LAYERS; i++)
        layer_create(&SHAPES[i], &network->layers[i], pool);
    return network;
}

/* ---- the file ---- */

/*
 * The magic, then each layer: for every output a scale and a bias, floats of
 * four bytes, the lowest first; then the weights, a signed byte each, in the
 * order in which the layer keeps them. A weight is its byte times the scale of
 * its output.
 */
enum { LARGEST_BYTE = 127, FLOAT_BYTES = 4 };

static int outputs_of(const idv_mrz_layer_t *layer)
{
    return layer->lanes * IDV_MRZ_LANES;
}

static apr_size_t layer_bytes(const idv_mrz_layer_t *layer)
{
    return (apr_size_t)outputs_of(layer)
         * (apr_size_t)(2 * FLOAT_BYTES + layer->fan_in);
}

static apr_size_t network_bytes(const idv_mrz_network_t *network)
{
    apr_size_t bytes = sizeof FILE_MAGIC - 1;

    for (int i = 0; i < IDV_MRZ_LAYERS; i++)
        bytes += layer_bytes(&network->layers[i]);
    return bytes;
}

static unsigned char *put_float(unsigned char *at, float value)
{
    apr_uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < FLOAT_BYTES; i++)
        *at++ = (unsigned char)(bits >> 8 * i);
    return at;
}

static const unsigned char *get_float(const unsigned char *at, float *value)
{
    apr_uint32_t bits = 0;

    for (int i = 0; i < FLOAT_BYTES; i++)
        bits |= (apr_uint32_t)*at++ << 8 * i;
    memcpy(value, &bits, sizeof bits);
    return at;
}

/* Scales so that the largest weight of OUTPUT is the largest byte. */
static float scale_of(const idv_mrz_layer_t *layer, int output)
{
    const float *weights = (const float *)layer->weights + output;
    float largest = 0;

    for (int k = 0; k < layer->fan_in; k++)
        largest = fmaxf(largest, fabsf(weights[k * outputs_of(layer)]));
    return largest / LARGEST_BYTE;
}

static unsigned char *encode_layer(const idv_mrz_layer_t *layer,
                                   unsigned char *at)
{
    const float *weights = (const float *)layer->weights;
    const float *biases = (const float *)layer->biases;
    float scales[IDV_MRZ_WIDEST];
    int outputs = outputs_of(layer);

    for (int j = 0; j < outputs; j++) {
        scales[j] = scale_of(layer, j);
        at = put_float(put_float(at, scales[j]), biases[j]);
    }
    for (int k = 0; k < layer->fan_in; k++)
        for (int j = 0; j < outputs; j++) {
            float weight = weights[k * outputs + j];
            float steps = scales[j] > 0 ? weight / scales[j] : 0;

            *at++ = (unsigned char)(signed char)lrintf(steps);
        }
    return at;
}

static const unsigned char *decode_layer(const unsigned char *at,
                                         idv_mrz_layer_t *layer)
{
    float *weights = (float *)layer->weights, *biases = (float *)layer->biases;
    float scales[IDV_MRZ_WIDEST];
    int outputs = outputs_of(layer);

    for (int j = 0; j < outputs; j++)
        at = get_float(get_float(at, &scales[j]), &biases[j]);
    for (int k = 0; k < layer->fan_in; k++)
        for (int j = 0; j < outputs; j++)
            weights[k * outputs + j] = (float)(signed char)*at++ * scales[j];
    return at;
}

/* Reads FILE into NETWORK, which must use all of it. */
static apr_status_t read_layers(apr_file_t *file, idv_mrz_network_t *network,
                                apr_pool_t *pool)
{
    apr_size_t size = network_bytes(network), one = 1;
    unsigned char *bytes = apr_palloc(pool, size);
    const unsigned char *at = bytes + sizeof FILE_MAGIC - 1;
    apr_status_t status = apr_file_read_full(file, bytes, size, NULL);
    char more;

    if (status != APR_SUCCESS)
        return status;
    if (memcmp(bytes, FILE_MAGIC, sizeof FILE_MAGIC - 1) != 0
        || apr_file_read(file, &more, &one) == APR_SUCCESS)
        return APR_EINVAL;
    for (int i = 0; i < IDV_MRZ_LAYERS; i++)
        at = decode_layer(at, &network->layers[i]);
    return APR_SUCCESS;
}

idv_error_t *idv_mrz_network_load(const char *path, idv_mrz_network_t **out,
                                  apr_pool_t *pool)
{
    apr_file_t *file;
    apr_status_t status = apr_file_open(
        &file, path, APR_READ | APR_BINARY | APR_BUFFERED, 0, pool);

    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status,
                             "%s: cannot open (run `make models`)", path);
    *out = idv_mrz_network_create(pool);
    status = read_layers(file, *out, pool);
    apr_file_close(file);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status,
                             "%s: not a network of this version (run `make "
                             "models`)",
                             path);
    return NULL;
}

idv_error_t *idv_mrz_network_save(const idv_mrz_network_t *network,
                                  const char *path, apr_pool_t *pool)
{
    const char *temporary = apr_pstrcat(pool, path, ".tmp", NULL);
    apr_size_t size = network_bytes(network);
    unsigned char *bytes = apr_palloc(pool, size);
    unsigned char *at = bytes + sizeof FILE_MAGIC - 1;
    apr_file_t *file;
    apr_status_t status, closed;

    memcpy(bytes, FILE_MAGIC, sizeof FILE_MAGIC - 1);
    for (int i = 0; i < IDV_MRZ_LAYERS; i++)
        at = encode_layer(&network->layers[i], at);
    status = apr_file_open(&file, temporary,
                           APR_WRITE | APR_CREATE | APR_TRUNCATE | APR_BINARY,
                           APR_OS_DEFAULT, pool);
    if (status != APR_SUCCESS)
        return idv_error_apr(pool, status, "%s: cannot create", temporary);
    status = apr_file_write_full(file, bytes, size, NULL);
    closed = apr_file_close(file);
    if (status == APR_SUCCESS)
        status = closed;
    if (status == APR_SUCCESS)
        status = apr_file_rename(temporary, path, pool);
    return status == APR_SUCCESS
             ? NULL
             : idv_error_apr(pool, status, "%s: cannot write", path);
}

int idv_mrz_network_outputs(const idv_mrz_network_t *network, int index)
{
    const idv_mrz_layer_t *layer;

    if (index == 0)
        return IDV_MRZ_CELL_SIZE;
    layer = &network->layers[index - 1];
    return layer->positions * layer->lanes * IDV_MRZ_LANES;
}

/* LANES is a constant in every call, so that the sums stay in registers. */
static inline __attribute__((always_inline)) void
run_position(const idv_mrz_layer_t *layer, const short *sources,
             const float *in, lanes_t *out, const int lanes)
{
    const lanes_t *weights = layer->weights;
    lanes_t sums[12];

    for (int j = 0; j < lanes; j++)
        sums[j] = layer->biases[j];
    for (int k = 0; k < layer->fan_in; k++, weights += lanes) {
        float x = in[sources[k]];

        for (int j = 0; j < lanes; j++)
            sums[j] += weights[j] * x;
    }
    for (int j = 0; j < lanes; j++)
        out[j] = sums[j];
}

IDV_WIDE static void run_layer(const idv_mrz_layer_t *layer, const float *in,
                               float *out)
{
    for (int p = 0; p < layer->positions; p++) {
        const short *sources = layer->sources + p * layer->fan_in;
        lanes_t *to = (lanes_t *)out + p * layer->lanes;

        switch (layer->lanes) {
        case 1:
            run_position(layer, sources, in, to, 1);
            break;
        case 3:
            run_position(layer, sources, in, to, 3);
            break;
        case 5:
            run_position(layer, sources, in, to, 5);
            break;
        default:
            run_position(layer, sources, in, to, 12);
        }
    }
}

void idv_mrz_network_run(const idv_mrz_network_t *network,
                         idv_mrz_activations_t *activations)
{
    activations->values[0][IDV_MRZ_CELL_SIZE] = 0;
    for (int i = 0; i < IDV_MRZ_LAYERS; i++) {
        float *out = activations->values[i + 1];
        int outputs = idv_mrz_network_outputs(network, i + 1);

        run_layer(&network->layers[i], activations->values[i], out);
        if (i + 1 < IDV_MRZ_LAYERS)
            for (int k = 0; k < outputs; k++)
                out[k] = out[k] > 0 ? out[k] : 0;
        out[outputs] = 0;
    }
}

void idv_mrz_network_classify(const idv_mrz_network_t *network,
                              const float cell[IDV_MRZ_CELL_SIZE],
                              float log_probabilities[IDV_MRZ_CLASSES])
{
    idv_mrz_activations_t activations;
    const float *scores = activations.values[IDV_MRZ_LAYERS];
    float best, sum = 0;

    memcpy(activations.values[0], cell, IDV_MRZ_CELL_SIZE * sizeof(float));
    idv_mrz_network_run(network, &activations);
    best = scores[0];
    for (int k = 1; k < IDV_MRZ_CLASSES; k++)
        best = scores[k] > best ? scores[k] : best;
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        sum += expf(scores[k] - best);
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        log_probabilities[k] = scores[k] - best - logf(sum);
}
