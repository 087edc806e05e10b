/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gray images of any content through all of the MRZ reader but Tesseract. The
 * first two bytes are the size, the third the binarization, the rest are pairs
 * of a run's length and its brightness, repeated until the image is full. The
 * classifier sees a filler everywhere, so that every zone that is found is also
 * placed and classified.
 */
#include <apr_general.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/document/mrz_placement.h"

static apr_pool_t *parent;
static idv_mrz_network_t *network;

static void start(void)
{
    if (apr_initialize() != APR_SUCCESS ||
        apr_pool_create(&parent, NULL) != APR_SUCCESS)
        abort();
    network = idv_mrz_network_create(parent);
    network->layers[IDV_MRZ_LAYERS - 1].biases[36 / IDV_MRZ_LANES]
                                              [36 % IDV_MRZ_LANES] = 12;
}

static void look(const idv_image_t *image, int choice, apr_pool_t *pool)
{
    static float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES];
    idv_mrz_binarization_t binarization = {choice & 1 ? 2 : 1, choice & 2 ? 90 : 11,
                                           choice & 4 ? 0.34 : 0.12};
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];
    idv_mrz_placement_t placement;
    idv_mrz_bits_t *bits;
    idv_mrz_glyphs_t glyphs;
    idv_mrz_view_t view;
    double radians[2];
    int directions, count;

    if (idv_mrz_bits_create(image, &binarization, &bits, pool) ||
        idv_mrz_bits_glyphs(bits, 0, &view, &glyphs, pool))
        abort();
    directions = idv_mrz_glyphs_directions(&glyphs, radians);
    for (int i = 0; i < directions; i++) {
        if (idv_mrz_bits_glyphs(bits, radians[i], &view, &glyphs, pool))
            abort();
        count = idv_mrz_zones_find(&glyphs, zones, pool);
        for (int k = 0; k < count; k++)
            if (idv_mrz_placement_find(network, &view, &zones[k], &placement))
                idv_mrz_placement_classify(network, &placement, logs);
    }
}

/* The stride of a new image is its width, so runs may go on in the next row. */
static void fill(idv_image_t *image, const unsigned char *runs, size_t count)
{
    int size = image->width * image->height;

    for (int at = 0, i = 0; at < size; i = (i + 1) % (int)count) {
        int length = 1 + runs[2 * i];

        if (length > size - at)
            length = size - at;
        memset(image->pixels + at, runs[2 * i + 1], (size_t)length);
        at += length;
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    apr_pool_t *pool;
    idv_image_t *image;

    if (!parent)
        start();
    if (size < 5)
        return 0;
    if (apr_pool_create(&pool, parent) != APR_SUCCESS ||
        idv_image_create(1 + data[0] * 2, 1 + data[1], IDV_IMAGE_GRAY, &image,
                         pool))
        abort();
    fill(image, data + 3, (size - 3) / 2);
    look(image, data[2], pool);
    apr_pool_destroy(pool);
    return 0;
}
