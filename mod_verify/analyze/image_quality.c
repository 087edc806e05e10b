/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image_quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/image_scale.h"

enum {
    REDUCED_SIDE = 1000,
    LEAST_SIDE = 64,
    TILES = 8,
    LEAST_GLARE = 2000 /* the least share of the image that counts as glare */
};

/* A larger share of the image is white paper, not a reflection. */
static const double most_glare = 0.25;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Variance of the Laplacian over the tile (i, j). */
static double tile_variance(const idv_image_t *gray, int i, int j)
{
    int left = i * gray->width / TILES + 1, top = j * gray->height / TILES + 1;
    int right = (i + 1) * gray->width / TILES - 1;
    int bottom = (j + 1) * gray->height / TILES - 1;
    double sum = 0, squares = 0, count = 0;

    for (int y = top; y < bottom; y++) {
        const unsigned char *row = idv_image_row(gray, y);

        for (int x = left; x < right; x++) {
            int laplacian = row[x - 1] + row[x + 1] + row[x - gray->stride]
                          + row[x + gray->stride] - 4 * row[x];

            sum += laplacian;
            squares += (double)laplacian * laplacian;
            count++;
        }
    }
    return count > 0 ? squares / count - (sum / count) * (sum / count) : 0;
}

static double sharpness(const idv_image_t *gray)
{
    double tiles[TILES * TILES];

    for (int j = 0; j < TILES; j++)
        for (int i = 0; i < TILES; i++)
            tiles[j * TILES + i] = tile_variance(gray, i, j);
    qsort(tiles, TILES * TILES, sizeof(*tiles), by_value);
    return tiles[TILES * TILES * 9 / 10];
}

/* The contrast of large structures: the deviation of brightness from its
 * surroundings, at a scale at which even a blurred document is sharp. */
static idv_error_t *measure_structure(const idv_image_t *gray,
                                      double *structure, apr_pool_t *scratch)
{
    enum { SMALL_SIDE = 125, SURROUNDINGS = 6 };
    int longest = gray->width > gray->height ? gray->width : gray->height;
    idv_image_t *small, *around;
    double squares = 0;

    IDV_TRY(idv_image_scale(gray, (double)SMALL_SIDE / longest, &small,
                            scratch));
    IDV_TRY(idv_image_blur(small, SURROUNDINGS, &around, scratch));
    for (int y = 0; y < small->height; y++)
        for (int x = 0; x < small->width; x++) {
            int difference =
                idv_image_row(small, y)[x] - idv_image_row(around, y)[x];

            squares += difference * difference;
        }
    *structure = sqrt(squares / small->width / small->height);
    return NULL;
}

static double brightness(const idv_image_t *gray)
{
    double sum = 0;

    for (int y = 0; y < gray->height; y++) {
        const unsigned char *row = idv_image_row(gray, y);

        for (int x = 0; x < gray->width; x++)
            sum += row[x];
    }
    return sum / gray->width / gray->height;
}

/* Bright and colourless, like a reflection. */
static int is_saturated(const unsigned char *rgb)
{
    enum { BRIGHT = 240, COLOURLESS = 14 };
    int low = 255, high = 0;

    for (int c = 0; c < IDV_IMAGE_RGB; c++) {
        low = rgb[c] < low ? rgb[c] : low;
        high = rgb[c] > high ? rgb[c] : high;
    }
    return low >= BRIGHT && high - low < COLOURLESS;
}

/* Removes the blob around AT from the mask and counts its pixels. A blob that
 * reaches the edge of the image is a white table or a scanner's lid: *IS_INSIDE
 * is zero. */
static long take_blob(unsigned char *mask, int width, int height, int at,
                      int *stack, int *is_inside)
{
    long size = 0;
    int depth = 0;

    *is_inside = 1;
    mask[at] = 0;
    stack[depth++] = at;
    while (depth > 0) {
        int here = stack[--depth];
        const int left = here % width, above = here / width;
        /* The number of pixels up to the edge on each side, and the step that
         * leads there. */
        const int room[] = {left, width - 1 - left, above, height - 1 - above};
        const int step[] = {-1, 1, -width, width};

        size++;
        for (int i = 0; i < 4; i++) {
            *is_inside &= room[i] > 0;
            if (room[i] > 0 && mask[here + step[i]]) {
                mask[here + step[i]] = 0;
                stack[depth++] = here + step[i];
            }
        }
    }
    return size;
}

static double glare(const idv_image_t *rgb, apr_pool_t *scratch)
{
    int pixels = rgb->width * rgb->height;
    unsigned char *mask = apr_palloc(scratch, (apr_size_t)pixels);
    int *stack = apr_palloc(scratch, sizeof(*stack) * (apr_size_t)pixels);
    long sum = 0;

    for (int y = 0; y < rgb->height; y++)
        for (int x = 0; x < rgb->width; x++)
            mask[y * rgb->width + x] = (unsigned char)is_saturated(
                idv_image_row(rgb, y) + x * IDV_IMAGE_RGB);
    for (int i = 0; i < pixels; i++)
        if (mask[i]) {
            int is_inside;
            long size =
                take_blob(mask, rgb->width, rgb->height, i, stack, &is_inside);

            if (is_inside && size * LEAST_GLARE > pixels
                && size <= most_glare * pixels)
                sum += size;
        }
    return (double)sum / pixels;
}

idv_error_t *idv_image_quality_measure(const idv_image_t *rgb,
                                       idv_image_quality_t *quality,
                                       apr_pool_t *scratch)
{
    int longest = rgb->width > rgb->height ? rgb->width : rgb->height;
    idv_image_t *reduced, *gray;

    memset(quality, 0, sizeof(*quality));
    IDV_TRY(idv_image_scale(
        rgb, longest > REDUCED_SIDE ? (double)REDUCED_SIDE / longest : 1,
        &reduced, scratch));
    if (reduced->width < LEAST_SIDE || reduced->height < LEAST_SIDE)
        return NULL;
    IDV_TRY(idv_image_to_gray(reduced, &gray, scratch));
    quality->sharpness = sharpness(gray);
    quality->brightness = brightness(gray);
    quality->glare = glare(reduced, scratch);
    return measure_structure(gray, &quality->structure, scratch);
}

/* --- the same picture twice --- */

enum { COMPARED_SIDE = 256, COARSE = 4 };

/* Two files of one picture score 0.95 or more. Two pictures of one card score
 * less than 0.6, since no hand is steady to a pixel. */
static const double least_correlation = 0.85;

/* IMAGE with a longer side of COMPARED_SIDE, minus a blurred copy of itself,
 * scaled so that integer sums can hold it. */
static idv_error_t *fine_structure(const idv_image_t *image, int **out,
                                   int size[2], apr_pool_t *pool)
{
    int longest = image->width > image->height ? image->width : image->height;
    idv_image_t *small, *coarse;

    IDV_TRY(idv_image_scale(image, (double)COMPARED_SIDE / longest, &small,
                            pool));
    IDV_TRY(idv_image_blur(small, COARSE, &coarse, pool));
    size[0] = small->width;
    size[1] = small->height;
    *out = apr_palloc(pool, sizeof(**out) * (apr_size_t)(small->width
                                                         * small->height));
    for (int y = 0; y < small->height; y++)
        for (int x = 0; x < small->width; x++)
            (*out)[y * small->width + x] = idv_image_row(small, y)[x]
                                         - idv_image_row(coarse, y)[x];
    return NULL;
}

idv_error_t *idv_image_is_same_picture(const idv_image_t *a,
                                       const idv_image_t *b, int *is_same,
                                       apr_pool_t *scratch)
{
    double aa = 0, bb = 0, ab = 0;
    int a_size[2], b_size[2], *fine[2];

    *is_same = 0;
    IDV_TRY(fine_structure(a, &fine[0], a_size, scratch));
    IDV_TRY(fine_structure(b, &fine[1], b_size, scratch));
    if (a_size[0] != b_size[0] || a_size[1] != b_size[1])
        return NULL;
    for (int i = 0; i < a_size[0] * a_size[1]; i++) {
        aa += fine[0][i] * fine[0][i];
        bb += fine[1][i] * fine[1][i];
        ab += fine[0][i] * fine[1][i];
    }
    *is_same = aa > 0 && bb > 0 && ab / sqrt(aa * bb) > least_correlation;
    return NULL;
}
