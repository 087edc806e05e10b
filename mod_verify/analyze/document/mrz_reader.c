/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_reader.h"

#include <apr_strings.h>
#include <math.h>
#include <string.h>

#include "analyze/document/mrz_agreement.h"
#include "analyze/document/mrz_ocr.h"
#include "analyze/document/mrz_placement.h"
#include "analyze/image_scale.h"
#include "core/clock.h"
#include "domain/method/analysis_models.h"

enum {
    LONGEST_SIDE = 2400, /* larger images are reduced */
    LEAST_SIDE = 40,
    PLACEMENTS = 8, /* how many placements of one direction are tried ... */
    PLACEMENTS_READ = 2 /* ... and read, of those that overlap */
};

/* A placement is not read if its score is below this share of the best one's:
 * among those that overlap, and among all. */
#define LEAST_SHARE 0.7
#define LEAST_SHARE_BESIDES 0.5
/* The number of adjacent columns without a glyph that means something covers
 * the zone; and how much the cells of rows that no layout fits must look like
 * glyphs to be part of a zone. */
enum { LEAST_GAP = 3, LEAST_PART = 14 };
#define LEAST_LIKENESS 0.75
/* The largest side in pixels to which a try enlarges an image. */
#define LARGEST_ENLARGED 1100

/* The tries, ordered by how often they succeed on generated photographs: scale,
 * half side of the neighbourhood in permille of the longer side, and Sauvola's
 * factor. A higher factor keeps less ink, so 0.34 is for prints over dark
 * patterns and 0.12 for pale ones. A larger neighbourhood bridges shadows. A
 * larger scale separates glyphs that touch, and a smaller one joins broken
 * ones. */
static const idv_mrz_binarization_t TRIES[] = {
    {1, 11, 0.22}, {1, 8, 0.12},  {2, 11, 0.22},
    {1, 22, 0.34}, {3, 14, 0.18}, {0.5, 11, 0.22},
};

/* How a line is presented to the OCR: pixels per glyph, height, margin.
 * SMOOTHING is the width, in pixels, that is averaged into one pixel. Tesseract
 * reads 26 pixels per glyph with paper around the line best: of 300 generated
 * photographs, 297 were valid, and 295 with lines cut tightly at 36 pixels per
 * glyph. */
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

/* The work on one page. */
typedef struct {
    idv_mrz_reader_t *reader;
    const idv_image_t *gray; /* reduced */
    double factor;           /* the sides of the given image by those of GRAY */
    idv_time_t begin;        /* of processor time */
    int milliseconds;
    idv_mrz_page_t *page;
} task_t;

/* Assigns the readers. */
typedef struct {
    const task_t *task;
    idv_mrz_reader_t *reader;
    const idv_mrz_placement_t *placement;
} look_t;

double idv_mrz_probability(double confidence)
{
    static const struct {
        double least;
        int right, reads;
    } bands[] = {
#define BAND(least, right, reads) {least, right, reads},
#include "analyze/document/mrz_confidence.def"
#undef BAND
    };
    size_t i = 0;

    while (i < COUNT(bands) - 1 && !(confidence >= bands[i].least))
        i++;
    return (bands[i].right + 1.0) / (bands[i].reads + 2.0);
}

static int is_time_over(const task_t *task)
{
    return idv_processor_time_used() - task->begin >= task->milliseconds;
}

idv_error_t *idv_mrz_reader_open(const char *models_directory,
                                 idv_mrz_second_reader_t second,
                                 idv_mrz_reader_t **out, apr_pool_t *pool)
{
    idv_mrz_reader_t *reader = apr_palloc(pool, sizeof(*reader));

    reader->second = second;
    IDV_TRY(idv_mrz_network_load(
        apr_pstrcat(pool, models_directory, "/" IDV_MODEL_CLASSIFIER, NULL),
        &reader->network, pool));
    IDV_TRY(idv_mrz_ocr_open(models_directory, &reader->ocr, pool));
    *out = reader;
    return NULL;
}

/* GRAY itself, or a reduced copy if the image is too large. */
static idv_error_t *reduce(const idv_image_t *gray, task_t *task,
                           apr_pool_t *pool)
{
    int longer = gray->width > gray->height ? gray->width : gray->height;
    idv_image_t *copy;

    task->gray = gray;
    task->factor = 1;
    if (longer <= LONGEST_SIDE)
        return NULL;
    IDV_TRY(idv_image_scale(gray, (double)LONGEST_SIDE / longer, &copy, pool));
    task->gray = copy;
    task->factor = (double)longer / LONGEST_SIDE;
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

/* The classifier's lowest certainty for a character in the fields that name
 * states. */
static double state_certainty(const idv_mrz_readings_t *readings,
                              const idv_mrz_text_t *text)
{
    static const idv_mrz_field_name_t names[] = {IDV_MRZ_FIELD_ISSUER,
                                                 IDV_MRZ_FIELD_NATIONALITY};
    double least = 1;

    for (size_t k = 0; k < COUNT(names); k++) {
        const idv_mrz_field_t *field = &text->layout->fields[names[k]];

        for (int i = field->column; i < field->column + field->length; i++) {
            const char *glyph =
                strchr(IDV_MRZ_ALPHABET, text->rows[field->row][i]);

            if (glyph && *glyph)
                least = fmin(least, exp(readings->logs[field->row][i]
                                                      [glyph
                                                       - IDV_MRZ_ALPHABET]));
        }
    }
    return least;
}

/* Compares classifier and OCR. If they differ, the lines are presented to the
 * OCR in another way. */
static idv_error_t *read_with_classifier(const look_t *look,
                                         idv_mrz_readings_t *readings,
                                         idv_mrz_reading_t *reading,
                                         idv_mrz_agreement_t *agreement,
                                         apr_pool_t *scratch)
{
    double confidence[IDV_MRZ_MAX_ROWS];

    *agreement = IDV_MRZ_DIFFER;
    idv_mrz_placement_classify(look->reader->network, look->placement,
                               readings->logs);
    for (size_t k = 0; k < COUNT(STRIPS) && *agreement == IDV_MRZ_DIFFER; k++) {
        if (k > 0 && is_time_over(look->task))
            break;
        IDV_TRY(read_lines(look, &STRIPS[k], readings->lines, confidence,
                           scratch));
        *agreement = idv_mrz_agree(readings, &reading->text);
    }
    reading->confidence = 1;
    for (int row = 0; row < look->placement->zone.row_count; row++)
        reading->confidence =
            fmin(reading->confidence,
                 fmin(confidence[row], mean_certainty(readings, row)));
    if (*agreement != IDV_MRZ_DIFFER)
        reading->certainty = state_certainty(readings, &reading->text);
    return NULL;
}

/* Runs the OCR twice, on two presentations of the lines. */
static idv_error_t *read_twice(const look_t *look, idv_mrz_readings_t *readings,
                               idv_mrz_reading_t *reading,
                               idv_mrz_agreement_t *agreement,
                               apr_pool_t *scratch)
{
    double confidence[2][IDV_MRZ_MAX_ROWS];

    readings->again =
        apr_pcalloc(scratch, sizeof(*readings->again) * IDV_MRZ_MAX_ROWS);
    IDV_TRY(read_lines(look, &STRIPS[0], readings->lines, confidence[0],
                       scratch));
    IDV_TRY(read_lines(look, &STRIPS[1], readings->again, confidence[1],
                       scratch));
    reading->confidence = reading->certainty = 1;
    for (int row = 0; row < look->placement->zone.row_count; row++)
        reading->confidence = fmin(reading->confidence,
                                   fmin(confidence[0][row], confidence[1][row]));
    *agreement = idv_mrz_agree(readings, &reading->text);
    return NULL;
}

/* Reads PLACEMENT with both readers. */
static idv_error_t *read_placement(const task_t *task,
                                   const idv_mrz_placement_t *placement,
                                   idv_mrz_reading_t *reading,
                                   idv_mrz_agreement_t *agreement,
                                   apr_pool_t *scratch)
{
    const look_t look = {task, task->reader, placement};
    idv_mrz_readings_t *readings = apr_pcalloc(scratch, sizeof(*readings));

    readings->layout = placement->layout;
    IDV_TRY((task->reader->second == IDV_MRZ_SECOND_CLASSIFIER
                 ? read_with_classifier
                 : read_twice)(&look, readings, reading, agreement, scratch));
    reading->degrees =
        atan2(placement->view.map[3], placement->view.map[0]) * 180 / M_PI;
    reading->area = idv_mrz_placement_area(placement);
    for (int i = 0; i < 4; i++) {
        reading->area.corner[i].x *= task->factor;
        reading->area.corner[i].y *= task->factor;
    }
    return NULL;
}

static int same_text(const idv_mrz_text_t *a, const idv_mrz_text_t *b)
{
    if (a->layout != b->layout)
        return 0;
    for (int row = 0; row < idv_mrz_layout_rows(a->layout); row++)
        if (strcmp(a->rows[row], b->rows[row]) != 0)
            return 0;
    return 1;
}

/* Adds the text that the readers agree on to the results of the page. */
static void note(idv_mrz_page_t *page, idv_mrz_agreement_t agreement,
                 const idv_mrz_reading_t *reading)
{
    if (agreement == IDV_MRZ_AGREE) {
        page->outcome = IDV_MRZ_READ;
        page->readings[page->count++] = *reading;
    } else if (page->count == 0) {
        page->outcome = IDV_MRZ_DISAGREED;
        if (agreement != IDV_MRZ_CHECKS_WRONG)
            return;
        if (page->has_wrong
            && same_text(&page->wrong.text, &reading->text)) {
            page->outcome = IDV_MRZ_INVALID;
            page->readings[page->count++] = *reading;
        }
        page->has_wrong = 1;
        page->wrong = *reading;
    }
}

static int overlap(const idv_mrz_placement_t *placement, const idv_quad_t *area,
                   double factor)
{
    idv_quad_t own = idv_mrz_placement_area(placement);
    idv_point_t middle = idv_quad_middle(&own);

    middle.x *= factor;
    middle.y *= factor;
    return idv_quad_contains(area, middle);
}

/* Non-zero if the placement at AT is worth reading: no zone was read at its
 * position, and it is one of the first placements there. They are ordered by
 * score. */
static int is_worth_reading(const task_t *task,
                            const idv_mrz_placement_t placements[PLACEMENTS],
                            int at)
{
    const idv_mrz_placement_t *placement = &placements[at];
    int rivals = 0;

    if (placement->score < LEAST_SHARE_BESIDES * placements[0].score)
        return 0;
    for (int i = 0; i < task->page->count; i++)
        if (overlap(placement, &task->page->readings[i].area, task->factor))
            return 0;
    for (int i = 0; i < at; i++) {
        idv_quad_t area = idv_mrz_placement_area(&placements[i]);

        if (!overlap(placement, &area, 1))
            continue;
        rivals++;
        if (placement->score < LEAST_SHARE * placements[i].score)
            return 0;
    }
    return rivals < PLACEMENTS_READ;
}

/* Non-zero if COLUMN of ROW, in the coordinates of VIEW, is less than a glyph
 * away from the edge of the image, or outside. */
static int is_at_edge(const idv_mrz_view_t *view, const idv_mrz_row_t *row,
                      double column)
{
    const double *map = view->map;
    idv_mrz_place_t place = idv_mrz_row_place(row, column);
    double x = map[0] * place.u + map[1] * place.v + map[2];
    double y = map[3] * place.u + map[4] * place.v + map[5];
    double near = place.pitch * hypot(map[0], map[3]);

    return x < near || y < near || x > view->image->width - near
        || y > view->image->height - near;
}

/* The flaw of a zone that a layout fits. */
static idv_mrz_flaw_t flaw_of(const idv_mrz_placement_t *placement)
{
    int columns = idv_mrz_layout_columns(placement->layout);

    for (int row = 0; row < placement->zone.row_count; row++) {
        const idv_mrz_row_t *line = &placement->zone.rows[row];

        if (is_at_edge(&placement->view, line, placement->first[row])
            || is_at_edge(&placement->view, line,
                          placement->first[row] + columns - 1))
            return IDV_MRZ_CUT_OFF;
    }
    return placement->gap >= LEAST_GAP ? IDV_MRZ_COVERED : IDV_MRZ_WHOLE;
}

/* The flaw of ZONE, which has the glyphs of a zone but fits no layout. */
static idv_mrz_flaw_t flaw_of_part(const idv_mrz_view_t *view,
                                   const idv_mrz_zone_t *zone)
{
    for (int row = 0; row < zone->row_count; row++)
        if (is_at_edge(view, &zone->rows[row], -1)
            || is_at_edge(view, &zone->rows[row], zone->columns))
            return IDV_MRZ_CUT_OFF;
    return IDV_MRZ_COVERED;
}

/* Non-zero if a zone that no layout fits looks like glyphs and is large enough
 * to be one. */
static int is_part_of_zone(const idv_mrz_placement_t *placement,
                           const idv_mrz_zone_t *zone)
{
    return zone->row_count > 1 && placement->likeness >= LEAST_LIKENESS
        && zone->columns >= LEAST_PART;
}

/* Places layouts on the zones that are seen in one direction. */
static int find_placements(const task_t *task, const idv_mrz_view_t *view,
                           const idv_mrz_glyphs_t *glyphs,
                           idv_mrz_placement_t best[PLACEMENTS],
                           apr_pool_t *scratch)
{
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];
    int zone_count = idv_mrz_zones_find(glyphs, zones, scratch), count = 0;

    for (int i = 0; i < zone_count; i++) {
        idv_mrz_placement_t placement;
        int at = count;

        if (!idv_mrz_placement_find(task->reader->network, view, &zones[i],
                                    &placement)) {
            task->page->is_foreign |= placement.is_foreign;
            if (!task->page->was_seen && is_part_of_zone(&placement, &zones[i]))
                task->page->flaw = flaw_of_part(view, &zones[i]);
            continue;
        }
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

/* Reads the zones that are seen in one direction, once per position. */
static idv_error_t *read_direction(const task_t *task,
                                   const idv_mrz_view_t *view,
                                   const idv_mrz_glyphs_t *glyphs,
                                   apr_pool_t *scratch)
{
    idv_mrz_placement_t placements[PLACEMENTS];
    idv_mrz_page_t *page = task->page;
    int count = find_placements(task, view, glyphs, placements, scratch);

    if (count > 0) {
        const idv_mrz_placement_t *best = &placements[0];

        page->was_seen = 1;
        page->flaw = flaw_of(best);
        page->pitch = best->zone.rows[0].columns[1] * task->factor
                    * hypot(best->view.map[0], best->view.map[3]);
    }
    for (int k = 0; k < count && page->count < IDV_MRZ_READINGS_MAX; k++) {
        idv_mrz_reading_t reading;
        idv_mrz_agreement_t agreement;

        if (!is_worth_reading(task, placements, k))
            continue;
        if ((page->tries > 0 || k > 0) && is_time_over(task))
            break;
        IDV_TRY(read_placement(task, &placements[k], &reading, &agreement,
                               scratch));
        note(page, agreement, &reading);
    }
    return NULL;
}

/* One try: binarize, look in the two likeliest directions, read. */
static idv_error_t *try_once(const task_t *task,
                             const idv_mrz_binarization_t *binarization,
                             apr_pool_t *scratch)
{
    idv_mrz_bits_t *bits;
    idv_mrz_view_t view;
    idv_mrz_glyphs_t glyphs;
    double radians[2];
    int directions;

    IDV_TRY(idv_mrz_bits_create(task->gray, binarization, &bits, scratch));
    IDV_TRY(idv_mrz_bits_glyphs(bits, 0, &view, &glyphs, scratch));
    if (glyphs.count > task->page->glyphs)
        task->page->glyphs = glyphs.count;
    directions = idv_mrz_glyphs_directions(&glyphs, radians);
    for (int i = 0; i < directions; i++) {
        if (fabs(radians[i]) > M_PI / 180 || i > 0)
            IDV_TRY(
                idv_mrz_bits_glyphs(bits, radians[i], &view, &glyphs, scratch));
        IDV_TRY(read_direction(task, &view, &glyphs, scratch));
    }
    return NULL;
}

static idv_error_t *read_all_tries(const task_t *task, int most,
                                   apr_pool_t *scratch)
{
    const idv_image_t *gray = task->gray;
    int longer = gray->width > gray->height ? gray->width : gray->height;
    idv_mrz_page_t *page = task->page;

    for (int begun = 0;
         page->tries < (int)COUNT(TRIES) && begun < most && page->count == 0;
         page->tries++) {
        const idv_mrz_binarization_t *binarization = &TRIES[page->tries];
        apr_pool_t *pool;
        idv_error_t *error;

        if (binarization->scale > 1
            && longer * binarization->scale > 2 * LARGEST_ENLARGED)
            continue;
        if (page->tries > 0 && is_time_over(task))
            break;
        if (apr_pool_create(&pool, scratch) != APR_SUCCESS)
            return idv_error_internal(scratch, "no memory for a pool");
        begun++;
        error = try_once(task, binarization, pool);
        if (error)
            return error; /* in the pool, which is a child of scratch */
        apr_pool_destroy(pool);
    }
    return NULL;
}

idv_error_t *idv_mrz_read(idv_mrz_reader_t *reader, const idv_image_t *gray,
                          const idv_mrz_effort_t *effort, idv_mrz_page_t *page,
                          apr_pool_t *scratch)
{
    task_t task = {.reader = reader,
                   .begin = idv_processor_time_used(),
                   .milliseconds = effort->milliseconds,
                   .page = page};

    if (page->tries == 0)
        page->outcome = IDV_MRZ_NOT_FOUND;
    if (gray->width < LEAST_SIDE || gray->height < LEAST_SIDE)
        return NULL;
    IDV_TRY(reduce(gray, &task, scratch));
    return read_all_tries(&task, effort->tries, scratch);
}
