/* SPDX-License-Identifier: Apache-2.0 */
/* Portraits out of chips and mobile documents through their decoder: boxes and
 * codestreams of JPEG 2000 above all. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <apr_general.h>

#include "analyze/portrait_decode.h"

static void require(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SIDE = 300 };
    idv_decoded_image_t decoded;
    idv_error_t *error;
    apr_pool_t *pool;

    apr_initialize();
    if (apr_pool_create(&pool, NULL) != APR_SUCCESS)
        return 0;
    error = idv_portrait_decode((idv_bytes_t){data, size}, SIDE, &decoded, pool,
                                pool);
    if (!error && strcmp(decoded.format, "jpeg2000") == 0) {
        require(decoded.orientation == IDV_ORIENTATION_UPRIGHT);
        require(decoded.image->channels == IDV_IMAGE_RGB);
        require(decoded.width * decoded.height <= IDV_PORTRAIT_MAX_PIXELS);
        require(decoded.image->width <= SIDE + SIDE / 4
                && decoded.image->height <= SIDE + SIDE / 4);
    }
    apr_pool_destroy(pool);
    apr_terminate();
    return 0;
}
