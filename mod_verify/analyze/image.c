/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image.h"

#include <stdlib.h>
#include <string.h>

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
                                  "image of %dx%d pixels is outside of "
                                  "the limits",
                                  width, height);
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->stride = width * channels;
    /* Not from the pool itself: a pool that cannot grow ends the process. */
    image->pixels = calloc((size_t)height, (size_t)image->stride);
    if (!image->pixels)
        return idv_error_internal(pool, "no memory for an image of %dx%d",
                                  width, height);
    apr_pool_cleanup_register(pool, image->pixels, free_pixels,
                              apr_pool_cleanup_null);
    *out = image;
    return NULL;
}

static void gray_row(const unsigned char *rgb, unsigned char *gray, int width)
{
    for (int x = 0; x < width; x++, rgb += 3)
        gray[x] =
            (unsigned char)((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) >> 8);
}

idv_error_t *idv_image_to_gray(const idv_image_t *image, idv_image_t **out,
                               apr_pool_t *pool)
{
    IDV_TRY(idv_image_create(image->width, image->height, IDV_IMAGE_GRAY, out,
                             pool));
    for (int y = 0; y < image->height; y++) {
        if (image->channels == IDV_IMAGE_RGB)
            gray_row(idv_image_row(image, y), idv_image_row(*out, y),
                     image->width);
        else
            memcpy(idv_image_row(*out, y), idv_image_row(image, y),
                   (size_t)image->width);
    }
    return NULL;
}
