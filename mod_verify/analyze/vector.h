/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_VECTOR_H
#define IDV_ANALYZE_VECTOR_H

/*
 * What the inner loops of the readers share: a mark for functions that processors
 * with wide vectors run faster, and rounding that is no call of a library.
 *
 * A marked function is compiled twice, for any x86-64 and for AVX2, and the loader
 * takes what the processor has. Without fused operations both do the same sums in
 * the same order, so that results are the same to the last digit. gcc alone does it
 * for static functions that the sanitizers do not watch; elsewhere the mark means
 * nothing.
 *
 * Memory: none. Threads: pure. Failures: none.
 */
#include <math.h>

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)       \
    && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)                 \
    && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define IDV_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define IDV_WIDE
#endif

/* Of what such a function calls: a part of both. */
#define IDV_INTO_WIDE static inline __attribute__((always_inline))

/* What floor() makes of a VALUE that an int has room for. */
static inline int idv_floor_small(double value)
{
    int whole = (int)value;

    return whole - (value < whole);
}

/* What round() makes of such a VALUE. */
static inline int idv_round_small(double value)
{
    int whole = (int)value;
    double rest = value - whole;

    return whole + (rest >= 0.5) - (rest <= -0.5);
}

#endif
