/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_glyphs.h"

#include <apr_strings.h>
#include <leptonica/allheaders.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WINDOW 7
#define LEAST_HEIGHT 6
/* The largest share of the longer side that a glyph of a zone has. */
#define LARGEST_SHARE 14
#define HALF_TURN 180

struct idv_mrz_bits_t {
    const idv_image_t *gray;
    double scale;
    PIX *pix; /* 1 bit per pixel */
};

static apr_status_t destroy_pix(void *data)
{
    PIX *pix = data;

    pixDestroy(&pix);
    return APR_SUCCESS;
}

idv_error_t *idv_mrz_bits_create(const idv_image_t *gray,
                                 const idv_mrz_binarization_t *binarization,
                                 idv_mrz_bits_t **out, apr_pool_t *pool)
{
    idv_mrz_bits_t *bits = apr_pcalloc(pool, sizeof(*bits));
    int longer = gray->width > gray->height ? gray->width : gray->height;
    int window =
        (int)(longer * binarization->scale * binarization->window / 1000);
    PIX *pix = idv_image_to_pix(gray), *scaled;
    float scale = (float)binarization->scale;

    bits->gray = gray;
    bits->scale = binarization->scale;
    if (pix && scale != 1.0f) {
        scaled = pixScaleGeneral(pix, scale, scale, 0, 0);
        pixDestroy(&pix);
        pix = scaled;
    }
    window = window < LEAST_WINDOW ? LEAST_WINDOW : window;
    if (pix && pixGetWidth(pix) > 2 * window + 3
        && pixGetHeight(pix) > 2 * window + 3)
        pixSauvolaBinarizeTiled(pix, window, (float)binarization->factor, 1, 1,
                                NULL, &bits->pix);
    else if (pix)
        bits->pix = pixCreate(pixGetWidth(pix), pixGetHeight(pix), 1);
    pixDestroy(&pix);
    if (!bits->pix)
        return idv_error_internal(pool, "no memory for a binarized image");
    apr_pool_cleanup_register(pool, bits->pix, destroy_pix,
                              apr_pool_cleanup_null);
    *out = bits;
    return NULL;
}

/* The bits in the geometry of the view, by nearest neighbour. */
static PIX *turn_bits(const idv_mrz_bits_t *bits, const idv_mrz_view_t *view,
                      const int size[2])
{
    PIX *turned = pixCreate(size[0], size[1], 1);
    int width = pixGetWidth(bits->pix), height = pixGetHeight(bits->pix);
    l_uint32 *data = pixGetData(bits->pix);
    int words = pixGetWpl(bits->pix);
    double du = view->map[0] * bits->scale, dv = view->map[3] * bits->scale;

    if (!turned)
        return NULL;
    for (int v = 0; v < size[1]; v++) {
        l_uint32 *line =
            pixGetData(turned) + (size_t)v * (size_t)pixGetWpl(turned);
        double x =
            (view->map[0] * 0.5 + view->map[1] * (v + 0.5) + view->map[2])
            * bits->scale;
        double y =
            (view->map[3] * 0.5 + view->map[4] * (v + 0.5) + view->map[5])
            * bits->scale;

        for (int u = 0; u < size[0]; u++, x += du, y += dv)
            if (x >= 0 && y >= 0 && x < width && y < height
                && GET_DATA_BIT(data + (size_t)(int)y * (size_t)words, (int)x))
                SET_DATA_BIT(line, u);
    }
    return turned;
}

static int by_place(const void *left, const void *right)
{
    const idv_mrz_glyph_t *a = left, *b = right;

    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return a->v < b->v ? -1 : a->v > b->v;
}

static void keep_glyphs(BOXA *boxes, int longer, idv_mrz_glyphs_t *out,
                        apr_pool_t *pool)
{
    int count = boxaGetCount(boxes), most = longer / LARGEST_SHARE;

    out->count = 0;
    out->at = apr_palloc(pool, sizeof(*out->at)
                                   * (apr_size_t)(count < IDV_MRZ_MAX_GLYPHS
                                                      ? count + 1
                                                      : IDV_MRZ_MAX_GLYPHS));
    for (int i = 0; i < count && out->count < IDV_MRZ_MAX_GLYPHS; i++) {
        l_int32 x, y, w, h;

        boxaGetBoxGeometry(boxes, i, &x, &y, &w, &h);
        if (h < LEAST_HEIGHT || h > most || w < 2 || w > most || w > 3 * h
            || h > 9 * w)
            continue;
        out->at[out->count++] =
            (idv_mrz_glyph_t){(float)x + (float)w / 2, (float)y + (float)h / 2,
                              (float)w, (float)h};
    }
    qsort(out->at, (size_t)out->count, sizeof(*out->at), by_place);
}

idv_error_t *idv_mrz_bits_glyphs(const idv_mrz_bits_t *bits, double radians,
                                 idv_mrz_view_t *view, idv_mrz_glyphs_t *out,
                                 apr_pool_t *pool)
{
    int size[2];
    PIX *pix;
    BOXA *boxes;

    idv_mrz_view_turned(bits->gray, radians, bits->scale, size, view);
    pix = radians == 0 ? pixClone(bits->pix) : turn_bits(bits, view, size);
    boxes = pix ? pixConnCompBB(pix, 8) : NULL;
    pixDestroy(&pix);
    if (!boxes)
        return idv_error_internal(pool, "no memory for connected components");
    keep_glyphs(boxes, size[0] > size[1] ? size[0] : size[1], out, pool);
    boxaDestroy(&boxes);
    return NULL;
}

/* The nearest glyph of a size similar to that of INDEX, or -1. */
static int nearest(const idv_mrz_glyphs_t *glyphs, int index, float size)
{
    const idv_mrz_glyph_t *glyph = &glyphs->at[index];
    float best = 9 * size * size;
    int found = -1;

    for (int step = -1; step <= 1; step += 2)
        for (int j = index + step; j >= 0 && j < glyphs->count; j += step) {
            const idv_mrz_glyph_t *other = &glyphs->at[j];
            float du = other->u - glyph->u, dv = other->v - glyph->v;
            float other_size = fmaxf(other->width, other->height);
            float distance = du * du + dv * dv;

            if (du * du > best)
                break;
            if (other_size > 1.7f * size || size > 1.7f * other_size)
                continue;
            if (distance < best) {
                best = distance;
                found = j;
            }
        }
    return best > 0.1f * size * size ? found : -1;
}

/* Sums the histogram within three degrees of DEGREE; nearer ones count more. */
static double peak_at(const double histogram[HALF_TURN], int degree)
{
    double sum = 0;

    for (int k = -3; k <= 3; k++)
        sum += histogram[(degree + k + HALF_TURN) % HALF_TURN] * (4 - abs(k));
    return sum;
}

/* Finds the highest peak, to a fraction of a degree, and removes it. */
static int take_peak(double histogram[HALF_TURN], double *radians)
{
    double best = 0, sum = 0, weight = 0, degrees;
    int at = 0;

    for (int degree = 0; degree < HALF_TURN; degree++)
        if (peak_at(histogram, degree) > best) {
            best = peak_at(histogram, degree);
            at = degree;
        }
    if (best <= 0)
        return 0;
    for (int k = -3; k <= 3; k++) {
        double share = histogram[(at + k + HALF_TURN) % HALF_TURN];

        sum += share * k;
        weight += share;
    }
    for (int k = -8; k <= 8; k++)
        histogram[(at + k + HALF_TURN) % HALF_TURN] = 0;
    degrees = at + (weight > 0 ? sum / weight : 0);
    if (degrees > 135)
        degrees -= HALF_TURN;
    *radians = degrees * M_PI / 180;
    return 1;
}

int idv_mrz_glyphs_directions(const idv_mrz_glyphs_t *glyphs, double radians[2])
{
    double histogram[HALF_TURN] = {0};
    int found = 0;

    for (int i = 0; i < glyphs->count; i++) {
        const idv_mrz_glyph_t *glyph = &glyphs->at[i];
        float size = fmaxf(glyph->width, glyph->height);
        int j = nearest(glyphs, i, size), degree;

        if (j < 0)
            continue;
        degree = (int)floor(atan2(glyphs->at[j].v - glyph->v,
                                  glyphs->at[j].u - glyph->u)
                                * 180 / M_PI
                            + 360.5)
               % HALF_TURN;
        histogram[degree] += size > 8 ? 1 : 0.3;
    }
    while (found < 2 && take_peak(histogram, &radians[found]))
        found++;
    return found;
}
