/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_reader.h"

#include <apr_strings.h>
#include <math.h>
#include <string.h>

#include "analyze/document/mrz_agreement.h"
#include "analyze/document/mrz_ocr.h"
#include "analyze/document/mrz_placement.h"
#include "core/clock.h"
#include "domain/analysis_protocol.h"

enum {
    LONGEST_SIDE = 2400, /* larger images are reduced */
    LEAST_SIDE = 40,
    PLACEMENTS = 2, /* how many placements of one try are read */
    /* Reads of a text whose check digits are wrong, after which it is believed
     * that they are wrong on the document. */
    ENOUGH_WRONG = 2
};

/* A second placement is not read when its score is below this share. */
#define LEAST_SHARE 0.7
/* Largest side in pixels up to which an image is enlarged by a try. */
#define LARGEST_ENLARGED 1100

/* The tries, in the order of how often they succeed on generated photographs:
 * scale, half side of the neighbourhood in permille of the longer side, and
 * Sauvola's factor. A higher factor keeps less ink, so 0.34 is for prints over
 * dark patterns and 0.12 for pale ones; a larger neighbourhood bridges shadows;
 * a larger scale parts glyphs that touch, a smaller one joins broken ones. */
static const idv_mrz_binarization_t TRIES[] = {
    {1, 11, 0.22}, {1, 8, 0.12},  {2, 11, 0.22},
    {1, 22, 0.34}, {3, 14, 0.18}, {0.5, 11, 0.22},
};

/* How a line is shown to the OCR: pixels a glyph, height, margin; SMOOTHING is
 * the width of what becomes one pixel, in pixels. Tesseract reads 26 pixels a
 * glyph with paper around the line best: of 300 generated photographs 297 were
 * valid, and 295 with lines cut tightly at 36 pixels a glyph. */
typedef struct {
    int pitch, height, margin;
    double smoothing;
} strip_shape_t;

static const strip_shape_t STRIPS[] = {{26, 60, 26, 1}, {26, 60, 30, 2.2}};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

struct idv_mrz_reader_t {
    idv_mrz_second_reader_t second;
    idv_mrz_network_t *network;
    idv_mrz_ocr_t *ocr;
};

/* Who reads what. */
typedef struct {
    idv_mrz_reader_t *reader;
    const idv_mrz_placement_t *placement;
} look_t;

idv_error_t *idv_mrz_reader_open(const char *models_directory,
                                 idv_mrz_second_reader_t second,
                                 idv_mrz_reader_t **out, apr_pool_t *pool)
{
    idv_mrz_reader_t *reader = apr_palloc(pool, sizeof(*reader));

    reader->second = second;
    IDV_TRY(idv_mrz_network_load(
        apr_pstrcat(pool, models_directory, "/" IDV_ANALYZE_CLASSIFIER, NULL),
        &reader->network, pool));
    IDV_TRY(idv_mrz_ocr_open(models_directory, &reader->ocr, pool));
    *out = reader;
    return NULL;
}

/* GRAY itself, or a reduced copy of an image too large to be worked on. */
static idv_error_t *reduce(const idv_image_t *gray, const idv_image_t **out,
                           apr_pool_t *pool)
{
    int longer = gray->width > gray->height ? gray->width : gray->height;
    idv_image_t *copy;

    *out = gray;
    if (longer <= LONGEST_SIDE)
        return NULL;
    IDV_TRY(idv_image_scale(gray, (double)LONGEST_SIDE / longer, &copy, pool));
    *out = copy;
    return NULL;
}

/* The line ROW of the placed layout, straight and upright. */
static idv_error_t *straighten(const idv_mrz_placement_t *placement, int row,
                               const strip_shape_t *shape, idv_image_t **out,
                               apr_pool_t *pool)
{
    const idv_mrz_row_t *line = &placement->zone.rows[row];
    int columns = idv_mrz_layout_columns(placement->layout);

    IDV_TRY(idv_image_create(columns * shape->pitch + 2 * shape->margin,
                             shape->height, IDV_IMAGE_GRAY, out, pool));
    for (int x = 0; x < (*out)->width; x++) {
        idv_mrz_place_t place = idv_mrz_row_place(
            line, placement->first[row] - 0.5
                      + (x + 0.5 - shape->margin) / shape->pitch);
        double step = place.pitch / shape->pitch;

        for (int y = 0; y < shape->height; y++) {
            double dv =
                (y + 0.5 - shape->height / 2.0) * place.height / shape->pitch;

            idv_image_row(*out, y)[x] = (unsigned char)idv_mrz_view_sample(
                &placement->view, place.u - place.slope * dv, place.v + dv,
                step * shape->smoothing);
        }
    }
    return NULL;
}

static double mean_certainty(const idv_mrz_readings_t *readings, int row)
{
    int columns = idv_mrz_layout_columns(readings->layout);
    double sum = 0;

    for (int i = 0; i < columns; i++) {
        const float *logs = readings->logs[row][i];
        float best = logs[0];

        for (int k = 1; k < IDV_MRZ_GLYPHS; k++)
            best = logs[k] > best ? logs[k] : best;
        sum += exp(best);
    }
    return sum / columns;
}

/* Reads all rows of the placement with the OCR, shown in SHAPE. */
static idv_error_t *read_lines(const look_t *look, const strip_shape_t *shape,
                               char lines[][IDV_MRZ_LINE_SIZE],
                               double confidence[IDV_MRZ_MAX_ROWS],
                               apr_pool_t *scratch)
{
    for (int row = 0; row < look->placement->zone.row_count; row++) {
        idv_image_t *strip;

        IDV_TRY(straighten(look->placement, row, shape, &strip, scratch));
        IDV_TRY(idv_mrz_ocr_line(look->reader->ocr, strip, lines[row],
                                 &confidence[row], scratch));
    }
    return NULL;
}

/* The classifier and the OCR; the OCR is shown the lines otherwise when they
 * differ. */
static idv_error_t *read_with_classifier(const look_t *look,
                                         idv_mrz_readings_t *readings,
                                         idv_mrz_reading_t *reading,
                                         idv_mrz_agreement_t *agreement,
                                         apr_pool_t *scratch)
{
    *agreement = IDV_MRZ_DIFFER;
    idv_mrz_placement_classify(look->reader->network, look->placement,
                               readings->logs);
    for (size_t k = 0; k < COUNT(STRIPS) && *agreement == IDV_MRZ_DIFFER; k++) {
        IDV_TRY(read_lines(look, &STRIPS[k], readings->lines,
                           reading->confidence, scratch));
        *agreement = idv_mrz_agree(readings, &reading->text);
    }
    for (int row = 0; row < look->placement->zone.row_count; row++)
        reading->confidence[row] =
            fmin(reading->confidence[row], mean_certainty(readings, row));
    return NULL;
}

/* The OCR twice, shown the lines in two ways. */
static idv_error_t *read_twice(const look_t *look, idv_mrz_readings_t *readings,
                               idv_mrz_reading_t *reading,
                               idv_mrz_agreement_t *agreement,
                               apr_pool_t *scratch)
{
    double confidence[IDV_MRZ_MAX_ROWS];

    readings->again =
        apr_pcalloc(scratch, sizeof(*readings->again) * IDV_MRZ_MAX_ROWS);
    IDV_TRY(read_lines(look, &STRIPS[0], readings->lines, reading->confidence,
                       scratch));
    IDV_TRY(read_lines(look, &STRIPS[1], readings->again, confidence, scratch));
    for (int row = 0; row < look->placement->zone.row_count; row++)
        reading->confidence[row] =
            fmin(reading->confidence[row], confidence[row]);
    *agreement = idv_mrz_agree(readings, &reading->text);
    return NULL;
}

/* Both readers read PLACEMENT; sets the reading when they agree, and counts in
 * *WRONG when they agree on something whose check digits are wrong. */
static idv_error_t *read_placement(idv_mrz_reader_t *reader,
                                   const idv_mrz_placement_t *placement,
                                   idv_mrz_reading_t *reading, int *wrong,
                                   apr_pool_t *scratch)
{
    const look_t look = {reader, placement};
    idv_mrz_readings_t *readings = apr_pcalloc(scratch, sizeof(*readings));
    idv_mrz_agreement_t agreement;

    readings->layout = placement->layout;
    reading->outcome = IDV_MRZ_DISAGREED;
    IDV_TRY((reader->second == IDV_MRZ_SECOND_CLASSIFIER
                 ? read_with_classifier
                 : read_twice)(&look, readings, reading, &agreement, scratch));
    *wrong += agreement == IDV_MRZ_CHECKS_WRONG;
    if (agreement != IDV_MRZ_AGREE)
        return NULL;
    reading->outcome = IDV_MRZ_READ;
    reading->degrees =
        atan2(placement->view.map[3], placement->view.map[0]) * 180 / M_PI;
    return NULL;
}

/* Places layouts on the zones that are seen in one direction. */
static int find_placements(const idv_mrz_reader_t *reader,
                           const idv_mrz_view_t *view,
                           const idv_mrz_glyphs_t *glyphs,
                           idv_mrz_placement_t best[PLACEMENTS],
                           apr_pool_t *scratch)
{
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];
    int zone_count = idv_mrz_zones_find(glyphs, zones, scratch), count = 0;

    for (int i = 0; i < zone_count; i++) {
        idv_mrz_placement_t placement;
        int at = count;

        if (!idv_mrz_placement_find(reader->network, view, &zones[i],
                                    &placement))
            continue;
        while (at > 0 && best[at - 1].score < placement.score)
            at--;
        if (at == PLACEMENTS)
            continue;
        count += count < PLACEMENTS;
        memmove(best + at + 1, best + at,
                sizeof(*best) * (size_t)(count - 1 - at));
        best[at] = placement;
    }
    return count;
}

/* One try: binarize, look in the two likeliest directions, read. */
static idv_error_t *try_once(idv_mrz_reader_t *reader, const idv_image_t *gray,
                             const idv_mrz_binarization_t *binarization,
                             idv_mrz_reading_t *reading, int *wrong,
                             apr_pool_t *scratch)
{
    idv_mrz_bits_t *bits;
    idv_mrz_view_t view;
    idv_mrz_glyphs_t glyphs;
    double radians[2];
    int directions;

    IDV_TRY(idv_mrz_bits_create(gray, binarization, &bits, scratch));
    IDV_TRY(idv_mrz_bits_glyphs(bits, 0, &view, &glyphs, scratch));
    directions = idv_mrz_glyphs_directions(&glyphs, radians);
    for (int i = 0; i < directions; i++) {
        idv_mrz_placement_t placements[PLACEMENTS];
        int count;

        if (fabs(radians[i]) > M_PI / 180 || i > 0)
            IDV_TRY(
                idv_mrz_bits_glyphs(bits, radians[i], &view, &glyphs, scratch));
        count = find_placements(reader, &view, &glyphs, placements, scratch);
        for (int k = 0; k < count && reading->outcome != IDV_MRZ_READ; k++)
            if (placements[k].score >= LEAST_SHARE * placements[0].score)
                IDV_TRY(read_placement(reader, &placements[k], reading, wrong,
                                       scratch));
        if (reading->outcome == IDV_MRZ_READ || count > 0)
            break;
    }
    return NULL;
}

static idv_error_t *read_all_tries(idv_mrz_reader_t *reader,
                                   const idv_image_t *gray, int milliseconds,
                                   idv_mrz_reading_t *reading,
                                   apr_pool_t *scratch)
{
    int longer = gray->width > gray->height ? gray->width : gray->height;
    idv_time_t begin = idv_processor_time_used();
    int wrong = 0;

    for (size_t i = 0; i < COUNT(TRIES); i++) {
        apr_pool_t *pool;
        idv_error_t *error;

        if (TRIES[i].scale > 1
            && longer * TRIES[i].scale > 2 * LARGEST_ENLARGED)
            continue;
        if (reading->tries > 0
            && idv_processor_time_used() - begin >= milliseconds)
            break;
        if (apr_pool_create(&pool, scratch) != APR_SUCCESS)
            return idv_error_internal(scratch, "no memory for a pool");
        reading->tries++;
        error = try_once(reader, gray, &TRIES[i], reading, &wrong, pool);
        if (error)
            return error; /* lives in the pool, which lives in scratch */
        apr_pool_destroy(pool);
        if (reading->outcome == IDV_MRZ_READ || wrong >= ENOUGH_WRONG)
            break;
    }
    return NULL;
}

idv_error_t *idv_mrz_read(idv_mrz_reader_t *reader, const idv_image_t *gray,
                          int milliseconds, idv_mrz_reading_t *reading,
                          apr_pool_t *scratch)
{
    const idv_image_t *reduced;

    memset(reading, 0, sizeof(*reading));
    reading->outcome = IDV_MRZ_NOT_FOUND;
    if (gray->width < LEAST_SIDE || gray->height < LEAST_SIDE)
        return NULL;
    IDV_TRY(reduce(gray, &reduced, scratch));
    return read_all_tries(reader, reduced, milliseconds, reading, scratch);
}
