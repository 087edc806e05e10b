/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FACE_NETWORK_KERNEL_H
#define IDV_ANALYZE_FACE_NETWORK_KERNEL_H

/*
 * The innermost loop of a convolution, which takes nine tenths of the time:
 * some windows times a block of outputs. Processors with AVX2 and FMA use a
 * version with these instructions, three times as fast as generic x86-64 code.
 * Its sums are rounded less often, so results differ in the last digits between
 * machines.
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
    float *results[IDV_KERNEL_WINDOWS];       /* where the first output goes */
    int depth;
    const float *weights; /* IDV_KERNEL_OUTPUTS per depth, aligned to 32
                           * bytes */
    const float *bias;    /* IDV_KERNEL_OUTPUTS, aligned to 32 bytes */
    int outputs;          /* number to write: all, or the first half */
} idv_kernel_block_t;

typedef void idv_kernel_t(const idv_kernel_block_t *block);

/* Weights in any order: the index of one is the sum of three products. */
typedef struct {
    const float *weights;
    int outputs, positions, inputs;
    int by_output, by_position, by_input;
} idv_kernel_weights_t;

/* Copies FROM to PACKED, which is all zero, in the order in which blocks read them:
 * by block of outputs, then by position, then by STRIDE inputs. */
void idv_kernel_pack(const idv_kernel_weights_t *from, int stride,
                     float *packed);

/* The fastest version for this processor. */
idv_kernel_t *idv_kernel_choose(void);

/* The version for every processor. */
void idv_kernel_portable(const idv_kernel_block_t *block);

#endif
