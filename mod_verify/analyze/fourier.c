/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/fourier.h"

#include <math.h>

enum { SIDE = IDV_FOURIER_SIDE };

void idv_fourier_prepare(idv_fourier_t *fourier)
{
    for (int i = 0; i < SIDE / 2; i++) {
        fourier->cosine[i] = (float)cos(2 * M_PI * i / SIDE);
        fourier->sine[i] = (float)-sin(2 * M_PI * i / SIDE);
    }
    for (int i = 0; i < SIDE; i++) {
        int reversed = 0;

        for (int bit = 1; bit < SIDE; bit *= 2)
            reversed = reversed * 2 + ((i & bit) != 0);
        fourier->reversed[i] = (unsigned char)reversed;
    }
}

static void swap(float *a, float *b)
{
    float kept = *a;

    *a = *b;
    *b = kept;
}

/* Transforms all columns at once, so that the inner loop runs along rows. */
static void transform_columns(const idv_fourier_t *fourier, float *real,
                              float *imaginary)
{
    for (int i = 0; i < SIDE; i++)
        for (int x = 0; fourier->reversed[i] > i && x < SIDE; x++) {
            int from = i * SIDE + x, to = fourier->reversed[i] * SIDE + x;

            swap(&real[from], &real[to]);
            swap(&imaginary[from], &imaginary[to]);
        }
    for (int half = 1; half < SIDE; half *= 2)
        for (int i = 0; i < SIDE; i++) {
            int root = i % half * (SIDE / 2 / half);
            float c = fourier->cosine[root], s = fourier->sine[root];
            float *upper_real = real + i * SIDE, *lower_real;
            float *upper = imaginary + i * SIDE, *lower;

            if (i & half)
                continue;
            lower_real = upper_real + half * SIDE;
            lower = upper + half * SIDE;
            for (int x = 0; x < SIDE; x++) {
                float turned_real = lower_real[x] * c - lower[x] * s;
                float turned = lower_real[x] * s + lower[x] * c;

                lower_real[x] = upper_real[x] - turned_real;
                lower[x] = upper[x] - turned;
                upper_real[x] += turned_real;
                upper[x] += turned;
            }
        }
}

static void transpose(float *square)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < y; x++)
            swap(&square[y * SIDE + x], &square[x * SIDE + y]);
}

void idv_fourier_transform(const idv_fourier_t *fourier, float *real,
                           float *imaginary)
{
    for (int pass = 0; pass < 2; pass++) {
        transform_columns(fourier, real, imaginary);
        transpose(real);
        transpose(imaginary);
    }
}
