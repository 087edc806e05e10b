/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_DOCUMENT_MRZ_NETWORK_H
#define IDV_ANALYZE_DOCUMENT_MRZ_NETWORK_H

/*
 * A small convolutional network that classifies the glyph in a cell: two
 * convolutions, two full layers, 37 glyphs and a class for everything else.
 *
 * Why a separate network: its errors are independent of Tesseract's. Of 540
 * generated photographs (scripts/bench-mrz: 300 of all levels, 240 more of the
 * hardest upright one) Tesseract and the network read 539, none of them
 * wrongly, in 238 ms of processor time (median); Tesseract run twice on
 * differently prepared lines read 535, 2 of them wrongly, in 267 ms. The wrong
 * reads satisfied every check digit: the names have none, and one engine
 * repeats its errors. The network also locates the layout and its upright side
 * (mrz_placement.h); Tesseract would have to read every row both ways.
 *
 * Each layer applies one set of weights at a number of positions; the table
 * `sources` lists the input activations of each position. So both kinds of
 * layers share their code. Values are kept in lanes of eight, so that the
 * compiler vectorizes without changing the order of sums: the same weights give
 * the same result on every machine.
 *
 * Memory: everything lives in the pool of creation. Threads: a network is
 * constant after loading; activations belong to the caller. Failures: a file
 * that is missing, or has another version or the wrong size.
 */
#include "analyze/document/mrz_view.h"

/* "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<" and the class for non-glyphs. */
#define IDV_MRZ_ALPHABET "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
enum {
    IDV_MRZ_GLYPHS = 37,
    IDV_MRZ_REJECT = 37,
    IDV_MRZ_CLASSES = 38,
    IDV_MRZ_LAYERS = 4,
    IDV_MRZ_LANES = 8,
    IDV_MRZ_WIDEST = 96, /* outputs per position, of any layer */
    /* The largest layer's activations, rounded up to lanes, and a zero. */
    IDV_MRZ_ACTIVATIONS = 1136
};

typedef float idv_mrz_lanes_t
    __attribute__((vector_size(IDV_MRZ_LANES * sizeof(float))));

typedef struct {
    int positions;            /* where the weights are applied */
    int fan_in;               /* input activations of a position */
    int lanes;                /* outputs per position / IDV_MRZ_LANES */
    short *sources;           /* [positions][fan_in] */
    idv_mrz_lanes_t *weights; /* [fan_in][lanes] */
    idv_mrz_lanes_t *biases;  /* [lanes] */
} idv_mrz_layer_t;

typedef struct {
    idv_mrz_layer_t layers[IDV_MRZ_LAYERS];
} idv_mrz_network_t;

/* Input (index 0) and the output of each layer; the element after the last
 * output is zero, for positions beyond the edges. */
typedef struct {
    float values[IDV_MRZ_LAYERS + 1][IDV_MRZ_ACTIVATIONS]
        __attribute__((aligned(32)));
} idv_mrz_activations_t;

/* A network of the right shape with all weights zero. */
idv_mrz_network_t *idv_mrz_network_create(apr_pool_t *pool);

/* Loads the output of idv_mrz_network_save: the same network except for the
 * rounding of its weights. */
idv_error_t *idv_mrz_network_load(const char *path, idv_mrz_network_t **out,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Writes PATH with one byte per weight, rounded to 1/127 of the largest weight
 * of its output. Uses a temporary file next to it, so that PATH is complete or
 * absent. */
idv_error_t *idv_mrz_network_save(const idv_mrz_network_t *network,
                                  const char *path,
                                  apr_pool_t *pool) IDV_CHECKED;

/* Number of outputs of layer INDEX (0: the input). */
int idv_mrz_network_outputs(const idv_mrz_network_t *network, int index);

/* Runs the network over ACTIVATIONS->values[0] (a cell): fills the other
 * layers; the last one holds the classes' scores before normalization. */
void idv_mrz_network_run(const idv_mrz_network_t *network,
                         idv_mrz_activations_t *activations);

/* Natural logarithms of the class probabilities for CELL. */
void idv_mrz_network_classify(const idv_mrz_network_t *network,
                              const float cell[IDV_MRZ_CELL_SIZE],
                              float log_probabilities[IDV_MRZ_CLASSES]);

#endif
