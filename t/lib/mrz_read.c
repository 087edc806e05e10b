/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads machine-readable zones and prints them, for tests and benchmarks:
 *
 *     mrz_read [--twice] MODELS_DIRECTORY IMAGE...
 *
 * With --twice Tesseract reads both times, in place of the own classifier.
 * One line of tab-separated fields an image: file, outcome or hint, lines joined
 * by a blank, repairs, confidence, tries, degrees, milliseconds of processor
 * time (one thread). For specimens only: it prints what it reads.
 */
#include <apr_general.h>
#include <leptonica/allheaders.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyze/document/mrz_reader.h"

#define MILLISECONDS 2500
#define TRIES 100

static idv_error_t *load(const char *path, idv_image_t **out, apr_pool_t *pool)
{
    PIX *pix = pixRead(path), *gray = pix ? pixConvertTo8(pix, 0) : NULL;
    idv_error_t *error;

    pixDestroy(&pix);
    if (!gray)
        return idv_error_internal(pool, "%s: cannot be decoded", path);
    error = idv_image_create(pixGetWidth(gray), pixGetHeight(gray),
                             IDV_IMAGE_GRAY, out, pool);
    for (int y = 0; !error && y < (*out)->height; y++) {
        l_uint32 *line = pixGetData(gray) + (size_t)y * (size_t)pixGetWpl(gray);

        for (int x = 0; x < (*out)->width; x++)
            idv_image_row(*out, y)[x] = (unsigned char)GET_DATA_BYTE(line, x);
    }
    pixDestroy(&gray);
    return error;
}

static idv_error_t *read_image(idv_mrz_reader_t *reader, const char *path,
                               apr_pool_t *pool)
{
    idv_image_t *image;
    const idv_mrz_effort_t effort = {TRIES, MILLISECONDS};
    idv_mrz_page_t page = {0};
    const idv_mrz_reading_t *reading = &page.readings[0];
    static const char *const words[] = {
        [IDV_MRZ_READ] = "read",
        [IDV_MRZ_INVALID] = "checks_wrong",
        [IDV_MRZ_DISAGREED] = "readers_disagree",
        [IDV_MRZ_NOT_FOUND] = "no_document_code",
    };
    clock_t begin;
    int rows;

    IDV_TRY(load(path, &image, pool));
    begin = clock();
    IDV_TRY(idv_mrz_read(reader, image, &effort, &page, pool));
    rows = page.count > 0 ? idv_mrz_layout_rows(reading->text.layout) : 0;
    printf("%s\t%s\t", path, words[page.outcome]);
    for (int i = 0; i < rows; i++)
        printf("%s%s", i ? " " : "", reading->text.rows[i]);
    printf("\t%d\t%.3f\t%d\t%.1f\t%.1f\n", reading->text.repair_count,
           reading->confidence, page.tries, reading->degrees,
           (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC);
    fflush(stdout);
    return NULL;
}

int main(int argc, char **argv)
{
    apr_pool_t *pool, *scratch;
    idv_mrz_reader_t *reader;
    idv_error_t *error;
    idv_mrz_second_reader_t second = IDV_MRZ_SECOND_CLASSIFIER;

    if (argc > 1 && strcmp(argv[1], "--twice") == 0) {
        second = IDV_MRZ_SECOND_TESSERACT;
        argv++;
        argc--;
    }
    if (argc < 3) {
        fprintf(stderr, "usage: mrz_read [--twice] MODELS_DIRECTORY IMAGE...\n");
        return 2;
    }
    if (apr_initialize() != APR_SUCCESS ||
        apr_pool_create(&pool, NULL) != APR_SUCCESS ||
        apr_pool_create(&scratch, pool) != APR_SUCCESS)
        return 1;
    error = idv_mrz_reader_open(argv[1], second, &reader, pool);
    for (int i = 2; !error && i < argc; i++) {
        apr_pool_clear(scratch);
        error = read_image(reader, argv[i], scratch);
    }
    if (error)
        fprintf(stderr, "mrz_read: %s\n",
                error->detail ? error->detail : error->message);
    apr_pool_destroy(pool);
    return error ? 1 : 0;
}
