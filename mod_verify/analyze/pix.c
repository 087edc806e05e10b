/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pix.h"

PIX *idv_pix_create(const idv_image_t *gray)
{
    PIX *pix = pixCreateNoInit(gray->width, gray->height, 8);

    if (!pix)
        return NULL;
    for (int y = 0; y < gray->height; y++) {
        const unsigned char *from = idv_image_row(gray, y);
        l_uint32 *line = pixGetData(pix) + (size_t)y * (size_t)pixGetWpl(pix);

        for (int x = 0; x < gray->width; x++)
            SET_DATA_BYTE(line, x, from[x]);
    }
    return pix;
}
