/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_FACE_EVALUATION_H
#define IDV_METHODS_FACE_FACE_EVALUATION_H

/*
 * Evaluates decisions about faces: error rates with their intervals, counted on
 * recordings with known truth, and curves over the threshold as a picture.
 *
 * The interval of a rate is that of Clopper and Pearson for
 * IDV_RATE_CONFIDENCE: exact for the binomial distribution, and conservative.
 * It is valid for independent recordings; with several of one person it is too
 * narrow.
 *
 * Memory: values; the picture lives in the given pool. Threads: pure. Nothing
 * fails.
 */
#include <apr_pools.h>

#define IDV_RATE_CONFIDENCE 0.95

typedef struct {
    int errors, count;
    double rate, low, high; /* 0 to 1; without a count 0, 0 and 1 */
} idv_rate_t;

/* The rate of ERRORS in COUNT independent tries. */
idv_rate_t idv_rate_of(int errors, int count);

/* Scores of one kind of recordings. */
typedef struct {
    const double *values;
    int count;
} idv_scores_t;

/* The share of SCORES at and above THRESHOLD; 0 without scores. */
double idv_scores_share(const idv_scores_t *scores, double threshold);

typedef struct {
    const char *title, *axis;      /* of the picture, and of its thresholds */
    const char *accepted, *refused; /* names of the two errors */
    idv_scores_t others;  /* should be below the threshold */
    idv_scores_t genuine; /* should be above it */
    double least, most;   /* thresholds */
    double used;          /* the threshold of the decision */
} idv_evaluation_plot_t;

/* Plots the two errors over the threshold as SVG. */
const char *idv_evaluation_plot(const idv_evaluation_plot_t *plot,
                                apr_pool_t *pool);

#endif
