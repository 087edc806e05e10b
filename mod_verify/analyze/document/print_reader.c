/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/print_reader.h"

#include <math.h>
#include <string.h>

#include <apr_lib.h>
#include <openssl/crypto.h>

#include "analyze/document/document_outline.h"
#include "analyze/image_scale.h"

enum {
    PIXELS_A_MILLIMETRE = 10,
    CARD_SIDE = 1200,  /* pixels of a card that was cut out */
    PHOTO_SIDE = 1500, /* of a photo as it is */
    LOOKS_MAX = 4,     /* second looks at contradictions */
    LINE_HEIGHT = 44,  /* pixels of a line at the second look */
    /* Processor time without which no further look is started: the time to find
     * the lines, during which Tesseract cannot be stopped. */
    LOOK_MILLISECONDS = 100,
    AGAIN_MILLISECONDS = 60
};

/* OCR-B has ten characters per inch (ICAO Doc 9303-3, 4.4). */
static const double column_width = 2.54; /* millimetres */

/* From ICAO Doc 9303-4 to 7, and France's card, which has the size of TD2: how
 * far print extends above the zone and to its sides, in millimetres. TD1 has
 * its zone on the back, which shows no name. */
static const struct {
    idv_document_source_t source;
    int columns;
    double above, beside;
} layouts[] = {
    {IDV_DOCUMENT_SOURCE_MRZ_TD2, 36, 52, 7},
    {IDV_DOCUMENT_SOURCE_MRZ_TD3, 44, 66, 7},
    {IDV_DOCUMENT_SOURCE_MRZ_MRVA, 44, 58, 5},
    {IDV_DOCUMENT_SOURCE_MRZ_MRVB, 36, 52, 7},
    {IDV_DOCUMENT_SOURCE_MRZ_ID_FRA, 36, 52, 7},
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

static int find_layout(idv_document_source_t source)
{
    for (int i = 0; i < COUNT(layouts); i++)
        if (layouts[i].source == source)
            return i;
    return -1;
}

int idv_print_reader_knows(idv_document_source_t source)
{
    return find_layout(source) >= 0;
}

typedef struct {
    idv_print_ocr_t *ocr;
    const idv_print_question_t *question;
    idv_time_t end; /* of processor time */
    idv_print_words_t *words;
    idv_print_verdicts_t *verdicts;
    apr_pool_t *scratch;
} looking_t;

static int time_left(const looking_t *looking)
{
    return (int)(looking->end - idv_processor_time_used());
}

static apr_status_t wipe_words(void *words)
{
    OPENSSL_cleanse(words, sizeof(idv_print_words_t));
    return APR_SUCCESS;
}

/* --- views --- */

/* Cuts out the area above the zone of SIDE. */
static idv_error_t *cut_above(const idv_print_side_t *side, idv_image_t **view,
                              apr_pool_t *scratch)
{
    int i = find_layout(side->source);
    const idv_point_t *c = side->zone->corner;
    double length = layouts[i].columns * column_width; /* millimetres */
    double x = (c[1].x - c[0].x) / length, y = (c[1].y - c[0].y) / length;
    double top = -layouts[i].above, bottom = -0.5;
    double left = -layouts[i].beside, right = length + layouts[i].beside;
    const double corners[4][2] = {
        {left, top}, {right, top}, {right, bottom}, {left, bottom}};
    idv_warp_t warp = {.width = (int)((right - left) * PIXELS_A_MILLIMETRE),
                       .height = (int)((bottom - top) * PIXELS_A_MILLIMETRE)};

    *view = NULL;
    if (hypot(x, y) < 1)
        return NULL; /* a pixel per millimetre shows nothing */
    for (int k = 0; k < 4; k++) {
        double along = corners[k][0], down = corners[k][1];

        warp.from.corner[k] = (idv_point_t){c[0].x + along * x - down * y,
                                            c[0].y + along * y + down * x};
    }
    return idv_image_warp(side->gray, &warp, view, scratch);
}

/* The card on SIDE by its likeliest outline, upright; NULL: none found. */
static idv_error_t *cut_card(const idv_print_side_t *side, idv_image_t **view,
                             apr_pool_t *scratch)
{
    idv_document_outlines_t outlines;
    const idv_point_t *c;
    idv_warp_t warp;
    double quarters;

    *view = NULL;
    IDV_TRY(idv_document_outlines_find(side->gray, &outlines, scratch));
    if (outlines.count == 0)
        return NULL;
    IDV_TRY(idv_document_outline_cut(side->gray, &outlines.at[0], CARD_SIDE,
                                     &warp, view, scratch));
    if (!*view)
        return NULL;
    c = outlines.at[0].corners.corner;
    quarters = atan2(c[1].y - c[0].y, c[1].x - c[0].x) / (M_PI / 2);
    return idv_image_turn(*view, ((int)lround(quarters) + side->turns + 4) % 4,
                          view, scratch);
}

static idv_error_t *take_photo(const idv_print_side_t *side, idv_image_t **view,
                               apr_pool_t *scratch)
{
    const idv_image_t *gray = side->gray;
    int longer = gray->width > gray->height ? gray->width : gray->height;
    double factor = longer > PHOTO_SIDE ? (double)PHOTO_SIDE / longer : 1;

    IDV_TRY(idv_image_scale(gray, factor, view, scratch));
    return idv_image_turn(*view, side->turns, view, scratch);
}

/* --- looks --- */

/* Cuts the words of SPAN out of VIEW, with some paper around them. */
static idv_error_t *cut_words(const looking_t *looking, const idv_image_t *view,
                              const idv_print_span_t *span, idv_image_t **strip)
{
    const idv_print_word_t *word = &looking->words->at[span->first];
    int left = word->left, right = left + word->width, top = word->top;
    int bottom = top + word->height, margin;
    idv_warp_t warp = {.margin = 0};

    for (int i = 1; i < span->count; i++) {
        const idv_print_word_t *next = &word[i];

        left = next->left < left ? next->left : left;
        top = next->top < top ? next->top : top;
        if (next->left + next->width > right)
            right = next->left + next->width;
        if (next->top + next->height > bottom)
            bottom = next->top + next->height;
    }
    *strip = NULL;
    if (right <= left || bottom <= top || right - left > 40 * (bottom - top))
        return NULL;
    margin = (bottom - top) / 3 + 1;
    warp.from = (idv_quad_t){{{left - margin, top - margin},
                              {right + margin, top - margin},
                              {right + margin, bottom + margin},
                              {left - margin, bottom + margin}}};
    warp.height = LINE_HEIGHT;
    warp.width = LINE_HEIGHT * (right - left + 2 * margin)
               / (bottom - top + 2 * margin);
    return idv_image_warp(view, &warp, strip, looking->scratch);
}

/* The letters and digits of the words from FIRST to before END. */
static void join(const idv_print_words_t *words, int first, int end,
                 char joined[IDV_PRINT_WORD_MAX])
{
    int length = 0;

    for (int i = first; i < end; i++)
        for (const char *c = words->at[i].text; *c; c++)
            if (apr_isalnum(*c) && length < IDV_PRINT_WORD_MAX - 1)
                joined[length++] = (char)apr_toupper(*c);
    joined[length] = '\0';
}

/* Reads the words of SPAN again. If the result differs, those words lose their
 * confidence, and the result is added as a line of its own. */
static idv_error_t *look_again(looking_t *looking, const idv_image_t *view,
                               const idv_print_span_t *span, int *is_same)
{
    idv_print_words_t *words = looking->words;
    char before[IDV_PRINT_WORD_MAX], after[IDV_PRINT_WORD_MAX];
    int count = words->count;
    idv_image_t *strip;

    *is_same = 0;
    IDV_TRY(cut_words(looking, view, span, &strip));
    if (strip && time_left(looking) > AGAIN_MILLISECONDS)
        IDV_TRY(idv_print_ocr_line(looking->ocr, strip, AGAIN_MILLISECONDS,
                                   words, looking->scratch));
    join(words, span->first, span->first + span->count, before);
    join(words, count, words->count, after);
    *is_same = strcmp(before, after) == 0;
    if (*is_same)
        words->count = count;
    else
        for (int i = span->first; i < span->first + span->count; i++)
            words->at[i].confidence = 0;
    for (int i = count; i < words->count; i++)
        words->at[i].confidence = 0; /* only one look has seen it */
    return NULL;
}

/* Compares the words recognized in VIEW with the document, until every
 * contradiction was seen twice. */
static idv_error_t *conclude(looking_t *looking, const idv_image_t *view)
{
    idv_print_comparison_t found;
    int is_settled[IDV_PRINT_FIELD_COUNT] = {0}, is_open = 1;

    for (int looks = 0; is_open; looks++) {
        is_open = 0;
        idv_print_compare(looking->question->document, looking->words,
                          looking->question->today, &found);
        for (int i = 0; i < IDV_PRINT_FIELD_COUNT; i++) {
            if (found.verdicts.of[i] != IDV_PRINT_CONTRADICTED
                || is_settled[i] || found.against[i].count == 0)
                continue;
            if (looks >= LOOKS_MAX) {
                found.verdicts.of[i] = IDV_PRINT_UNDETERMINED;
                continue;
            }
            IDV_TRY(look_again(looking, view, &found.against[i],
                               &is_settled[i]));
            is_open = 1;
            break;
        }
    }
    idv_print_add(looking->verdicts, &found.verdicts);
    return NULL;
}

static idv_error_t *look(looking_t *looking, const idv_image_t *view)
{
    looking->words->count = 0;
    IDV_TRY(idv_print_ocr_page(looking->ocr, view, time_left(looking),
                               looking->words, looking->scratch));
    return conclude(looking, view);
}

/* Non-zero if another look would change nothing. If the holder was not found,
 * another look may help. */
static int is_settled(const idv_print_verdicts_t *verdicts)
{
    return idv_print_conclude(verdicts) != IDV_PRINT_UNDETERMINED
        && verdicts->of[IDV_PRINT_HOLDER] != IDV_PRINT_CONTRADICTED;
}

idv_error_t *idv_print_reader_compare(idv_print_ocr_t *ocr,
                                      const idv_print_side_t *side,
                                      const idv_print_question_t *question,
                                      idv_print_verdicts_t *verdicts,
                                      apr_pool_t *scratch)
{
    looking_t looking = {.ocr = ocr, .question = question,
                         .end = idv_processor_time_used()
                              + question->milliseconds,
                         .verdicts = verdicts, .scratch = scratch};
    idv_image_t *view;

    looking.words = apr_pcalloc(scratch, sizeof(*looking.words));
    apr_pool_cleanup_register(scratch, looking.words, wipe_words,
                              apr_pool_cleanup_null);
    if (side->zone) {
        IDV_TRY(cut_above(side, &view, scratch));
        return view && time_left(&looking) > LOOK_MILLISECONDS
                   ? look(&looking, view)
                   : NULL;
    }
    view = NULL;
    if (!side->is_whole)
        IDV_TRY(cut_card(side, &view, scratch));
    if (view && time_left(&looking) > LOOK_MILLISECONDS)
        IDV_TRY(look(&looking, view));
    if (is_settled(verdicts) || time_left(&looking) <= LOOK_MILLISECONDS)
        return NULL;
    IDV_TRY(take_photo(side, &view, scratch));
    return look(&looking, view);
}
