/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds the print of each photo against the code of each, for tests and benchmarks:
 *
 *     print_read [--own] MODELS_DIRECTORY NOW IMAGE...
 *
 * NOW is in seconds. The photos show pages with a machine-readable zone. One line of
 * tab-separated fields for each pair, or with --own for each photo and its own code:
 * photo of the print, photo of the code, what they come to, the verdict of each
 * field, milliseconds of processor time. A photo whose zone is not read is left out.
 */
#include <apr_general.h>
#include <apr_strings.h>
#include <leptonica/allheaders.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/document/mrz_reader.h"
#include "analyze/document/print_reader.h"
#include "methods/document/mrz.h"

enum { MILLISECONDS = 2500, TRIES = 100, PRINT_MILLISECONDS = 1000 };

typedef struct {
    const char *path;
    idv_image_t *image;
    idv_quad_t zone;
    idv_document_t *document; /* NULL: not read */
} photo_t;

typedef struct {
    idv_mrz_reader_t *zones;
    idv_print_ocr_t *print;
    idv_time_t now;
} readers_t;

static idv_error_t *load(photo_t *photo, apr_pool_t *pool)
{
    PIX *pix = pixRead(photo->path), *gray = pix ? pixConvertTo8(pix, 0) : NULL;
    idv_error_t *error;

    pixDestroy(&pix);
    if (!gray)
        return idv_error_internal(pool, "%s: cannot be decoded", photo->path);
    error = idv_image_create(pixGetWidth(gray), pixGetHeight(gray),
                             IDV_IMAGE_GRAY, &photo->image, pool);
    for (int y = 0; !error && y < photo->image->height; y++) {
        l_uint32 *line = pixGetData(gray) + (size_t)y * (size_t)pixGetWpl(gray);

        for (int x = 0; x < photo->image->width; x++)
            idv_image_row(photo->image, y)[x] =
                (unsigned char)GET_DATA_BYTE(line, x);
    }
    pixDestroy(&gray);
    return error;
}

static idv_error_t *read_zone(const readers_t *readers, photo_t *photo,
                              apr_pool_t *pool)
{
    const idv_mrz_effort_t effort = {TRIES, MILLISECONDS};
    idv_mrz_page_t *page = apr_pcalloc(pool, sizeof(*page));

    IDV_TRY(load(photo, pool));
    IDV_TRY(idv_mrz_read(readers->zones, photo->image, &effort, page, pool));
    if (page->count == 0 || page->outcome != IDV_MRZ_READ)
        return NULL;
    photo->zone = page->readings[0].area;
    return idv_mrz_parse(&page->readings[0].text, readers->now,
                         &photo->document, pool);
}

static idv_error_t *compare(const readers_t *readers, const photo_t *print,
                            const photo_t *code, apr_pool_t *pool)
{
    const idv_print_side_t side = {.gray = print->image,
                                   .zone = &print->zone,
                                   .source = print->document->source};
    const idv_print_question_t question = {
        code->document, idv_document_reading_date(readers->now),
        PRINT_MILLISECONDS};
    idv_print_verdicts_t verdicts = {0};
    clock_t begin = clock();

    IDV_TRY(idv_print_reader_compare(readers->print, &side, &question,
                                     &verdicts, pool));
    printf("%s\t%s\t%s", print->path, code->path,
           idv_print_verdict_code(idv_print_conclude(&verdicts)));
    for (int i = 0; i < IDV_PRINT_FIELD_COUNT; i++)
        printf("\t%s", idv_print_verdict_code(verdicts.of[i]));
    printf("\t%.0f\n", (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC);
    fflush(stdout);
    return NULL;
}

static idv_error_t *compare_all(const readers_t *readers, photo_t *photos,
                                int count, int only_own, apr_pool_t *pool)
{
    apr_pool_t *scratch;

    if (apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    for (int i = 0; i < count; i++)
        IDV_TRY(read_zone(readers, &photos[i], pool));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            if (!photos[i].document || !photos[k].document
                || (only_own && i != k)
                || !idv_print_reader_knows(photos[i].document->source))
                continue;
            apr_pool_clear(scratch);
            IDV_TRY(compare(readers, &photos[i], &photos[k], scratch));
        }
    return NULL;
}

int main(int argc, char **argv)
{
    int only_own = argc > 1 && strcmp(argv[1], "--own") == 0;
    readers_t readers = {0};
    idv_error_t *error;
    apr_pool_t *pool;
    photo_t *photos;

    argv += only_own;
    argc -= only_own;
    if (argc < 4) {
        fprintf(stderr,
                "usage: print_read [--own] MODELS_DIRECTORY NOW IMAGE...\n");
        return 2;
    }
    if (apr_initialize() != APR_SUCCESS
        || apr_pool_create(&pool, NULL) != APR_SUCCESS)
        return 1;
    readers.now = (idv_time_t)atoll(argv[2]) * 1000;
    photos = apr_pcalloc(pool, (apr_size_t)argc * sizeof(*photos));
    for (int i = 3; i < argc; i++)
        photos[i - 3].path = argv[i];
    error = idv_mrz_reader_open(argv[1], IDV_MRZ_SECOND_CLASSIFIER,
                                &readers.zones, pool);
    if (!error)
        error = idv_print_ocr_open(argv[1], &readers.print, pool);
    if (!error)
        error = compare_all(&readers, photos, argc - 3, only_own, pool);
    if (error)
        fprintf(stderr, "print_read: %s\n",
                error->detail ? error->detail : error->message);
    apr_pool_destroy(pool);
    return error ? 1 : 0;
}
