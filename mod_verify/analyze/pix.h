/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_ANALYZE_PIX_H
#define IDV_ANALYZE_PIX_H

/*
 * Images for leptonica, which counts its own references.
 */
#include <leptonica/allheaders.h>

#include "analyze/image.h"

/* A copy of the GRAY image, 8 bits a pixel, for pixDestroy(); NULL without
 * memory. */
PIX *idv_pix_create(const idv_image_t *gray);

#endif
