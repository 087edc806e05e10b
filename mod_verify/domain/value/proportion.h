/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_PROPORTION_H
#define IDV_DOMAIN_VALUE_PROPORTION_H

/*
 * The share that a count is of others, with the interval in which the true
 * share lies with a confidence of 95 % (Wilson's score interval, which is right
 * for small numbers and for shares of 0 and 1, too).
 *
 * Memory: none. Threads: pure. Failures: none.
 */
#include <apr.h>

/* Below this many cases a share says little. */
#define IDV_PROPORTION_CASES_MIN 30

typedef struct {
    double share, low, high; /* 0 to 1 */
    int is_few;              /* flag: too few cases */
} idv_proportion_t;

/* COUNT of TOTAL cases, 0 <= COUNT <= TOTAL; nothing is known of no cases: 0,
 * from 0 to 1. */
idv_proportion_t idv_proportion(apr_int64_t count, apr_int64_t total);

#endif
