/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_reader.h"

#include <math.h>
#include <string.h>

#include "analyze/child.h"
#include "analyze/document/document_looks.h"
#include "analyze/document/document_outline.h"
#include "analyze/image_decode.h"
#include "analyze/image_quality.h"
#include "methods/document/aamva.h"
#include "methods/document/document_findings.h"
#include "methods/document/mrz.h"

enum {
    WORKING_SIDE = 2000, /* pixels; 3 per module if a card is half as wide */
    SEARCH_MILLISECONDS = 600, /* for a symbol that is not upright */
    /* A side on which nothing was seen is not searched longer than this. */
    EMPTY_MILLISECONDS = 480,
    ALL_TRIES = 100,
    CUT_OUT_SIDE = 1500, /* pixels of a document that was cut out */
    CUT_OUT_TRIES = 1,
    CUT_OUT_MILLISECONDS = 450, /* after which no further one is started */
    /* The number of glyphs on a photo above which those around the document may
     * be print. */
    MANY_GLYPHS = 700
};

/* The confidence that a symbol which two looks read alike was read right:
 * scripts/bench-documents --each 30 counted 270 of 270, by Laplace's rule of
 * succession. */
static const double barcode_probability = 271.0 / 272;

/* The middle of a photo that is read separately, as a share of its sides. */
static const double middle_share = 0.72;

/* The classifier's certainty below which an unknown state counts as misread. */
static const double least_certainty = 0.98;

/* The time left for COUNT sides, the lesser of the request's and this method's
 * limits; 0: none. */
static int time_left(const idv_document_reading_t *reading)
{
    int most = IDV_DOCUMENT_READING_MILLISECONDS * reading->side_count;
    int left;

    if (reading->request->milliseconds < most)
        most = reading->request->milliseconds;
    left = most - (int)idv_document_reading_used(reading);
    return left > 0 ? left : 0;
}

/* Prepares a side for the readers. */
static idv_error_t *prepare_side(idv_document_reading_t *reading,
                                 idv_document_side_t *side, idv_bytes_t file)
{
    idv_time_t begin = idv_processor_time_used();
    apr_pool_t *scratch;
    idv_error_t *error;

    side->page = apr_pcalloc(reading->pool, sizeof(*side->page));
    IDV_TRY(idv_document_reading_scratch(reading, &scratch));
    error = idv_image_decode(file, WORKING_SIDE, &side->decoded, reading->pool,
                             scratch);
    if (error && error->code != IDV_E_PARAMETER_INVALID)
        return error;
    if (error) {
        side->refusal = error->param ? IDV_DOCUMENT_HINT_TOO_LARGE
                                     : IDV_DOCUMENT_HINT_UNSUPPORTED_IMAGE;
        return NULL;
    }
    apr_pool_clear(scratch);
    IDV_TRY(idv_image_quality_measure(side->decoded.image, &side->quality,
                                      scratch));
    apr_pool_destroy(scratch);
    IDV_TRY(idv_image_to_print_gray(side->decoded.image, &side->gray,
                                    reading->pool));
    side->milliseconds = (int)(idv_processor_time_used() - begin);
    return NULL;
}

/* --- one side --- */

static void add_code(idv_document_side_t *side, idv_document_t *document,
                     double confidence, const idv_quad_t *area)
{
    side->codes[side->code_count++] =
        (idv_document_code_t){confidence, document, area};
}

/* Takes the documents of the symbols that were read. Another kind of PDF417
 * symbol is not a document. */
static idv_error_t *take_barcodes(idv_document_reading_t *reading,
                                  idv_document_side_t *side)
{
    side->code_count = 0;
    for (int i = 0; i < side->barcode.count; i++) {
        idv_document_t *document;
        idv_error_t *error =
            idv_aamva_parse(side->barcode.payloads[i], reading->request->now,
                            &document, reading->pool);

        if (error && error->code != IDV_E_PARAMETER_INVALID)
            return error;
        if (!error)
            add_code(side, document, barcode_probability,
                     &side->barcode.areas[i]);
    }
    side->barcode_count = side->code_count;
    return NULL;
}

static int has_failed(const idv_document_t *document,
                      idv_document_check_name_t name)
{
    const idv_document_check_t *check = idv_document_find_check(document, name);

    return check && check->reason != IDV_DOCUMENT_REASON_NONE;
}

/* Non-zero if DOCUMENT names a state that does not exist, in characters of
 * which the classifier is not sure: no check digit covers them. */
static int may_be_misread(const idv_document_t *document,
                          const idv_mrz_reading_t *zone)
{
    return zone->certainty < least_certainty
        && (has_failed(document, IDV_DOCUMENT_CHECK_ISSUER)
            || has_failed(document, IDV_DOCUMENT_CHECK_NATIONALITY));
}

static idv_error_t *take_zones(idv_document_reading_t *reading,
                               idv_document_side_t *side)
{
    idv_mrz_page_t *page = side->page;

    side->code_count = side->barcode_count;
    for (int i = 0; i < page->count; i++) {
        const idv_mrz_reading_t *zone = &page->readings[i];
        idv_document_t *document;

        IDV_TRY(idv_mrz_parse(&zone->text, reading->request->now, &document,
                              reading->pool));
        if (may_be_misread(document, zone)) {
            page->outcome = IDV_MRZ_DISAGREED;
            page->count = 0; /* so that reading continues */
            side->code_count = side->barcode_count;
            return NULL;
        }
        add_code(side, document, idv_mrz_probability(zone->confidence),
                 &zone->area);
    }
    return NULL;
}

/* Reads zones with at most TRIES additional binarizations. */
static idv_error_t *read_zones(idv_document_reading_t *reading,
                               idv_document_side_t *side, int tries,
                               int milliseconds)
{
    idv_time_t end = idv_processor_time_used() + milliseconds;
    apr_pool_t *scratch;

    if (!reading->reader->mrz)
        return NULL;
    while (tries > 0 && side->page->count == 0) {
        idv_mrz_effort_t effort = {tries,
                                   (int)(end - idv_processor_time_used())};
        int before = side->page->tries;

        IDV_TRY(idv_document_reading_scratch(reading, &scratch));
        IDV_TRY(idv_mrz_read(reading->reader->mrz, side->gray, &effort,
                             side->page, scratch));
        apr_pool_destroy(scratch);
        IDV_TRY(take_zones(reading, side));
        if (side->page->tries == before)
            break;
        tries -= side->page->tries - before;
    }
    return NULL;
}

/* Adds the zones of VIEW, which WARP made from the side's photo, to those of
 * the side. */
static idv_error_t *read_view(idv_document_reading_t *reading,
                              idv_document_side_t *side,
                              const idv_image_t *view, const idv_warp_t *warp,
                              int milliseconds, apr_pool_t *scratch)
{
    const idv_mrz_effort_t effort = {CUT_OUT_TRIES, milliseconds};
    idv_mrz_page_t *page = side->page, *own;

    own = apr_pcalloc(reading->pool, sizeof(*own));
    own->has_wrong = page->has_wrong;
    own->wrong = page->wrong;
    IDV_TRY(idv_mrz_read(reading->reader->mrz, view, &effort, own, scratch));
    page->is_foreign |= own->is_foreign;
    if (own->count == 0) {
        page->has_wrong = own->has_wrong;
        page->wrong = own->wrong;
        if (own->outcome == IDV_MRZ_DISAGREED)
            page->outcome = own->outcome;
        return NULL;
    }
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 4; k++) {
            idv_point_t *corner = &own->readings[i].area.corner[k];

            *corner = idv_warp_origin(warp, *corner);
        }
    own->was_seen = 1;
    own->flaw = page->flaw;
    own->pitch = page->pitch;
    own->tries = page->tries;
    side->page = own;
    return take_zones(reading, side);
}

/* Reads zones of the document cut out, if its outline is seen, or of the middle
 * of a photo with much print around it. */
static idv_error_t *read_cut_outs(idv_document_reading_t *reading,
                                  idv_document_side_t *side, int milliseconds)
{
    idv_time_t end = idv_processor_time_used() + milliseconds;
    idv_document_outlines_t outlines;
    apr_pool_t *scratch;

    if (!reading->reader->mrz || milliseconds <= 0)
        return NULL;
    IDV_TRY(idv_document_reading_scratch(reading, &scratch));
    IDV_TRY(idv_document_outlines_find(side->gray, &outlines, scratch));
    for (int i = 0; i <= outlines.count && side->page->count == 0; i++) {
        int is_middle = i == outlines.count;
        int left = (int)(end - idv_processor_time_used());
        idv_image_t *view;
        idv_warp_t warp;

        if (left <= 0 || (is_middle && side->page->glyphs < MANY_GLYPHS))
            break;
        if (is_middle)
            IDV_TRY(idv_document_middle_cut(side->gray, middle_share, &warp,
                                            &view, scratch));
        else
            IDV_TRY(idv_document_outline_cut(side->gray, &outlines.at[i],
                                             CUT_OUT_SIDE, &warp, &view,
                                             scratch));
        if (view)
            IDV_TRY(read_view(reading, side, view, &warp, left, scratch));
    }
    apr_pool_destroy(scratch);
    return NULL;
}

static idv_error_t *search_barcodes(idv_document_reading_t *reading,
                                    idv_document_side_t *side, int is_second,
                                    int milliseconds)
{
    idv_barcode_reading_t *barcode = &side->barcode;
    idv_barcode_effort_t effort = {
        milliseconds, EMPTY_MILLISECONDS - side->milliseconds, is_second};
    int before = barcode->count;

    if (effort.milliseconds > SEARCH_MILLISECONDS)
        effort.milliseconds = SEARCH_MILLISECONDS;
    if (effort.milliseconds <= 0)
        return NULL;
    IDV_TRY(idv_barcode_search(side->gray, &effort, barcode, reading->pool));
    if (barcode->count == before)
        return NULL;
    IDV_TRY(take_barcodes(reading, side));
    return side->page->count > 0 ? take_zones(reading, side) : NULL;
}

/* Completes the first look: reads the document cut out, regions that look like
 * bars, a zone that was seen but not read, and codes that were not seen so
 * far. */
static idv_error_t *read_to_the_end(idv_document_reading_t *reading,
                                    idv_document_side_t *side, int milliseconds)
{
    idv_time_t begin = idv_processor_time_used(), end = begin + milliseconds;
    idv_time_t given_up = begin + EMPTY_MILLISECONDS - side->milliseconds;
    int was_seen = side->page->was_seen;

    if (!idv_document_side_has_zone(side)
        && (was_seen || side->code_count == 0))
        IDV_TRY(read_cut_outs(reading, side,
                              milliseconds < CUT_OUT_MILLISECONDS
                                  ? milliseconds
                                  : CUT_OUT_MILLISECONDS));
    IDV_TRY(search_barcodes(reading, side, was_seen || side->code_count > 0,
                            milliseconds));
    if (was_seen && !idv_document_side_has_zone(side))
        IDV_TRY(read_zones(reading, side, ALL_TRIES,
                           (int)(end - idv_processor_time_used())));
    if (side->code_count > 0)
        return NULL;
    if (was_seen)
        return search_barcodes(reading, side, 0,
                               (int)(end - idv_processor_time_used()));
    if (!side->barcode.looks_like_one && given_up < end)
        end = given_up;
    return read_zones(reading, side, ALL_TRIES,
                      (int)(end - idv_processor_time_used()));
}

/* Each side is read completely, whatever the others show, because a code that
 * is not read cannot contradict. The cheap looks come first on all sides, and
 * each side gets its share of the remaining time. */
static idv_error_t *read_sides(idv_document_reading_t *reading)
{
    for (int i = 0; i < reading->side_count; i++) {
        idv_document_side_t *side = &reading->sides[i];
        idv_time_t begin = idv_processor_time_used();

        if (!side->gray)
            continue;
        IDV_TRY(idv_barcode_look(side->gray, &side->barcode, reading->pool));
        IDV_TRY(take_barcodes(reading, side));
        IDV_TRY(read_zones(reading, side, 1, time_left(reading)));
        side->milliseconds += (int)(idv_processor_time_used() - begin);
    }
    for (int i = 0; i < reading->side_count; i++)
        if (reading->sides[i].gray)
            IDV_TRY(read_to_the_end(reading, &reading->sides[i],
                                    time_left(reading)
                                        / (reading->side_count - i)));
    return NULL;
}

/* --- all sides --- */

/* The codes of all sides, barcodes first. */
static int list_codes(const idv_document_reading_t *reading,
                      const idv_document_code_t **codes,
                      const idv_document_side_t **of)
{
    int count = 0;

    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < reading->side_count; i++) {
            const idv_document_side_t *side = &reading->sides[i];
            int first = kind == 0 ? 0 : side->barcode_count;
            int end = kind == 0 ? side->barcode_count : side->code_count;

            for (int k = first; k < end; k++) {
                codes[count] = &side->codes[k];
                of[count++] = side;
            }
        }
    return count;
}

/* Non-zero if one photo shows the codes of more than one document, so that it
 * is unclear which one is the person's. */
static int shows_several(const idv_document_side_t *side)
{
    for (int i = 0; i < side->code_count; i++)
        for (int k = i + 1; k < side->code_count; k++) {
            const idv_document_t *a = side->codes[i].document;
            const idv_document_t *b = side->codes[k].document;

            if (idv_document_compare(a, b) == IDV_DOCUMENT_DIFFERS
                || (a->source == b->source
                    && idv_document_compare(a, b) != IDV_DOCUMENT_MATCHES))
                return 1;
        }
    return 0;
}

/* Compares the documents of all codes with the first. One code that was seen on
 * two pictures agrees with itself, which does not count as a comparison. */
static idv_document_comparison_t
compare_codes(const idv_document_code_t *const *codes, int count)
{
    idv_document_comparison_t all = IDV_DOCUMENT_NOT_COMPARED;

    for (int i = 1; i < count; i++) {
        idv_document_comparison_t one =
            idv_document_compare(codes[0]->document, codes[i]->document);

        if (one == IDV_DOCUMENT_DIFFERS)
            return one;
        if (one == IDV_DOCUMENT_MATCHES
            && idv_document_sources_are_independent(codes[0]->document->source,
                                                    codes[i]->document->source))
            all = one;
    }
    return all;
}

/* A code that is independent of the first and confirms it; NULL if there is
 * none. A code that fails its own checks confirms nothing. */
static const idv_document_code_t *
find_confirmation(const idv_document_code_t *const *codes, int count)
{
    for (int i = 1; i < count; i++) {
        const apr_array_header_t *checks = codes[i]->document->checks;
        int failed = 0;

        for (int k = 0; k < checks->nelts; k++) {
            idv_document_reason_t reason =
                APR_ARRAY_IDX(checks, k, idv_document_check_t).reason;

            failed |= reason != IDV_DOCUMENT_REASON_NONE
                   && !idv_document_reason_is_silent(reason);
        }
        if (!failed
            && idv_document_confirms(codes[0]->document, codes[i]->document))
            return codes[i];
    }
    return NULL;
}

static int is_contradicted(const idv_document_side_t *side)
{
    return side->barcode.status == IDV_BARCODE_DISAGREED
        || side->barcode.status == IDV_BARCODE_UNCONFIRMED
        || (side->page && side->page->outcome == IDV_MRZ_DISAGREED);
}

/* Non-zero if a symbol was read that does not belong to a licence. */
static int has_other_barcode(const idv_document_side_t *side)
{
    return side->barcode.count > side->barcode_count;
}

/* The reason why no code could be read, as far as the photo shows it. */
static idv_document_hint_t hint_of_side(const idv_document_side_t *side)
{
    const idv_image_quality_t *quality = &side->quality;

    if (side->refusal != IDV_DOCUMENT_HINT_NONE)
        return side->refusal;
    if (side->decoded.width < IDV_IMAGE_LONGER_SIDE_LEAST
        && side->decoded.height < IDV_IMAGE_LONGER_SIDE_LEAST)
        return IDV_DOCUMENT_HINT_TOO_SMALL;
    if (side->page->is_foreign)
        return IDV_DOCUMENT_HINT_UNSUPPORTED_DOCUMENT;
    if (has_other_barcode(side))
        return IDV_DOCUMENT_HINT_OTHER_BARCODE;
    if (quality->brightness < IDV_IMAGE_BRIGHTNESS_LEAST)
        return IDV_DOCUMENT_HINT_TOO_DARK;
    if (side->page->was_seen && side->page->pitch < IDV_IMAGE_PITCH_LEAST)
        return IDV_DOCUMENT_HINT_COME_CLOSER;
    if (side->page->flaw == IDV_MRZ_CUT_OFF
        || side->barcode.flaw == IDV_BARCODE_CUT_OFF)
        return IDV_DOCUMENT_HINT_CUT_OFF;
    if (side->barcode.flaw == IDV_BARCODE_FAR)
        return IDV_DOCUMENT_HINT_COME_CLOSER;
    if (quality->structure < IDV_IMAGE_STRUCTURE_LEAST)
        return IDV_DOCUMENT_HINT_NO_DOCUMENT_CODE;
    if (quality->sharpness < IDV_IMAGE_SHARPNESS_LEAST)
        return IDV_DOCUMENT_HINT_BLURRED;
    if (quality->glare > IDV_IMAGE_GLARE_MOST)
        return IDV_DOCUMENT_HINT_GLARE;
    if (side->page->flaw == IDV_MRZ_COVERED
        || side->barcode.flaw == IDV_BARCODE_COVERED)
        return IDV_DOCUMENT_HINT_CODE_COVERED;
    if (is_contradicted(side))
        return IDV_DOCUMENT_HINT_READERS_DISAGREE;
    return IDV_DOCUMENT_HINT_NO_DOCUMENT_CODE;
}

/* The side that came closest: one with a known kind of document that cannot be
 * read, or with a code that is not confirmed or is not a document's. Otherwise
 * the last one, since cards have their codes on the back. */
static const idv_document_side_t *
telling_side(const idv_document_reading_t *reading)
{
    for (int i = 0; i < reading->side_count; i++)
        if (reading->sides[i].page && reading->sides[i].page->is_foreign)
            return &reading->sides[i];
    for (int i = 0; i < reading->side_count; i++)
        if (is_contradicted(&reading->sides[i])
            || has_other_barcode(&reading->sides[i]))
            return &reading->sides[i];
    for (int i = 0; i < reading->side_count; i++)
        if (reading->sides[i].refusal != IDV_DOCUMENT_HINT_NONE)
            return &reading->sides[i];
    return &reading->sides[reading->side_count - 1];
}

static int are_all_cut(const idv_document_reading_t *reading)
{
    for (int i = 0; i < reading->side_count; i++)
        if (hint_of_side(&reading->sides[i]) != IDV_DOCUMENT_HINT_CUT_OFF)
            return 0;
    return reading->side_count > 1;
}

/* The picture to take again for HINT: SIDE, unless another picture of the
 * same document does not help, or all are to be taken again. */
static idv_document_side_name_t
side_of_hint(const idv_document_reading_t *reading,
             const idv_document_side_t *side, idv_document_hint_t hint)
{
    return hint == IDV_DOCUMENT_HINT_UNSUPPORTED_DOCUMENT
                || hint == IDV_DOCUMENT_HINT_SAME_PICTURE
                || (hint == IDV_DOCUMENT_HINT_CUT_OFF && are_all_cut(reading))
             ? IDV_DOCUMENT_SIDE_NONE
             : idv_document_side_name(reading, side);
}

/* A reason not to trust any code that was read; *OF is the side. */
static idv_error_t *find_objection(const idv_document_reading_t *reading,
                                   idv_document_hint_t *hint,
                                   const idv_document_side_t **of)
{
    const idv_document_side_t *sides = reading->sides;
    int is_same = 0;

    *hint = IDV_DOCUMENT_HINT_NONE;
    *of = &sides[reading->side_count - 1];
    if (reading->side_count == IDV_DOCUMENT_SIDES_MAX && sides[0].gray
        && sides[1].gray) {
        apr_pool_t *scratch;

        IDV_TRY(idv_document_reading_scratch(reading, &scratch));
        IDV_TRY(idv_image_is_same_picture(sides[0].gray, sides[1].gray,
                                          &is_same, scratch));
        apr_pool_destroy(scratch);
    }
    if (is_same)
        *hint = IDV_DOCUMENT_HINT_SAME_PICTURE;
    for (int i = 0; i < reading->side_count && !*hint; i++)
        if (shows_several(&sides[i])) {
            *hint = IDV_DOCUMENT_HINT_ANOTHER_CODE;
            *of = &sides[i];
        }
    return NULL;
}

static void describe_quality(const idv_document_side_t *side,
                             idv_document_quality_t *quality)
{
    quality->width = side->decoded.width;
    quality->height = side->decoded.height;
    quality->sharpness = round(side->quality.sharpness);
    quality->glare = side->quality.glare;
}

/* Says where on SIDE the code at QUAD is, unless only the whole photo is known to
 * show it. */
static void describe_area(const idv_document_reading_t *reading,
                          const idv_document_side_t *side,
                          const idv_quad_t *quad, idv_document_area_t *area)
{
    const double width = side->gray->width, height = side->gray->height;

    if (quad->corner[0].x <= 0 && quad->corner[0].y <= 0
        && quad->corner[2].x >= width && quad->corner[2].y >= height)
        return;
    area->side = idv_document_side_name(reading, side);
    for (int i = 0; i < 4; i++)
        area->corner[i] = (idv_document_point_t){quad->corner[i].x / width,
                                                 quad->corner[i].y / height};
}

static void conclude(idv_document_reading_t *reading,
                     idv_document_findings_t *findings)
{
    const idv_document_code_t
        *codes[IDV_DOCUMENT_SIDES_MAX * IDV_DOCUMENT_CODES_MAX];
    const idv_document_side_t
        *sides[IDV_DOCUMENT_SIDES_MAX * IDV_DOCUMENT_CODES_MAX];
    const idv_document_code_t *confirmation;
    int count = list_codes(reading, codes, sides);

    if (count == 0) {
        const idv_document_side_t *side = telling_side(reading);

        findings->hint = hint_of_side(side);
        findings->side = side_of_hint(reading, side, findings->hint);
        describe_quality(side, &findings->quality);
        return;
    }
    describe_quality(sides[0], &findings->quality);
    findings->barcode_cross_reference = compare_codes(codes, count);
    if (findings->barcode_cross_reference == IDV_DOCUMENT_MATCHES) {
        confirmation = find_confirmation(codes, count);
        findings->is_confirmed = confirmation != NULL;
        if (confirmation)
            findings->confirmed_by = confirmation->document->source;
    }
    findings->readable = findings->readers_agree = 1;
    findings->confidence = codes[0]->confidence;
    findings->document = codes[0]->document;
    describe_area(reading, sides[0], codes[0]->area, &findings->area);
    if (findings->barcode_cross_reference != IDV_DOCUMENT_NOT_COMPARED)
        idv_document_check(
            codes[0]->document, IDV_DOCUMENT_CHECK_BARCODE_CROSS_REFERENCE,
            findings->barcode_cross_reference == IDV_DOCUMENT_MATCHES
                ? IDV_DOCUMENT_REASON_NONE
                : IDV_DOCUMENT_REASON_BARCODE_MISMATCH);
}

idv_error_t *idv_document_reader_open(const char *models_directory,
                                      void **reader, apr_pool_t *pool)
{
    idv_document_readers_t *opened = apr_pcalloc(pool, sizeof(*opened));

    *reader = opened;
    if (!models_directory)
        return NULL;
    IDV_TRY(idv_document_portrait_open(models_directory, &opened->faces, pool));
    IDV_TRY(idv_mrz_reader_open(models_directory, IDV_MRZ_SECOND_CLASSIFIER,
                                &opened->mrz, pool));
    return idv_print_ocr_open(models_directory, &opened->print, pool);
}

static idv_error_t *check_names(const idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    if (request->part_count > IDV_DOCUMENT_SIDES_MAX)
        return idv_error_internal(pool, "more parts than sides");
    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, "front") != 0
            && strcmp(request->parts[i].name, "back") != 0)
            return idv_error_internal(pool, "a part that is not a side of a "
                                            "document");
    return NULL;
}

/* Makes the findings from the current state of FOUND. */
static idv_error_t *lay_down(const idv_document_reading_t *reading,
                             idv_document_findings_t *found,
                             idv_bytes_t *findings)
{
    apr_size_t length;
    const char *text;

    found->milliseconds = (double)idv_document_reading_used(reading);
    IDV_TRY(idv_document_findings_write(found, &text, &length, reading->pool));
    idv_child_lay_down(findings,
                       (idv_bytes_t){(const unsigned char *)text, length});
    return NULL;
}

/* Examines the pictures of a document that was read. Print and traces that
 * could not be examined leave no doubt, so a slow document costs only time. */
static idv_error_t *examine_pictures(idv_document_reading_t *reading,
                                     idv_document_findings_t *found,
                                     idv_bytes_t *findings)
{
    IDV_TRY(idv_document_portrait_look(reading, &found->portrait));
    found->print_was_sought = reading->reader->print != NULL;
    IDV_TRY(lay_down(reading, found, findings));
    if (found->print_was_sought)
        IDV_TRY(idv_document_print_look(reading, found));
    IDV_TRY(idv_document_cut_look(reading, found));
    return idv_document_traces_look(reading, found);
}

idv_error_t *idv_document_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings, apr_pool_t *pool)
{
    idv_document_reading_t *reading = apr_pcalloc(pool, sizeof(*reading));
    idv_document_findings_t found = {0};
    const idv_document_side_t *telling;

    IDV_TRY(check_names(request, pool));
    reading->reader = reader;
    reading->request = request;
    reading->side_count = request->part_count;
    reading->pool = pool;
    reading->begin = idv_processor_time_used();
    for (int i = 0; i < request->part_count; i++)
        IDV_TRY(
            prepare_side(reading, &reading->sides[i], request->parts[i].bytes));
    IDV_TRY(read_sides(reading));
    IDV_TRY(find_objection(reading, &found.hint, &telling));
    found.side = found.hint ? side_of_hint(reading, telling, found.hint)
                            : IDV_DOCUMENT_SIDE_NONE;
    if (found.hint)
        describe_quality(telling, &found.quality);
    else
        conclude(reading, &found);
    found.sides = reading->side_count;
    if (found.readable)
        IDV_TRY(examine_pictures(reading, &found, findings));
    return lay_down(reading, &found, findings);
}
