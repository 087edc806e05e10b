/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image_scale.h"

#include <leptonica/allheaders.h>

#include "analyze/image_reduce.h"

/* The image of a PIX of 8 or 32 bits per pixel. */
static idv_error_t *from_pix(PIX *pix, idv_image_t **out, apr_pool_t *pool)
{
    int is_gray = pixGetDepth(pix) == 8;

    IDV_TRY(idv_image_create(pixGetWidth(pix), pixGetHeight(pix),
                             is_gray ? IDV_IMAGE_GRAY : IDV_IMAGE_RGB, out,
                             pool));
    for (int y = 0; y < (*out)->height; y++) {
        const l_uint32 *line =
            pixGetData(pix) + (size_t)y * (size_t)pixGetWpl(pix);
        unsigned char *to = idv_image_row(*out, y);

        if (is_gray)
            for (int x = 0; x < (*out)->width; x++)
                to[x] = (unsigned char)GET_DATA_BYTE(line, x);
        else
            for (int x = 0; x < (*out)->width; x++, to += IDV_IMAGE_RGB) {
                to[0] = (unsigned char)(line[x] >> L_RED_SHIFT);
                to[1] = (unsigned char)(line[x] >> L_GREEN_SHIFT);
                to[2] = (unsigned char)(line[x] >> L_BLUE_SHIFT);
            }
    }
    return NULL;
}

/* The factor that scales SIDE pixels to a whole number of them, at least 1. */
static float whole_factor(int side, double factor)
{
    int result = (int)(side * factor + 0.5);

    return (float)((result < 1 ? 1 : result) / (double)side);
}

idv_error_t *idv_image_scale(const idv_image_t *image, double factor,
                             idv_image_t **out, apr_pool_t *pool)
{
    float across = whole_factor(image->width, factor);
    float down = whole_factor(image->height, factor);
    PIX *pix, *scaled = NULL;
    idv_error_t *error;

    if (idv_image_can_reduce(across, down))
        return idv_image_reduce(image, across, down, out, pool);
    pix = idv_image_to_pix(image);
    if (pix)
        scaled = pixScaleGeneral(pix, across, down, 0, 0);
    pixDestroy(&pix);
    if (!scaled)
        return idv_error_internal(pool, "no memory for a scaled image");
    error = from_pix(scaled, out, pool);
    pixDestroy(&scaled);
    return error;
}
