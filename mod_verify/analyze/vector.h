/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_VECTOR_H
#define IDV_ANALYZE_VECTOR_H

/*
 * Tools for the inner loops of the readers: a mark for functions that are
 * faster on processors with wide vectors, and rounding without a library call.
 *
 * A marked function is compiled twice, for any x86-64 and for AVX2, and the
 * loader picks the version for the processor. Without fused operations both do
 * the same sums in the same order, so results are the same to the last digit.
 * Only gcc does this, for static functions without sanitizers; elsewhere the
 * mark has no effect.
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

/* Mark of the functions that they call: part of both versions. */
#define IDV_INTO_WIDE static inline __attribute__((always_inline))

/* floor() of a VALUE that fits into an int. */
static inline int idv_floor_small(double value)
{
    int whole = (int)value;

    return whole - (value < whole);
}

/* round() of such a VALUE. */
static inline int idv_round_small(double value)
{
    int whole = (int)value;
    double rest = value - whole;

    return whole + (rest >= 0.5) - (rest <= -0.5);
}

#endif
