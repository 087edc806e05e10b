/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_ocr.h"

#include <apr_strings.h>
#include <dlfcn.h>
#include <leptonica/allheaders.h>
#include <string.h>
#include <tesseract/capi.h>

#include "analyze/document/mrz_network.h"
#include "domain/method/analysis_models.h"

struct idv_mrz_ocr_t {
    TessBaseAPI *api;
};

static apr_status_t ocr_close(void *data)
{
    idv_mrz_ocr_t *ocr = data;

    TessBaseAPIEnd(ocr->api);
    TessBaseAPIDelete(ocr->api);
    return APR_SUCCESS;
}

/* Tesseract requests four OpenMP threads in each layer of its network, whatever
 * the default number is. Without parallel regions it gets one, and is faster.
 * The function is looked up at run time because only libtesseract knows which
 * OpenMP it uses. */
static void forbid_threads(void)
{
    void (*set_max_active_levels)(int);
    void *symbol = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");

    if (symbol) {
        memcpy(&set_max_active_levels, &symbol, sizeof symbol);
        set_max_active_levels(0);
    }
}

/* At every start, Tesseract fills a table of characters that its older engine mistakes
 * for each other. The neural network, the only engine in use here, never reads it, and
 * filling it took two thirds of the analyzer's start. Where Tesseract is linked
 * statically, the linker puts this function in its place (apxs/toolchain.mk).
 */
void __wrap__ZN9tesseract13UnicharAmbigs13LoadUniversalERKNS_10UNICHARSETEPS1_(
    void *ambiguities, const void *from, void *to);
void __wrap__ZN9tesseract13UnicharAmbigs13LoadUniversalERKNS_10UNICHARSETEPS1_(
    void *ambiguities, const void *from, void *to)
{
    (void)ambiguities;
    (void)from;
    (void)to;
}

/* Recognizes something once, so that first-use initialization is done. */
static idv_error_t *warm_up(idv_mrz_ocr_t *ocr, apr_pool_t *pool)
{
    idv_image_t *strip;
    char text[IDV_MRZ_OCR_MAX_TEXT];
    double confidence;

    /* This fails, and thereby opens the file for Tesseract's messages; later,
     * no file can be opened. */
    TessBaseAPIRecognize(ocr->api, NULL);
    IDV_TRY(idv_image_create(400, 60, IDV_IMAGE_GRAY, &strip, pool));
    for (int y = 0; y < strip->height; y++)
        for (int x = 0; x < strip->width; x++)
            idv_image_row(strip, y)[x] =
                y > 18 && y < 42 && x > 30 && x < 370 && x % 26 < 5 ? 20 : 230;
    return idv_mrz_ocr_line(ocr, strip, text, &confidence, pool);
}

idv_error_t *idv_mrz_ocr_open(const char *models_directory, idv_mrz_ocr_t **out,
                              apr_pool_t *pool)
{
    idv_mrz_ocr_t *ocr = apr_palloc(pool, sizeof(*ocr));

    forbid_threads();
    setMsgSeverity(L_SEVERITY_NONE);
    ocr->api = TessBaseAPICreate();
    if (!ocr->api)
        return idv_error_internal(pool, "no memory for Tesseract");
    apr_pool_cleanup_register(pool, ocr, ocr_close, apr_pool_cleanup_null);
    TessBaseAPISetVariable(ocr->api, "debug_file", "/dev/null");
    if (TessBaseAPIInit2(ocr->api, models_directory, IDV_MODEL_TRAINED,
                          OEM_LSTM_ONLY))
        return idv_error_internal(
            pool,
            "%s/" IDV_MODEL_TRAINED ".traineddata: cannot load (run `make models`)",
            models_directory);
    TessBaseAPISetPageSegMode(ocr->api, PSM_SINGLE_LINE);
    if (!TessBaseAPISetVariable(ocr->api, "tessedit_char_whitelist",
                                IDV_MRZ_ALPHABET))
        return idv_error_internal(pool, "Tesseract takes no whitelist");
    IDV_TRY(warm_up(ocr, pool));
    *out = ocr;
    return NULL;
}

/* The strip as a PIX with an even background, which Tesseract reads better than
 * patterns and shadows. */
static PIX *prepare_strip(const idv_image_t *strip)
{
    PIX *pix = idv_image_to_pix(strip), *even;

    if (!pix)
        return NULL;
    even = pixBackgroundNormFlex(pix, 7, 7, 1, 1, 60);
    if (!even)
        return pix;
    pixDestroy(&pix);
    return even;
}

idv_error_t *idv_mrz_ocr_line(idv_mrz_ocr_t *ocr, const idv_image_t *strip,
                              char text[IDV_MRZ_OCR_MAX_TEXT],
                              double *confidence, apr_pool_t *scratch)
{
    PIX *pix = prepare_strip(strip);
    char *found;
    int length = 0;

    if (!pix)
        return idv_error_internal(scratch, "no memory for a line of text");
    TessBaseAPISetImage2(ocr->api, pix);
    TessBaseAPISetSourceResolution(ocr->api, 300);
    found = TessBaseAPIGetUTF8Text(ocr->api);
    *confidence = TessBaseAPIMeanTextConf(ocr->api) / 100.0;
    for (const char *c = found; c && *c && length < IDV_MRZ_OCR_MAX_TEXT - 1;
         c++)
        if (strchr(IDV_MRZ_ALPHABET, *c))
            text[length++] = *c;
    text[length] = '\0';
    TessDeleteText(found);
    TessBaseAPIClear(ocr->api);
    pixDestroy(&pix);
    return NULL;
}

/* Tesseract can fetch images and unpack archives of models. Neither is used
 * here, where there is no network and no file. These functions, which fail,
 * replace those of the libraries, so that the libraries are not in the
 * process. */
#define IDV_ABSENT(name)                                                       \
    void *name(void);                                                          \
    void *name(void)                                                           \
    {                                                                          \
        return NULL;                                                           \
    }

IDV_ABSENT(archive_entry_pathname)
IDV_ABSENT(archive_entry_size)
IDV_ABSENT(archive_read_data)
IDV_ABSENT(archive_read_free)
IDV_ABSENT(archive_read_new)
IDV_ABSENT(archive_read_next_header)
IDV_ABSENT(archive_read_open_filename)
IDV_ABSENT(archive_read_support_filter_all)
IDV_ABSENT(archive_read_support_format_all)
IDV_ABSENT(curl_easy_cleanup)
IDV_ABSENT(curl_easy_init)
IDV_ABSENT(curl_easy_perform)
IDV_ABSENT(curl_easy_setopt)
IDV_ABSENT(curl_easy_strerror)
