/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/face/network_kernel.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* One position of COUNT outputs; FIRST is their first weight. */
static void pack_position(const idv_kernel_weights_t *from, const float *first,
                          int count, float *packed)
{
    for (int i = 0; i < from->inputs; i++, packed += IDV_KERNEL_OUTPUTS)
        for (int j = 0; j < count; j++)
            packed[j] = first[i * from->by_input + j * from->by_output];
}

/* Reads and writes close to where it did before: these are millions of weights, at
 * every start. */
void idv_kernel_pack(const idv_kernel_weights_t *from, int stride,
                     float *packed)
{
    for (int output = 0; output < from->outputs;
         output += IDV_KERNEL_OUTPUTS) {
        int left = from->outputs - output;
        int count = left < IDV_KERNEL_OUTPUTS ? left : IDV_KERNEL_OUTPUTS;

        for (int at = 0; at < from->positions; at++) {
            pack_position(from,
                          from->weights + output * from->by_output
                              + at * from->by_position,
                          count, packed);
            packed += (size_t)stride * IDV_KERNEL_OUTPUTS;
        }
    }
}

void idv_kernel_portable(const idv_kernel_block_t *block)
{
    for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
        const float *window = block->windows[n], *weights = block->weights;
        float sums[IDV_KERNEL_OUTPUTS];

        memcpy(sums, block->bias, sizeof(sums));
        for (int k = 0; k < block->depth; k++, weights += IDV_KERNEL_OUTPUTS)
            for (int i = 0; i < IDV_KERNEL_OUTPUTS; i++)
                sums[i] += window[k] * weights[i];
        memcpy(block->results[n], sums, sizeof(*sums) * (size_t)block->outputs);
    }
}

#ifdef __x86_64__
/* Six windows times two vectors of sums fill twelve of the sixteen registers.
 * The others hold the weights and one value. */
__attribute__((target("avx2,fma"))) static void
multiply_by_vectors(const idv_kernel_block_t *block)
{
    const float *weights = block->weights;
    __m256 low[IDV_KERNEL_WINDOWS], high[IDV_KERNEL_WINDOWS];

#pragma GCC unroll 6
    for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
        low[n] = _mm256_load_ps(block->bias);
        high[n] = _mm256_load_ps(block->bias + 8);
    }
    for (int k = 0; k < block->depth; k++, weights += IDV_KERNEL_OUTPUTS) {
        __m256 first = _mm256_load_ps(weights);
        __m256 second = _mm256_load_ps(weights + 8);

#pragma GCC unroll 6
        for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
            __m256 value = _mm256_broadcast_ss(block->windows[n] + k);

            low[n] = _mm256_fmadd_ps(value, first, low[n]);
            high[n] = _mm256_fmadd_ps(value, second, high[n]);
        }
    }
#pragma GCC unroll 6
    for (int n = 0; n < IDV_KERNEL_WINDOWS; n++) {
        _mm256_store_ps(block->results[n], low[n]);
        if (block->outputs == IDV_KERNEL_OUTPUTS)
            _mm256_store_ps(block->results[n] + 8, high[n]);
    }
}
#endif

idv_kernel_t *idv_kernel_choose(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return multiply_by_vectors;
#endif
    return idv_kernel_portable;
}
