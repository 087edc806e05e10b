/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/document_reader.h"

#include <math.h>
#include <string.h>

#include "analyze/document/barcode_reader.h"
#include "analyze/image_decode.h"
#include "analyze/image_quality.h"
#include "analyze/document/mrz_reader.h"
#include "methods/document/aamva.h"
#include "methods/document/document_findings.h"
#include "methods/document/mrz.h"

enum {
    WORKING_SIDE = 2000, /* pixels; 3 a module where a card is half as wide */
    SIDES_MAX = 2,
    LEAST_SIDE = 600,    /* of a photo that shows a card legibly */
    BARCODE_MILLISECONDS = 1000,
    ZONE_MILLISECONDS = 2000,
    ONE_TRY = 1 /* millisecond, after which the zone's reader begins no other */
};

/* Below and above which a photo that could not be read is the reason: sharp
 * photos of documents measure 550 and more, clearly blurred ones less than 430
 * (image_quality.h). */
static const double blurred_below = 480, glaring_above = 0.01, dark_below = 45;

typedef struct {
    idv_mrz_reader_t *mrz; /* NULL: barcodes only */
} document_reader_t;

/* What became of the search for one kind of code on one side. */
typedef struct {
    int contradicted;         /* two reads differed, or no second was had */
    double confidence;        /* of the document */
    idv_document_t *document; /* NULL: not read */
} code_t;

typedef struct {
    idv_document_hint_t refusal; /* NONE, or why there is no image */
    idv_decoded_image_t decoded;
    idv_image_t *gray;
    idv_image_quality_t quality;
    code_t barcode, zone;
} side_t;

typedef struct {
    const document_reader_t *reader;
    const idv_analysis_request_t *request;
    side_t sides[SIDES_MAX];
    int side_count;
    idv_time_t begin; /* of processor time */
    apr_pool_t *pool;
} reading_t;

static idv_time_t used_time(const reading_t *reading)
{
    return idv_processor_time_used() - reading->begin;
}

/* The time a step may take: MOST, or what is left of the whole; 0: none. */
static int time_for(const reading_t *reading, int most)
{
    int left = reading->request->milliseconds - (int)used_time(reading);

    if (left < 0)
        return 0;
    return left < most ? left : most;
}

static idv_error_t *make_scratch(const reading_t *reading, apr_pool_t **scratch)
{
    if (apr_pool_create(scratch, reading->pool) != APR_SUCCESS)
        return idv_error_internal(reading->pool, "no pool");
    return NULL;
}

/* Brings a side to the point where readers can begin. */
static idv_error_t *prepare_side(reading_t *reading, side_t *side,
                                 idv_bytes_t file)
{
    apr_pool_t *scratch;
    idv_error_t *error;

    IDV_TRY(make_scratch(reading, &scratch));
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
    return idv_image_to_gray(side->decoded.image, &side->gray, reading->pool);
}

static idv_error_t *read_barcode(reading_t *reading, side_t *side, int direct)
{
    idv_barcode_effort_t effort = {time_for(reading, BARCODE_MILLISECONDS),
                                   direct};
    idv_barcode_reading_t found;
    idv_error_t *error;

    if (!side->gray || effort.milliseconds == 0)
        return NULL;
    IDV_TRY(idv_barcode_read(side->gray, &effort, &found, reading->pool));
    side->barcode.contradicted = found.status == IDV_BARCODE_DISAGREED
                              || found.status == IDV_BARCODE_UNCONFIRMED;
    if (found.status != IDV_BARCODE_READ)
        return NULL;
    /* Another kind of PDF417 symbol is no document: as if it was not there. */
    error = idv_aamva_parse(found.payload, reading->request->now,
                            &side->barcode.document, reading->pool);
    if (!error)
        side->barcode.confidence = 1;
    else
        side->barcode.document = NULL;
    return error && error->code != IDV_E_PARAMETER_INVALID ? error : NULL;
}

static idv_error_t *read_zone(reading_t *reading, side_t *side,
                              int milliseconds)
{
    idv_mrz_reading_t *found = apr_pcalloc(reading->pool, sizeof(*found));
    int most = time_for(reading, milliseconds);
    apr_pool_t *scratch;

    if (!reading->reader->mrz || !side->gray || most == 0)
        return NULL;
    IDV_TRY(make_scratch(reading, &scratch));
    IDV_TRY(idv_mrz_read(reading->reader->mrz, side->gray,
                         most, found, scratch));
    apr_pool_destroy(scratch);
    side->zone.contradicted = found->outcome == IDV_MRZ_DISAGREED;
    if (found->outcome != IDV_MRZ_READ)
        return NULL;
    IDV_TRY(idv_mrz_parse(&found->text, reading->request->now,
                          &side->zone.document, reading->pool));
    side->zone.confidence = 1;
    for (int i = 0; i < idv_mrz_layout_rows(found->text.layout); i++)
        if (found->confidence[i] < side->zone.confidence)
            side->zone.confidence = found->confidence[i];
    return NULL;
}

static int documents_read(const reading_t *reading)
{
    int count = 0;

    for (int i = 0; i < reading->side_count; i++)
        count += (reading->sides[i].barcode.document != NULL)
               + (reading->sides[i].zone.document != NULL);
    return count;
}

static int has_document(const side_t *side)
{
    return side->barcode.document || side->zone.document;
}

/* From the cheapest to the dearest. The back comes first where it is about
 * barcodes; a zone that was seen but not agreed on comes before a search for a
 * barcode that may not be there. */
static idv_error_t *read_sides(reading_t *reading)
{
    side_t *sides = reading->sides;
    int last = reading->side_count - 1;

    for (int i = 0; i <= last; i++)
        IDV_TRY(read_barcode(reading, &sides[i], 1));
    for (int i = 0; i <= last; i++)
        if (!has_document(&sides[i]))
            IDV_TRY(read_zone(reading, &sides[i], ONE_TRY));
    for (int i = 0; i <= last; i++)
        if (documents_read(reading) == 0 && sides[i].zone.contradicted)
            IDV_TRY(read_zone(reading, &sides[i], ZONE_MILLISECONDS));
    for (int i = last; i >= 0; i--)
        if (documents_read(reading) == 0)
            IDV_TRY(read_barcode(reading, &sides[i], 0));
    for (int i = 0; i <= last; i++)
        if (documents_read(reading) == 0 && !sides[i].zone.contradicted)
            IDV_TRY(read_zone(reading, &sides[i], ZONE_MILLISECONDS));
    return NULL;
}

/* The codes of all sides, barcodes first: they say more. */
static int list_codes(reading_t *reading, const code_t **codes,
                      const side_t **of)
{
    int count = 0;

    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < reading->side_count; i++) {
            side_t *side = &reading->sides[i];
            const code_t *code = kind == 0 ? &side->barcode : &side->zone;

            if (!code->document)
                continue;
            codes[count] = code;
            of[count++] = side;
        }
    return count;
}

/* Whether all codes speak of the document of the first. One code that was seen
 * on two pictures agrees with itself, which compares nothing. */
static idv_document_comparison_t compare_codes(const code_t *const *codes,
                                               int count)
{
    idv_document_comparison_t all = IDV_DOCUMENT_NOT_COMPARED;

    for (int i = 1; i < count; i++) {
        idv_document_comparison_t one =
            idv_document_compare(codes[0]->document, codes[i]->document);

        if (one == IDV_DOCUMENT_DIFFERS)
            return one;
        if (one == IDV_DOCUMENT_MATCHES
            && idv_document_sources_are_independent(
                codes[0]->document->source, codes[i]->document->source))
            all = one;
    }
    return all;
}

/* A code that stands for itself and confirms the first; NULL: there is none. A
 * code that does not pass its own checks confirms nothing. */
static const code_t *find_confirmation(const code_t *const *codes, int count)
{
    for (int i = 1; i < count; i++) {
        const apr_array_header_t *checks = codes[i]->document->checks;
        int failed = 0;

        for (int k = 0; k < checks->nelts; k++)
            failed |= APR_ARRAY_IDX(checks, k, idv_document_check_t).reason
                   != IDV_DOCUMENT_REASON_NONE;
        if (!failed
            && idv_document_confirms(codes[0]->document, codes[i]->document))
            return codes[i];
    }
    return NULL;
}

/* Why no code could be read, as far as the photo itself tells. */
static idv_document_hint_t hint_of_side(const side_t *side)
{
    if (side->refusal != IDV_DOCUMENT_HINT_NONE)
        return side->refusal;
    if (side->decoded.width < LEAST_SIDE && side->decoded.height < LEAST_SIDE)
        return IDV_DOCUMENT_HINT_TOO_SMALL;
    if (side->quality.brightness < dark_below)
        return IDV_DOCUMENT_HINT_TOO_DARK;
    if (side->quality.sharpness < blurred_below)
        return IDV_DOCUMENT_HINT_BLURRED;
    if (side->quality.glare > glaring_above)
        return IDV_DOCUMENT_HINT_GLARE;
    if (side->barcode.contradicted || side->zone.contradicted)
        return IDV_DOCUMENT_HINT_READERS_DISAGREE;
    return IDV_DOCUMENT_HINT_NO_DOCUMENT_CODE;
}

/* The side that came closest: one with a code that was not agreed on, else the
 * last one, as codes are on the back of cards. */
static const side_t *telling_side(const reading_t *reading)
{
    for (int i = 0; i < reading->side_count; i++)
        if (reading->sides[i].barcode.contradicted
            || reading->sides[i].zone.contradicted)
            return &reading->sides[i];
    for (int i = 0; i < reading->side_count; i++)
        if (reading->sides[i].refusal != IDV_DOCUMENT_HINT_NONE)
            return &reading->sides[i];
    return &reading->sides[reading->side_count - 1];
}

static void describe_quality(const side_t *side,
                             idv_document_quality_t *quality)
{
    quality->width = side->decoded.width;
    quality->height = side->decoded.height;
    quality->sharpness = round(side->quality.sharpness);
    quality->glare = side->quality.glare;
}

static void conclude(reading_t *reading, idv_document_findings_t *findings)
{
    const code_t *codes[2 * SIDES_MAX];
    const side_t *sides[2 * SIDES_MAX];
    const code_t *confirmation;
    int count = list_codes(reading, codes, sides);

    if (count == 0) {
        const side_t *side = telling_side(reading);

        findings->hint = hint_of_side(side);
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
    document_reader_t *opened = apr_pcalloc(pool, sizeof(*opened));

    *reader = opened;
    if (!models_directory)
        return NULL;
    return idv_mrz_reader_open(models_directory, IDV_MRZ_SECOND_CLASSIFIER,
                               &opened->mrz, pool);
}

static idv_error_t *check_names(const idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    if (request->part_count > SIDES_MAX)
        return idv_error_internal(pool, "more parts than sides");
    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, "front") != 0
            && strcmp(request->parts[i].name, "back") != 0)
            return idv_error_internal(pool, "a part that is no side");
    return NULL;
}

idv_error_t *idv_document_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings, apr_pool_t *pool)
{
    reading_t *reading = apr_pcalloc(pool, sizeof(*reading));
    idv_document_findings_t found = {0};
    const char *text;

    IDV_TRY(check_names(request, pool));
    reading->reader = reader;
    reading->request = request;
    reading->side_count = request->part_count;
    reading->pool = pool;
    reading->begin = idv_processor_time_used();
    for (int i = 0; i < request->part_count; i++)
        IDV_TRY(prepare_side(reading, &reading->sides[i],
                             request->parts[i].bytes));
    IDV_TRY(read_sides(reading));
    conclude(reading, &found);
    found.milliseconds = (double)used_time(reading);
    IDV_TRY(idv_document_findings_write(&found, &text, &findings->length,
                                        pool));
    findings->data = (const unsigned char *)text;
    return NULL;
}
