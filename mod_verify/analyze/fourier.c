/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/fourier.h"

#include "analyze/vector.h"

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

/* One row of samples. */
typedef struct {
    float *real, *imaginary;
} row_t;

/* UPPER plus and minus LOWER, which is rotated by the root C + i S. The two
 * rows do not overlap, so that the compiler can vectorize. */
IDV_WIDE static void combine(row_t upper, row_t lower, float c, float s)
{
    float *restrict a = upper.real, *restrict b = upper.imaginary;
    float *restrict d = lower.real, *restrict e = lower.imaginary;

    for (int x = 0; x < SIDE; x++) {
        float turned_real = d[x] * c - e[x] * s;
        float turned = d[x] * s + e[x] * c;

        d[x] = a[x] - turned_real;
        e[x] = b[x] - turned;
        a[x] += turned_real;
        b[x] += turned;
    }
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
            int upper = i * SIDE, lower = (i + half) * SIDE;

            if (!(i & half))
                combine((row_t){real + upper, imaginary + upper},
                        (row_t){real + lower, imaginary + lower},
                        fourier->cosine[root], fourier->sine[root]);
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
