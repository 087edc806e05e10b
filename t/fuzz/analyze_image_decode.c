/* SPDX-License-Identifier: Apache-2.0 */
/* Files of strangers through the decoder, the measurements, one look for a
 * barcode and one for traces: what verify-analyze does before anything is known of an image. */
#include <stdint.h>
#include <stdlib.h>

#include <apr_general.h>

#include "analyze/document/barcode_reader.h"
#include "analyze/document/picture_traces.h"
#include "analyze/image_decode.h"
#include "analyze/image_quality.h"

static void require(int holds)
{
    if (!holds)
        abort();
}

static void require_score(double score)
{
    require(score == -1 || (score >= 0 && score < 1));
}

static void look_at(idv_bytes_t file, const idv_decoded_image_t *decoded,
                    apr_pool_t *pool)
{
    idv_traced_picture_t picture = {file, decoded, NULL, NULL};
    idv_picture_traces_t traces;
    idv_barcode_reading_t reading;
    idv_image_quality_t quality;
    idv_image_t *gray;

    require(decoded->orientation >= 1 && decoded->orientation <= 8);
    require(decoded->image->width <= IDV_IMAGE_MAX_SIDE);
    require(!idv_image_quality_measure(decoded->image, &quality, pool));
    require(quality.glare >= 0 && quality.glare <= 1);
    require(!idv_image_to_gray(decoded->image, &gray, pool));
    require(!idv_barcode_look(gray, &reading, pool));
    picture.gray = gray;
    require(!idv_picture_traces_find(&picture, &traces, pool));
    require_score(traces.raster);
    require_score(traces.paste);
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
    error = idv_image_decode((idv_bytes_t){data, size}, SIDE, &decoded, pool,
                             pool);
    /* A small file may announce an image that takes minutes; the child has its
     * limits for that, the fuzzer has none. */
    if (!error && decoded.width * (long)decoded.height < 1 << 20)
        look_at((idv_bytes_t){data, size}, &decoded, pool);
    apr_pool_destroy(pool);
    apr_terminate();
    return 0;
}
