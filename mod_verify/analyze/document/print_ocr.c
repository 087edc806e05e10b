/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/print_ocr.h"

#include <string.h>

#include <apr_strings.h>
#include <leptonica/allheaders.h>
#include <tesseract/capi.h>

#include "core/utf8.h"
#include "domain/method/analysis_models.h"

/* Separators of words, and characters that only the zone has. */
#define NEVER_PRINTED "<>[]{}|_~=*^\\"

struct idv_print_ocr_t {
    TessBaseAPI *api;
    ETEXT_DESC *monitor;
    idv_time_t end; /* of processor time */
};

static apr_status_t ocr_close(void *data)
{
    idv_print_ocr_t *ocr = data;

    TessMonitorDelete(ocr->monitor);
    TessBaseAPIEnd(ocr->api);
    TessBaseAPIDelete(ocr->api);
    return APR_SUCCESS;
}

/* Tesseract calls this before each word. */
static bool is_over(void *data, int words)
{
    const idv_print_ocr_t *ocr = data;

    (void)words;
    return idv_processor_time_used() >= ocr->end;
}

/* Recognizes something, so that first-use initialization is done. */
static idv_error_t *warm_up(idv_print_ocr_t *ocr, apr_pool_t *pool)
{
    idv_print_words_t *words = apr_pcalloc(pool, sizeof(*words));
    idv_image_t *page;

    TessBaseAPIRecognize(ocr->api, NULL); /* opens the message file */
    IDV_TRY(idv_image_create(400, 120, IDV_IMAGE_GRAY, &page, pool));
    for (int y = 0; y < page->height; y++)
        for (int x = 0; x < page->width; x++)
            idv_image_row(page, y)[x] =
                y > 48 && y < 72 && x > 30 && x < 370 && x % 26 < 5 ? 20 : 230;
    IDV_TRY(idv_print_ocr_page(ocr, page, 1000, words, pool));
    return idv_print_ocr_line(ocr, page, 1000, words, pool);
}

idv_error_t *idv_print_ocr_open(const char *models_directory,
                                idv_print_ocr_t **out, apr_pool_t *pool)
{
    idv_print_ocr_t *ocr = apr_pcalloc(pool, sizeof(*ocr));

    ocr->api = TessBaseAPICreate();
    ocr->monitor = TessMonitorCreate();
    if (!ocr->api || !ocr->monitor)
        return idv_error_internal(pool, "no memory for Tesseract");
    apr_pool_cleanup_register(pool, ocr, ocr_close, apr_pool_cleanup_null);
    TessMonitorSetCancelFunc(ocr->monitor, is_over);
    TessMonitorSetCancelThis(ocr->monitor, ocr);
    TessBaseAPISetVariable(ocr->api, "debug_file", "/dev/null");
    if (TessBaseAPIInit2(ocr->api, models_directory, IDV_MODEL_TRAINED,
                         OEM_LSTM_ONLY))
        return idv_error_internal(
            pool,
            "%s/" IDV_MODEL_TRAINED ".traineddata: cannot load (run `make models`)",
            models_directory);
    if (!TessBaseAPISetVariable(ocr->api, "tessedit_char_blacklist",
                                NEVER_PRINTED))
        return idv_error_internal(pool, "Tesseract takes no blacklist");
    IDV_TRY(warm_up(ocr, pool));
    *out = ocr;
    return NULL;
}

static void add_word(const TessResultIterator *found, int line,
                     idv_print_words_t *words)
{
    const TessPageIterator *place =
        TessResultIteratorGetPageIteratorConst(found);
    idv_print_word_t *word = &words->at[words->count];
    char *text = TessResultIteratorGetUTF8Text(found, RIL_WORD);
    int right, bottom;

    if (!text)
        return;
    apr_cpystrn(word->text, text,
                idv_utf8_prefix(text, IDV_PRINT_WORD_MAX - 1) + 1);
    TessDeleteText(text);
    word->confidence = TessResultIteratorConfidence(found, RIL_WORD) / 100;
    word->line = line;
    if (TessPageIteratorBoundingBox(place, RIL_WORD, &word->left, &word->top,
                                    &right, &bottom)) {
        word->width = right - word->left;
        word->height = bottom - word->top;
        words->count++;
    }
}

/* Takes the words that Tesseract has recognized before it was stopped. */
static void collect(const idv_print_ocr_t *ocr, idv_print_words_t *words)
{
    TessResultIterator *found = TessBaseAPIGetIterator(ocr->api);
    int line = words->count > 0 ? words->at[words->count - 1].line : 0;

    if (!found)
        return;
    do {
        const TessPageIterator *place =
            TessResultIteratorGetPageIteratorConst(found);

        line += TessPageIteratorIsAtBeginningOf(place, RIL_TEXTLINE) != 0;
        if (words->count < IDV_PRINT_WORDS_MAX)
            add_word(found, line, words);
    } while (TessResultIteratorNext(found, RIL_WORD));
    TessResultIteratorDelete(found);
}

static idv_error_t *recognize(idv_print_ocr_t *ocr, const idv_image_t *view,
                              int milliseconds, TessPageSegMode mode,
                              idv_print_words_t *words)
{
    PIX *pix = idv_image_to_pix(view), *even;

    ocr->end = idv_processor_time_used() + milliseconds;
    if (!pix)
        return NULL;
    even = pixBackgroundNormFlex(pix, 7, 7, 1, 1, 60);
    TessBaseAPISetPageSegMode(ocr->api, mode);
    TessBaseAPISetImage2(ocr->api, even ? even : pix);
    TessBaseAPISetSourceResolution(ocr->api, 300);
    TessBaseAPIRecognize(ocr->api, ocr->monitor); /* or a part of it */
    collect(ocr, words);
    TessBaseAPIClear(ocr->api);
    pixDestroy(&even);
    pixDestroy(&pix);
    return NULL;
}

idv_error_t *idv_print_ocr_page(idv_print_ocr_t *ocr, const idv_image_t *view,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch)
{
    (void)scratch;
    return recognize(ocr, view, milliseconds, PSM_SPARSE_TEXT, words);
}

idv_error_t *idv_print_ocr_line(idv_print_ocr_t *ocr, const idv_image_t *strip,
                                int milliseconds, idv_print_words_t *words,
                                apr_pool_t *scratch)
{
    (void)scratch;
    return recognize(ocr, strip, milliseconds, PSM_SINGLE_LINE, words);
}
