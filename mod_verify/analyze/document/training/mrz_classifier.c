/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trains the MRZ classifier from Debian's OCR-B fonts, or measures a trained
 * one:
 *
 *     mrz_classifier OUTPUT [FONT_DIRECTORY]
 *     mrz_classifier --measure CLASSIFIER [FONT_DIRECTORY]
 *
 * `make train` runs the first and writes the file that the source contains;
 * users never do. Adam with a cosine schedule over cells that are never seen
 * twice. It takes three minutes on one core.
 *
 * - On one machine, the same fonts and constants give the same file. Another
 *   compiler, C library or FreeType gives other weights of the same accuracy.
 * - The accuracy is that of the file, whose weights are rounded to bytes.
 * - If the training does not converge, it fails and leaves OUTPUT as it was.
 */
#include <apr_file_io.h>
#include <apr_general.h>
#include <apr_strings.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/document/training/glyph_lines.h"

enum {
    LINES = 14000,
    BATCH_LINES = 2,
    TEST_LINES = 300,
    SEED = 20,
    TEST_SEED = 21
};
#define LEARNING_RATE 3e-3
#define LEAST_ACCURACY 0.92
#define DEFAULT_FONTS "/usr/share/fonts/opentype/ocr-b"

typedef idv_mrz_lanes_t lanes_t;

/* Training state in addition to a layer's weights, in the same layout. */
typedef struct {
    int count; /* lanes of weights and biases */
    lanes_t *gradient, *mean, *variance;
} momentum_t;

typedef struct {
    idv_mrz_network_t *network;
    momentum_t layers[IDV_MRZ_LAYERS];
    int step;
} trainer_t;

static void *allocate_lanes(apr_pool_t *pool, int count)
{
    apr_uintptr_t at = (apr_uintptr_t)apr_pcalloc(pool, ((apr_size_t)count + 1)
                                                            * sizeof(lanes_t));

    return (void *)((at + sizeof(lanes_t) - 1)
                    & ~(apr_uintptr_t)(sizeof(lanes_t) - 1));
}

static void trainer_create(trainer_t *trainer, idv_glyph_lines_t *lines,
                           apr_pool_t *pool)
{
    trainer->network = idv_mrz_network_create(pool);
    trainer->step = 0;
    for (int i = 0; i < IDV_MRZ_LAYERS; i++) {
        idv_mrz_layer_t *layer = &trainer->network->layers[i];
        momentum_t *momentum = &trainer->layers[i];
        float *weights = (float *)layer->weights;
        int count = layer->fan_in * layer->lanes * IDV_MRZ_LANES;
        /* uniform distribution with the variance 2 / fan_in */
        double range = sqrt(6.0 / layer->fan_in);

        for (int k = 0; k < count; k++)
            weights[k] = (float)idv_glyph_lines_random(lines, -range, range);
        momentum->count = (layer->fan_in + 1) * layer->lanes;
        momentum->gradient = allocate_lanes(pool, momentum->count);
        momentum->mean = allocate_lanes(pool, momentum->count);
        momentum->variance = allocate_lanes(pool, momentum->count);
    }
}

/* Adds the gradient of one position; LANES is constant in every call. */
static inline __attribute__((always_inline)) void
back_position(const idv_mrz_layer_t *layer, const short *sources,
              const float *in, const lanes_t *change, float *change_in,
              lanes_t *gradient, const int lanes)
{
    const lanes_t *weights = layer->weights;

    for (int j = 0; j < lanes; j++)
        gradient[layer->fan_in * lanes + j] += change[j];
    for (int k = 0; k < layer->fan_in; k++) {
        lanes_t sum = {0};
        float x = in[sources[k]];

        for (int j = 0; j < lanes; j++) {
            gradient[k * lanes + j] += change[j] * x;
            sum += weights[k * lanes + j] * change[j];
        }
        if (change_in)
            for (int j = 0; j < IDV_MRZ_LANES; j++)
                change_in[sources[k]] += sum[j];
    }
}

static void back_layer(const idv_mrz_layer_t *layer, const float *in,
                       const float *change, float *change_in, lanes_t *gradient)
{
    for (int p = 0; p < layer->positions; p++) {
        const short *sources = layer->sources + p * layer->fan_in;
        const lanes_t *at = (const lanes_t *)change + p * layer->lanes;

        switch (layer->lanes) {
        case 1:
            back_position(layer, sources, in, at, change_in, gradient, 1);
            break;
        case 3:
            back_position(layer, sources, in, at, change_in, gradient, 3);
            break;
        case 5:
            back_position(layer, sources, in, at, change_in, gradient, 5);
            break;
        default:
            back_position(layer, sources, in, at, change_in, gradient, 12);
        }
    }
}

/* Softmax cross-entropy: returns the loss, adds to the gradients. */
static double learn_cell(trainer_t *trainer, const idv_labelled_cell_t *example)
{
    static idv_mrz_activations_t activations, changes;
    idv_mrz_network_t *network = trainer->network;
    float *change = changes.values[IDV_MRZ_LAYERS];
    float logs[IDV_MRZ_CLASSES];

    idv_mrz_network_classify(network, example->cell, logs);
    memcpy(activations.values[0], example->cell, sizeof example->cell);
    idv_mrz_network_run(network, &activations);
    memset(&changes, 0, sizeof changes);
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        change[k] = expf(logs[k]) - (k == example->label);
    for (int i = IDV_MRZ_LAYERS - 1; i >= 0; i--) {
        const float *in = activations.values[i];
        float *change_in = i > 0 ? changes.values[i] : NULL;

        back_layer(&network->layers[i], in, changes.values[i + 1], change_in,
                   trainer->layers[i].gradient);
        if (change_in)
            for (int k = 0; k < idv_mrz_network_outputs(network, i); k++)
                if (in[k] <= 0)
                    change_in[k] = 0;
    }
    return -logs[example->label];
}

/* One step of Adam, with the gradients summed over COUNT cells. */
static void adjust(trainer_t *trainer, int count, double rate)
{
    float first = (float)(1 - pow(0.9, ++trainer->step));
    float second = (float)(1 - pow(0.999, trainer->step));

    for (int i = 0; i < IDV_MRZ_LAYERS; i++) {
        float *weights = (float *)trainer->network->layers[i].weights;
        float *gradient = (float *)trainer->layers[i].gradient;
        float *mean = (float *)trainer->layers[i].mean;
        float *variance = (float *)trainer->layers[i].variance;

        for (int k = 0; k < trainer->layers[i].count * IDV_MRZ_LANES; k++) {
            float g = gradient[k] / (float)count;

            mean[k] = 0.9f * mean[k] + 0.1f * g;
            variance[k] = 0.999f * variance[k] + 0.001f * g * g;
            weights[k] -= (float)rate * (mean[k] / first)
                        / (sqrtf(variance[k] / second) + 1e-8f);
            gradient[k] = 0;
        }
    }
}

static idv_error_t *train(trainer_t *trainer, idv_glyph_lines_t *lines)
{
    static idv_labelled_cell_t cells[IDV_CELLS_A_LINE];
    double loss = 0;

    for (int i = 0; i < LINES; i++) {
        double progress = (double)i / LINES;

        IDV_TRY(idv_glyph_lines_next(lines, cells));
        for (int k = 0; k < IDV_CELLS_A_LINE; k++)
            loss += learn_cell(trainer, &cells[k]);
        if (i % BATCH_LINES == BATCH_LINES - 1)
            adjust(trainer, BATCH_LINES * IDV_CELLS_A_LINE,
                   LEARNING_RATE * 0.5 * (1 + cos(M_PI * progress)) + 1e-6);
        if (i % (LINES / 5) == LINES / 5 - 1) {
            printf("trained on %d cells, loss %.3f\n",
                   (i + 1) * IDV_CELLS_A_LINE,
                   loss / (LINES / 5.0 * IDV_CELLS_A_LINE));
            fflush(stdout);
            loss = 0;
        }
    }
    return NULL;
}

/* The share of unseen cells named correctly; the same cells for every
 * training. */
static idv_error_t *measure(const char *classifier, const char *fonts,
                            double *accuracy, apr_pool_t *pool)
{
    idv_glyph_lines_t *lines;
    idv_mrz_network_t *network;
    static idv_labelled_cell_t cells[IDV_CELLS_A_LINE];
    int right = 0;

    IDV_TRY(idv_mrz_network_load(classifier, &network, pool));
    IDV_TRY(idv_glyph_lines_create(fonts, TEST_SEED, &lines, pool));
    for (int i = 0; i < TEST_LINES; i++) {
        IDV_TRY(idv_glyph_lines_next(lines, cells));
        for (int k = 0; k < IDV_CELLS_A_LINE; k++) {
            float logs[IDV_MRZ_CLASSES];
            int best = 0;

            idv_mrz_network_classify(network, cells[k].cell, logs);
            for (int c = 1; c < IDV_MRZ_CLASSES; c++)
                best = logs[c] > logs[best] ? c : best;
            right += best == cells[k].label;
        }
    }
    *accuracy = right / (double)(TEST_LINES * IDV_CELLS_A_LINE);
    printf("%.2f %% of unseen, distorted cells are named rightly\n",
           100 * *accuracy);
    return NULL;
}

static idv_error_t *make_classifier(const char *output, const char *fonts,
                                    apr_pool_t *pool)
{
    const char *candidate = apr_pstrcat(pool, output, ".candidate", NULL);
    idv_glyph_lines_t *lines;
    trainer_t trainer;
    double accuracy;
    apr_status_t status;

    IDV_TRY(idv_glyph_lines_create(fonts, SEED, &lines, pool));
    trainer_create(&trainer, lines, pool);
    IDV_TRY(train(&trainer, lines));
    IDV_TRY(idv_mrz_network_save(trainer.network, candidate, pool));
    IDV_TRY(measure(candidate, fonts, &accuracy, pool));
    if (accuracy < LEAST_ACCURACY)
        return idv_error_internal(pool, "the training did not converge");
    status = apr_file_rename(candidate, output, pool);
    return status == APR_SUCCESS
             ? NULL
             : idv_error_apr(pool, status, "%s: cannot write", output);
}

int main(int argc, char **argv)
{
    int measures = argc > 1 && strcmp(argv[1], "--measure") == 0;
    char **named = argv + 1 + measures;
    apr_pool_t *pool;
    idv_error_t *error;
    const char *fonts;
    double accuracy;

    if (argc - measures < 2 || argc - measures > 3) {
        fprintf(stderr,
                "usage: %s OUTPUT [FONT_DIRECTORY]\n"
                "       %s --measure CLASSIFIER [FONT_DIRECTORY]\n",
                argv[0], argv[0]);
        return 2;
    }
    if (apr_initialize() != APR_SUCCESS
        || apr_pool_create(&pool, NULL) != APR_SUCCESS)
        return 1;
    fonts = argc - measures == 3 ? named[1] : DEFAULT_FONTS;
    error = measures ? measure(named[0], fonts, &accuracy, pool)
                     : make_classifier(named[0], fonts, pool);
    if (error)
        fprintf(stderr, "%s: %s\n", argv[0], idv_error_cause(error));
    apr_pool_destroy(pool);
    return error ? 1 : 0;
}
