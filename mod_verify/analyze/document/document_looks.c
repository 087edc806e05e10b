/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_looks.h"

#include "analyze/document/document_border.h"
#include "methods/document/document_findings.h"

enum {
    /* Processor time of a side after which no portrait is searched for, */
    PORTRAIT_MILLISECONDS = 1500,
    /* ... and after which the print is not read any more, */
    PRINT_MILLISECONDS = 1250,
    /* ... except that the print always gets this long if it has to show whose
     * portrait it is; */
    PRINT_LEAST_MILLISECONDS = 400,
    /* ... and after which nobody looks whether the picture shows all of the
     * document, */
    CUT_MILLISECONDS = 1250,
    /* ... and after which the pixels are not searched for traces of a recapture
     * or paste. */
    TRACES_MILLISECONDS = 1250
};

idv_time_t idv_document_reading_used(const idv_document_reading_t *reading)
{
    return idv_processor_time_used() - reading->begin;
}

idv_error_t *idv_document_reading_scratch(const idv_document_reading_t *reading,
                                          apr_pool_t **scratch)
{
    if (apr_pool_create(scratch, reading->pool) != APR_SUCCESS)
        return idv_error_internal(reading->pool, "no pool");
    return NULL;
}

int idv_document_side_has_zone(const idv_document_side_t *side)
{
    return side->code_count > side->barcode_count;
}

/* --- the portrait --- */

/* Searches one side for a portrait. */
static idv_error_t *seek_portrait_on(idv_document_reading_t *reading,
                                     idv_document_side_t *side, int *found)
{
    idv_document_portrait_seen_t seen;
    const idv_document_portrait_place_t place = {
        idv_document_side_has_zone(side) ? &side->page->readings[0].area : NULL,
        side->barcode_count == 0};
    apr_pool_t *scratch;

    IDV_TRY(idv_document_reading_scratch(reading, &scratch));
    IDV_TRY(idv_document_portrait_find(
        reading->reader->faces, side->decoded.image, &place, &seen, scratch));
    apr_pool_destroy(scratch);
    *found = seen.found;
    side->has_portrait = seen.found;
    side->turns = seen.found ? seen.turns : 0;
    return NULL;
}

/* Searches all sides for a portrait, starting with one without a barcode, since
 * that is the front. If time runs out, none is found. */
idv_error_t *idv_document_portrait_look(idv_document_reading_t *reading,
                                        idv_document_portrait_t *portrait)
{
    int found = 0;

    *portrait = IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT;
    if (!reading->reader->faces)
        return NULL;
    for (int has_barcode = 0; has_barcode < 2; has_barcode++)
        for (int i = 0; i < reading->side_count && !found; i++) {
            idv_document_side_t *side = &reading->sides[i];

            if (side->gray && (side->barcode_count > 0) == has_barcode
                && idv_document_reading_used(reading)
                       < PORTRAIT_MILLISECONDS * reading->side_count)
                IDV_TRY(seek_portrait_on(reading, side, &found));
        }
    *portrait =
        found ? IDV_DOCUMENT_PORTRAIT_FOUND : IDV_DOCUMENT_PORTRAIT_MISSING;
    return NULL;
}

/* --- the print --- */

/* Non-zero if the portrait is on the photo of the barcode. A card has them on
 * two sides, so the photo shows both sides, or a portrait of somebody else. */
static int has_portrait_at_barcode(const idv_document_side_t *side)
{
    return side->has_portrait && side->barcode_count > 0;
}

/* Prepares to read the print of SIDE; 0: it has no print about the holder. */
static int find_print(const idv_document_side_t *side, idv_print_side_t *print)
{
    *print = (idv_print_side_t){.gray = side->gray, .turns = side->turns};
    if (!side->gray)
        return 0;
    print->is_whole = has_portrait_at_barcode(side);
    if (side->barcode_count > 0)
        return print->is_whole;
    if (!idv_document_side_has_zone(side))
        return 1;
    print->zone = &side->page->readings[0].area;
    print->source = side->codes[side->barcode_count].document->source;
    return idv_print_reader_knows(print->source);
}

/* The processor time allowed for the print of SIDE. */
static int print_time(const idv_document_reading_t *reading,
                      const idv_document_side_t *side)
{
    int left = PRINT_MILLISECONDS * reading->side_count
             - (int)idv_document_reading_used(reading);

    return has_portrait_at_barcode(side) && left < PRINT_LEAST_MILLISECONDS
             ? PRINT_LEAST_MILLISECONDS
             : left;
}

/* A portrait on the photo of the barcode counts as the holder's only if the
 * print confirms it. */
static void demand_holder(const idv_document_reading_t *reading,
                          idv_print_verdicts_t *print)
{
    for (int i = 0; i < reading->side_count; i++)
        if (has_portrait_at_barcode(&reading->sides[i])
            && print->of[IDV_PRINT_HOLDER] != IDV_PRINT_CONSISTENT)
            print->of[IDV_PRINT_HOLDER] = IDV_PRINT_CONTRADICTED;
}

/* Compares the print of all sides with the code, within the remaining time. */
idv_error_t *idv_document_print_look(idv_document_reading_t *reading,
                                     idv_document_findings_t *findings)
{
    idv_print_question_t question = {
        .document = findings->document,
        .today = idv_document_reading_date(reading->request->now)};

    for (int i = 0; i < reading->side_count; i++) {
        idv_print_side_t print;
        apr_pool_t *scratch;

        question.milliseconds = print_time(reading, &reading->sides[i]);
        if (question.milliseconds <= 0
            || !find_print(&reading->sides[i], &print))
            continue;
        IDV_TRY(idv_document_reading_scratch(reading, &scratch));
        IDV_TRY(idv_print_reader_compare(reading->reader->print, &print,
                                         &question, &findings->print, scratch));
        apr_pool_destroy(scratch);
    }
    demand_holder(reading, &findings->print);
    idv_print_settle_birth(&findings->print,
                           (idv_document_t *)findings->document);
    return NULL;
}

/* --- the whole document --- */

/* Length to height of the document of a code. */
static double ratio_of(idv_document_source_t source)
{
    return source == IDV_DOCUMENT_SOURCE_PDF417_AAMVA
                || source == IDV_DOCUMENT_SOURCE_MRZ_TD1
             ? IDV_DOCUMENT_RATIO_CARD
             : IDV_DOCUMENT_RATIO_PAGE;
}

idv_document_side_name_t
idv_document_side_name(const idv_document_reading_t *reading,
                       const idv_document_side_t *side)
{
    return idv_document_side_find(
        reading->request->parts[side - reading->sides].name);
}

idv_error_t *idv_document_cut_look(idv_document_reading_t *reading,
                                   idv_document_findings_t *findings)
{
    for (int i = 0; i < reading->side_count; i++) {
        int is_cut = 0;
        const idv_document_side_t *side = &reading->sides[i];
        const idv_point_t code = idv_quad_middle(&side->barcode.areas[0]);
        const idv_document_border_question_t question = {
            ratio_of(findings->document->source),
            idv_document_side_has_zone(side) ? &side->page->readings[0].area
                                             : NULL,
            side->barcode.count > 0 ? &code : NULL};
        apr_pool_t *scratch;

        /* A side without a code could not be told from its portrait. */
        if (!side->gray || (!question.zone && !question.code)
            || idv_document_reading_used(reading)
                   > CUT_MILLISECONDS * reading->side_count)
            continue;
        IDV_TRY(idv_document_reading_scratch(reading, &scratch));
        IDV_TRY(idv_document_border_look(side->gray, &question,
                                         &is_cut, scratch));
        apr_pool_destroy(scratch);
        if (is_cut)
            findings->side = findings->is_cut
                               ? IDV_DOCUMENT_SIDE_NONE /* both */
                               : idv_document_side_name(reading, side);
        findings->is_cut |= is_cut;
    }
    return NULL;
}

/* --- traces in the pixels --- */

static void take_trace(double score, idv_document_trace_t *trace)
{
    if (score < 0)
        return;
    if (!trace->is_known || score > trace->score)
        trace->score = score;
    trace->is_known = 1;
}

/* Searches all sides for traces of a recapture and of a paste, within the
 * remaining time; the strongest counts. */
idv_error_t *idv_document_traces_look(idv_document_reading_t *reading,
                                      idv_document_findings_t *findings)
{
    for (int i = 0; i < reading->side_count; i++) {
        const idv_document_side_t *side = &reading->sides[i];
        const idv_traced_picture_t picture = {
            reading->request->parts[i].bytes, &side->decoded, side->gray,
            idv_document_side_has_zone(side) ? &side->page->readings[0].area
                                             : NULL};
        idv_picture_traces_t traces;
        apr_pool_t *scratch;

        if (!side->gray
            || idv_document_reading_used(reading)
                   > TRACES_MILLISECONDS * reading->side_count)
            continue;
        IDV_TRY(idv_document_reading_scratch(reading, &scratch));
        IDV_TRY(idv_picture_traces_find(&picture, &traces, scratch));
        apr_pool_destroy(scratch);
        /* The modules of a barcode are themselves a raster. */
        if (side->barcode.count == 0)
            take_trace(traces.raster, &findings->raster);
        take_trace(traces.paste, &findings->paste);
    }
    return NULL;
}
