/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_FOURIER_H
#define IDV_ANALYZE_FOURIER_H

/*
 * The discrete Fourier transform of a square of IDV_FOURIER_SIDE x
 * IDV_FOURIER_SIDE samples, to find repetition in a part of a picture.
 *
 * Radix 2, in place, no normalization (Cooley and Tukey, "An Algorithm for the
 * Machine Calculation of Complex Fourier Series", 1965). Memory: the caller's.
 * Threads: no state after idv_fourier_prepare(). Nothing fails: NaN stays NaN.
 */
#define IDV_FOURIER_SIDE 128

/* Roots of unity and the order of the samples. */
typedef struct {
    float cosine[IDV_FOURIER_SIDE / 2], sine[IDV_FOURIER_SIDE / 2];
    unsigned char reversed[IDV_FOURIER_SIDE];
} idv_fourier_t;

void idv_fourier_prepare(idv_fourier_t *fourier);

/* Transforms REAL + i IMAGINARY, row after row. */
void idv_fourier_transform(const idv_fourier_t *fourier, float *real,
                           float *imaginary);

#endif
