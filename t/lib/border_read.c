/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells of which photos verify-analyze says that the document goes beyond the
 * picture's edge, for tests and benchmarks:
 *
 *     border_read RATIO IMAGE [RATIO IMAGE]...
 *
 * RATIO: card, page or unknown. One line of tab-separated fields an image: file,
 * "cut" or "whole", milliseconds of processor time.
 */
#include <apr_general.h>
#include <leptonica/allheaders.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyze/document/document_border.h"

static idv_error_t *load(const char *path, idv_image_t **out, apr_pool_t *pool)
{
    PIX *pix = pixRead(path), *color = pix ? pixConvertTo32(pix) : NULL;
    idv_image_t *image = NULL;
    idv_error_t *error;

    pixDestroy(&pix);
    if (!color)
        return idv_error_internal(pool, "%s: cannot be decoded", path);
    error = idv_image_create(pixGetWidth(color), pixGetHeight(color),
                             IDV_IMAGE_RGB, &image, pool);
    for (int y = 0; !error && y < image->height; y++) {
        const l_uint32 *line =
            pixGetData(color) + (size_t)y * (size_t)pixGetWpl(color);

        for (int x = 0; x < image->width; x++) {
            unsigned char *pixel = idv_image_row(image, y) + 3 * x;

            pixel[0] = (unsigned char)(line[x] >> L_RED_SHIFT);
            pixel[1] = (unsigned char)(line[x] >> L_GREEN_SHIFT);
            pixel[2] = (unsigned char)(line[x] >> L_BLUE_SHIFT);
        }
    }
    pixDestroy(&color);
    return error ? error : idv_image_to_print_gray(image, out, pool);
}

static idv_error_t *look(const char *ratio, const char *path, apr_pool_t *pool)
{
    const idv_document_border_question_t question = {
        strcmp(ratio, "card") == 0   ? IDV_DOCUMENT_RATIO_CARD
        : strcmp(ratio, "page") == 0 ? IDV_DOCUMENT_RATIO_PAGE
                                     : 0,
        NULL, NULL};
    idv_image_t *gray = NULL;
    clock_t begin;
    int is_cut = 0;

    IDV_TRY(load(path, &gray, pool));
    begin = clock();
    IDV_TRY(idv_document_border_look(gray, &question, &is_cut, pool));
    printf("%s\t%s\t%.1f\n", path, is_cut ? "cut" : "whole",
           (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC);
    return NULL;
}

int main(int argc, char **argv)
{
    apr_pool_t *pool, *scratch;
    idv_error_t *error = NULL;

    if (argc < 3 || argc % 2 == 0) {
        fprintf(stderr, "usage: %s RATIO IMAGE [RATIO IMAGE]...\n", argv[0]);
        return 2;
    }
    if (apr_initialize() != APR_SUCCESS
        || apr_pool_create(&pool, NULL) != APR_SUCCESS
        || apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return 1;
    for (int i = 1; i < argc && !error; i += 2) {
        error = look(argv[i], argv[i + 1], scratch);
        if (error)
            fprintf(stderr, "%s\n", error->detail ? error->detail : "failed");
        apr_pool_clear(scratch);
    }
    apr_pool_destroy(pool);
    apr_terminate();
    return error ? 1 : 0;
}
