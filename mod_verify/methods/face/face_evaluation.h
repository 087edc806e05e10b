/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_FACE_EVALUATION_H
#define IDV_METHODS_FACE_FACE_EVALUATION_H

/*
 * How often a decision about faces is wrong: rates with their intervals, counted
 * on recordings whose truth is known, and curves over the threshold as a picture.
 *
 * The interval of a rate is that of Clopper and Pearson for IDV_RATE_CONFIDENCE:
 * exact for the binomial distribution, and rather too wide than too narrow. It
 * holds for recordings that were drawn independently; several of one person are
 * not, and then it is too narrow.
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
    const char *accepted, *refused; /* what the two errors are called */
    idv_scores_t others;  /* that should be below the threshold */
    idv_scores_t genuine; /* that should be above it */
    double least, most;   /* thresholds */
    double used;          /* the threshold that the decision has */
} idv_evaluation_plot_t;

/* The two errors over the threshold, as SVG. */
const char *idv_evaluation_plot(const idv_evaluation_plot_t *plot,
                                apr_pool_t *pool);

#endif
