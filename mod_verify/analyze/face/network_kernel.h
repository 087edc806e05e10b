/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_KERNEL_H
#define IDV_ANALYZE_FACE_NETWORK_KERNEL_H

/*
 * The innermost loop of a convolution, where nine tenths of the time go: some
 * windows times a block of outputs. For processors that have them it is written
 * with the instructions AVX2 and FMA, three times as fast as what a compiler
 * makes for any x86-64; their sums are rounded less often, so results differ in
 * the last digits from machine to machine.
 *
 * Memory: none. Threads: pure.
 */

enum {
    IDV_KERNEL_WINDOWS = 6, /* computed together */
    IDV_KERNEL_OUTPUTS = 16 /* in a block */
};

/* One block for IDV_KERNEL_WINDOWS windows. */
typedef struct {
    const float *windows[IDV_KERNEL_WINDOWS]; /* `depth` values each */
    float *results[IDV_KERNEL_WINDOWS]; /* where the first output belongs */
    int depth;
    const float *weights; /* IDV_KERNEL_OUTPUTS for each depth, on 32 bytes */
    const float *bias;    /* IDV_KERNEL_OUTPUTS, on 32 bytes */
    int outputs;          /* to be written: all, or the first half */
} idv_kernel_block_t;

typedef void idv_kernel_t(const idv_kernel_block_t *block);

/* The fastest that this processor runs. */
idv_kernel_t *idv_kernel_choose(void);

/* The one that every processor runs. */
void idv_kernel_portable(const idv_kernel_block_t *block);

#endif
