/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <leptonica/allheaders.h>

#include "analyze/vector.h"

enum {
    OUTSIDE = 128, /* gray of the pixels beyond the edges */
    BLUR_MOST = 30 /* pixels on each side that a blur covers */
};

static apr_status_t free_pixels(void *pixels)
{
    free(pixels);
    return APR_SUCCESS;
}

idv_error_t *idv_image_create(int width, int height, int channels,
                              idv_image_t **out, apr_pool_t *pool)
{
    idv_image_t *image = apr_pcalloc(pool, sizeof(*image));

    *out = NULL;
    if (width < 1 || height < 1 || width > IDV_IMAGE_MAX_SIDE
        || height > IDV_IMAGE_MAX_SIDE
        || (apr_int64_t)width * height > IDV_IMAGE_MAX_PIXELS)
        return idv_error_internal(pool,
                                  "an image of %dx%d pixels is too small or "
                                  "too large",
                                  width, height);
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->stride = width * channels;
    /* Not allocated from the pool: a pool that cannot grow ends the process. */
    image->pixels = calloc((size_t)height, (size_t)image->stride);
    if (!image->pixels)
        return idv_error_internal(pool, "no memory for an image of %dx%d",
                                  width, height);
    apr_pool_cleanup_register(pool, image->pixels, free_pixels,
                              apr_pool_cleanup_null);
    *out = image;
    return NULL;
}

/* Weights of red, green and blue, in 256ths. */
typedef struct {
    int red, green, blue;
} weights_t;

IDV_WIDE static void gray_row(const unsigned char *restrict rgb,
                              unsigned char *restrict gray, int width,
                              const weights_t *of)
{
    for (int x = 0; x < width; x++, rgb += 3)
        gray[x] = (unsigned char)((of->red * rgb[0] + of->green * rgb[1]
                                   + of->blue * rgb[2])
                                  >> 8);
}

static idv_error_t *make_gray(const idv_image_t *image,
                              const weights_t *weights, idv_image_t **out,
                              apr_pool_t *pool)
{
    IDV_TRY(idv_image_create(image->width, image->height, IDV_IMAGE_GRAY, out,
                             pool));
    for (int y = 0; y < image->height; y++) {
        if (image->channels == IDV_IMAGE_RGB)
            gray_row(idv_image_row(image, y), idv_image_row(*out, y),
                     image->width, weights);
        else
            memcpy(idv_image_row(*out, y), idv_image_row(image, y),
                   (size_t)image->width);
    }
    return NULL;
}

idv_error_t *idv_image_to_gray(const idv_image_t *image, idv_image_t **out,
                               apr_pool_t *pool)
{
    static const weights_t weights = {77, 150, 29};

    return make_gray(image, &weights, out, pool);
}

idv_error_t *idv_image_to_print_gray(const idv_image_t *image,
                                     idv_image_t **out, apr_pool_t *pool)
{
    static const weights_t weights = {77, 128, 51};

    return make_gray(image, &weights, out, pool);
}

/* --- leptonica --- */

/* Packs four samples into a word, the highest byte first, in network order. */
static void put_gray_row(const unsigned char *from, int width, l_uint32 *line)
{
    int whole = width / 4;

    for (int i = 0; i < whole; i++) {
        l_uint32 four;

        memcpy(&four, from + 4 * i, sizeof(four));
        line[i] = ntohl(four);
    }
    for (int x = 4 * whole; x < width; x++)
        SET_DATA_BYTE(line, x, from[x]);
}

/* Words of a PIX hold samples from the highest byte on: four per word for gray,
 * one pixel per word for colour. */
PIX *idv_image_to_pix(const idv_image_t *image)
{
    int is_gray = image->channels == IDV_IMAGE_GRAY;
    PIX *pix;

    /* leptonica would write its complaints to standard error, which the sandbox
     * forbids: the process would end. */
    setMsgSeverity(L_SEVERITY_NONE);
    pix = pixCreateNoInit(image->width, image->height, is_gray ? 8 : 32);
    if (!pix)
        return NULL;
    for (int y = 0; y < image->height; y++) {
        const unsigned char *from = idv_image_row(image, y);
        l_uint32 *line = pixGetData(pix) + (size_t)y * (size_t)pixGetWpl(pix);

        if (is_gray)
            put_gray_row(from, image->width, line);
        else
            for (int x = 0; x < image->width; x++, from += IDV_IMAGE_RGB)
                line[x] = (l_uint32)from[0] << L_RED_SHIFT
                        | (l_uint32)from[1] << L_GREEN_SHIFT
                        | (l_uint32)from[2] << L_BLUE_SHIFT;
    }
    return pix;
}

/* --- rotate, blur, straighten --- */

static unsigned char clamp_sample(double value)
{
    if (value <= 0)
        return 0;
    return value >= 255 ? 255 : (unsigned char)(value + 0.5);
}

static int clamp_index(int index, int count)
{
    if (index < 0)
        return 0;
    return index < count ? index : count - 1;
}

/* The sample between four pixels, with 8 bits of fraction. U and V count from
 * the middle of the pixel (0, 0). */
static unsigned char bilinear(const idv_image_t *image, double u, double v)
{
    int x, y, right, down, top, bottom;
    const unsigned char *p;

    if (!(u >= -1 && v >= -1 && u < image->width && v < image->height))
        return OUTSIDE;
    x = idv_floor_small(u);
    y = idv_floor_small(v);
    right = (int)((u - x) * 256);
    down = (int)((v - y) * 256);
    if (x < 0 || y < 0 || x >= image->width - 1 || y >= image->height - 1)
        return idv_image_row(
            image, clamp_index(y, image->height))[clamp_index(x, image->width)];
    p = idv_image_row(image, y) + x;
    top = p[0] * (256 - right) + p[1] * right;
    p += image->stride;
    bottom = p[0] * (256 - right) + p[1] * right;
    return (unsigned char)((top * (256 - down) + bottom * down) >> 16);
}

idv_error_t *idv_image_rotate(const idv_image_t *image, double degrees,
                              idv_image_t **out, apr_pool_t *pool)
{
    double angle = degrees * M_PI / 180, c = cos(angle), s = sin(angle);
    int width = (int)(fabs(image->width * c) + fabs(image->height * s) + 0.5);
    int height = (int)(fabs(image->width * s) + fabs(image->height * c) + 0.5);

    IDV_TRY(idv_image_create(width, height, IDV_IMAGE_GRAY, out, pool));
    for (int y = 0; y < height; y++) {
        unsigned char *to = idv_image_row(*out, y);
        double dx = 0.5 - width / 2.0, dy = y + 0.5 - height / 2.0;
        double u = c * dx - s * dy + image->width / 2.0 - 0.5;
        double v = s * dx + c * dy + image->height / 2.0 - 0.5;

        for (int x = 0; x < width; x++, u += c, v += s)
            to[x] = bilinear(image, u, v);
    }
    return NULL;
}

/* A blur: one half of a symmetric kernel, with 16 bits of fraction, and room
 * for the sums of a row and for a row extended beyond its ends. */
typedef struct {
    int kernel[BLUR_MOST + 1];
    int radius, width;
    int *sums;
    unsigned char *padded;
} blur_t;

static void make_kernel(double sigma, blur_t *blur)
{
    int radius = (int)ceil(sigma * 3), sum = 0;
    double total = 0;

    if (radius > BLUR_MOST)
        radius = BLUR_MOST;
    for (int i = -radius; i <= radius; i++)
        total += exp(-i * i / (2 * sigma * sigma));
    for (int i = 1; i <= radius; i++) {
        blur->kernel[i] =
            (int)(exp(-i * i / (2 * sigma * sigma)) / total * 65536);
        sum += 2 * blur->kernel[i];
    }
    blur->kernel[0] = 65536 - sum;
    blur->radius = radius;
}

/* The loops of a blur. Each runs over all samples of a row, so that the
 * compiler can vectorize. */
IDV_WIDE static void begin_sums(const blur_t *blur, const unsigned char *restrict from)
{
    int *restrict sums = blur->sums;

    for (int x = 0; x < blur->width; x++)
        sums[x] = blur->kernel[0] * from[x] + 32768;
}

IDV_WIDE static void add_to_sums(const blur_t *blur, int share,
                        const unsigned char *restrict before,
                        const unsigned char *restrict behind)
{
    int *restrict sums = blur->sums;

    for (int x = 0; x < blur->width; x++)
        sums[x] += share * (before[x] + behind[x]);
}

IDV_WIDE static void end_sums(const blur_t *blur, unsigned char *restrict to)
{
    const int *restrict sums = blur->sums;

    for (int x = 0; x < blur->width; x++)
        to[x] = (unsigned char)(sums[x] >> 16);
}

static void blur_row(const blur_t *blur, const unsigned char *from,
                     unsigned char *to)
{
    int radius = blur->radius, width = blur->width;
    const unsigned char *middle = blur->padded + radius;

    memset(blur->padded, from[0], (size_t)radius);
    memcpy(blur->padded + radius, from, (size_t)width);
    memset(blur->padded + radius + width, from[width - 1], (size_t)radius);
    begin_sums(blur, middle);
    for (int k = 1; k <= radius; k++)
        add_to_sums(blur, blur->kernel[k], middle - k, middle + k);
    end_sums(blur, to);
}

static void blur_columns(const blur_t *blur, const idv_image_t *image, int y,
                         unsigned char *to)
{
    begin_sums(blur, idv_image_row(image, y));
    for (int k = 1; k <= blur->radius; k++)
        add_to_sums(blur, blur->kernel[k],
                    idv_image_row(image, clamp_index(y - k, image->height)),
                    idv_image_row(image, clamp_index(y + k, image->height)));
    end_sums(blur, to);
}

idv_error_t *idv_image_blur(const idv_image_t *image, double sigma,
                            idv_image_t **out, apr_pool_t *pool)
{
    blur_t blur = {.width = image->width};
    idv_image_t *across;

    make_kernel(sigma, &blur);
    IDV_TRY(idv_image_create(image->width, image->height, IDV_IMAGE_GRAY,
                             &across, pool));
    IDV_TRY(idv_image_create(image->width, image->height, IDV_IMAGE_GRAY, out,
                             pool));
    blur.sums =
        apr_palloc(pool, sizeof(*blur.sums) * (apr_size_t)image->width);
    blur.padded = apr_palloc(
        pool, (apr_size_t)image->width + 2 * (apr_size_t)blur.radius);
    for (int y = 0; y < image->height; y++)
        blur_row(&blur, idv_image_row(image, y), idv_image_row(across, y));
    for (int y = 0; y < image->height; y++)
        blur_columns(&blur, across, y, idv_image_row(*out, y));
    return NULL;
}

idv_error_t *idv_image_sharpen(const idv_image_t *image, double sigma,
                               double amount, idv_image_t **out,
                               apr_pool_t *pool)
{
    IDV_TRY(idv_image_blur(image, sigma, out, pool));
    for (int y = 0; y < image->height; y++) {
        const unsigned char *from = idv_image_row(image, y);
        unsigned char *to = idv_image_row(*out, y);

        for (int x = 0; x < image->width; x++)
            to[x] = clamp_sample(from[x] + amount * (from[x] - to[x]));
    }
    return NULL;
}

idv_point_t idv_quad_middle(const idv_quad_t *quad)
{
    idv_point_t middle = {0, 0};

    for (int i = 0; i < 4; i++) {
        middle.x += quad->corner[i].x / 4;
        middle.y += quad->corner[i].y / 4;
    }
    return middle;
}

int idv_quad_contains(const idv_quad_t *quad, idv_point_t point)
{
    for (int i = 0; i < 4; i++) {
        idv_point_t a = quad->corner[i], b = quad->corner[(i + 1) % 4];

        if ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) < 0)
            return 0;
    }
    return 1;
}

/* Coefficients of (x, y) -> ((a x + b y + c) / w, (d x + e y + f) / w) with
 * w = g x + h y + 1. */
typedef struct {
    double a, b, c, d, e, f, g, h;
} projection_t;

/* The projection of the unit square onto QUAD (P. Heckbert, "Fundamentals of
 * Texture Mapping and Image Warping", 1989, section 2.2.3). */
static int project_unit_square(const idv_quad_t *quad, projection_t *p)
{
    const idv_point_t *q = quad->corner;
    double dx1 = q[1].x - q[2].x, dx2 = q[3].x - q[2].x;
    double dy1 = q[1].y - q[2].y, dy2 = q[3].y - q[2].y;
    double sx = q[0].x - q[1].x + q[2].x - q[3].x;
    double sy = q[0].y - q[1].y + q[2].y - q[3].y;
    double determinant = dx1 * dy2 - dx2 * dy1;

    if (fabs(determinant) < 1e-6)
        return 0;
    p->g = (sx * dy2 - dx2 * sy) / determinant;
    p->h = (dx1 * sy - sx * dy1) / determinant;
    p->a = q[1].x - q[0].x + p->g * q[1].x;
    p->b = q[3].x - q[0].x + p->h * q[3].x;
    p->c = q[0].x;
    p->d = q[1].y - q[0].y + p->g * q[1].y;
    p->e = q[3].y - q[0].y + p->h * q[3].y;
    p->f = q[0].y;
    return 1;
}

static unsigned char bicubic(const idv_image_t *image, double u, double v)
{
    double across[4], down[4], sum = 0;
    int x, y;

    if (!(u > -1 && v > -1 && u < image->width && v < image->height))
        return OUTSIDE;
    x = idv_floor_small(u);
    y = idv_floor_small(v);
    if (x < 1 || y < 1 || x >= image->width - 2 || y >= image->height - 2)
        return bilinear(image, u, v);
    idv_image_cubic_weights(u - x, across);
    idv_image_cubic_weights(v - y, down);
    for (int j = 0; j < 4; j++) {
        const unsigned char *p = idv_image_row(image, y + j - 1) + x - 1;

        sum += down[j]
             * (across[0] * p[0] + across[1] * p[1] + across[2] * p[2]
                + across[3] * p[3]);
    }
    return clamp_sample(sum);
}

idv_error_t *idv_image_warp(const idv_image_t *image, const idv_warp_t *warp,
                            idv_image_t **out, apr_pool_t *pool)
{
    double across = 1.0 / (warp->width - 2 * warp->margin);
    double down = 1.0 / (warp->height - 2 * warp->margin);
    projection_t p;

    if (warp->width <= 2 * warp->margin || warp->height <= 2 * warp->margin
        || !project_unit_square(&warp->from, &p))
        return idv_error_internal(pool, "no view of a degenerate region");
    IDV_TRY(
        idv_image_create(warp->width, warp->height, IDV_IMAGE_GRAY, out, pool));
    for (int y = 0; y < warp->height; y++) {
        unsigned char *to = idv_image_row(*out, y);
        double t = (y + 0.5 - warp->margin) * down;

        for (int x = 0; x < warp->width; x++) {
            double s = (x + 0.5 - warp->margin) * across;
            double w = p.g * s + p.h * t + 1;

            to[x] = w > 1e-3
                      ? bicubic(image, (p.a * s + p.b * t + p.c) / w - 0.5,
                                (p.d * s + p.e * t + p.f) / w - 0.5)
                      : OUTSIDE;
        }
    }
    return NULL;
}

idv_point_t idv_warp_origin(const idv_warp_t *warp, idv_point_t point)
{
    projection_t p;
    double s = (point.x - warp->margin) / (warp->width - 2 * warp->margin);
    double t = (point.y - warp->margin) / (warp->height - 2 * warp->margin);
    double w;

    if (!project_unit_square(&warp->from, &p))
        return warp->from.corner[0];
    w = p.g * s + p.h * t + 1;
    return (idv_point_t){(p.a * s + p.b * t + p.c) / w,
                         (p.d * s + p.e * t + p.f) / w};
}

idv_error_t *idv_image_turn(const idv_image_t *image, int turns,
                            idv_image_t **out, apr_pool_t *pool)
{
    int is_across = turns % 2, channels = image->channels;
    int width = is_across ? image->height : image->width;
    int height = is_across ? image->width : image->height;

    IDV_TRY(idv_image_create(width, height, channels, out, pool));
    for (int y = 0; y < height; y++) {
        unsigned char *to = idv_image_row(*out, y);

        for (int x = 0; x < width; x++, to += channels) {
            const int from_x[] = {x, y, width - 1 - x, height - 1 - y};
            const int from_y[] = {y, width - 1 - x, height - 1 - y, x};

            memcpy(to,
                   idv_image_row(image, from_y[turns])
                       + from_x[turns] * channels,
                   (size_t)channels);
        }
    }
    return NULL;
}
