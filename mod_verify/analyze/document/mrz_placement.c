/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/mrz_placement.h"

#include <math.h>
#include <string.h>

#include "methods/document/mrz_licence.h"

enum {
    BEYOND = 4, /* columns examined beyond each end of the zone */
    MAX_CELLS = IDV_MRZ_MAX_COLUMNS + 4 * BEYOND,
    GLANCE_STEP = 3 /* a first look samples every third column */
};
#define LEAST_GLANCE 0.3
#define LEAST_CONFIDENCE 0.55
/* The largest evidence of one cell for or against a glyph. */
#define MOST_EVIDENCE 4.0f
/* The cost of a row that does not start where the others do: half of a cell's
 * largest evidence, since strong perspective shifts a row by one column. */
#define SHIFT_COST 2.0

/* The classifier's results for the columns first to first + count - 1. */
typedef struct {
    int first, count;
    float evidence[IDV_MRZ_ZONE_ROWS][MAX_CELLS];  /* for being a glyph */
    float certainty[IDV_MRZ_ZONE_ROWS][MAX_CELLS]; /* of the best glyph */
    char glyph[IDV_MRZ_ZONE_ROWS][MAX_CELLS];
} survey_t;

static void classify_at(const idv_mrz_network_t *network,
                        const idv_mrz_view_t *view,
                        const idv_mrz_place_t *place,
                        float logs[IDV_MRZ_CLASSES])
{
    float cell[IDV_MRZ_CELL_SIZE];

    idv_mrz_view_cell(view, place, cell);
    idv_mrz_network_classify(network, cell, logs);
}

static int best_glyph(const float logs[IDV_MRZ_CLASSES])
{
    int best = 0;

    for (int k = 1; k < IDV_MRZ_GLYPHS; k++)
        best = logs[k] > logs[best] ? k : best;
    return best;
}

/* The mean certainty of some cells. It distinguishes upright text from
 * upside-down text and from anything else without reading all cells. */
static double glance(const idv_mrz_network_t *network,
                     const idv_mrz_view_t *view, const idv_mrz_zone_t *zone)
{
    double sum = 0;
    int count = 0;

    for (int row = 0; row < zone->row_count; row++)
        for (int i = row; i < zone->columns; i += GLANCE_STEP) {
            idv_mrz_place_t place = idv_mrz_row_place(&zone->rows[row], i);
            float logs[IDV_MRZ_CLASSES];

            classify_at(network, view, &place, logs);
            sum += exp(logs[best_glyph(logs)]);
            count++;
        }
    return count ? sum / count : 0;
}

static void take_survey(const idv_mrz_network_t *network,
                        const idv_mrz_placement_t *placement, survey_t *survey)
{
    const idv_mrz_zone_t *zone = &placement->zone;

    survey->first = -BEYOND;
    survey->count = zone->columns + 2 * BEYOND;
    if (survey->count > MAX_CELLS)
        survey->count = MAX_CELLS;
    for (int row = 0; row < zone->row_count; row++)
        for (int i = 0; i < survey->count; i++) {
            idv_mrz_place_t place =
                idv_mrz_row_place(&zone->rows[row], survey->first + i);
            float logs[IDV_MRZ_CLASSES], evidence;
            int best;

            classify_at(network, &placement->view, &place, logs);
            best = best_glyph(logs);
            evidence = logs[best] - logs[IDV_MRZ_REJECT];
            survey->evidence[row][i] =
                fmaxf(-MOST_EVIDENCE, fminf(MOST_EVIDENCE, evidence));
            survey->certainty[row][i] = expf(logs[best]);
            survey->glyph[row][i] = IDV_MRZ_ALPHABET[best];
        }
}

/* The evidence for COLUMNS glyphs from START in a row of the survey, and for
 * none before and after. */
static double row_score(const survey_t *survey, int row, int start, int columns)
{
    double score = 0;

    for (int i = 0; i < survey->count; i++)
        score += i >= start && i < start + columns ? survey->evidence[row][i]
                                                   : -survey->evidence[row][i];
    return score;
}

/* The start of the row near START. */
static int row_start(const survey_t *survey, int row, int start, int columns,
                     double *score)
{
    int best = start;

    *score = row_score(survey, row, start, columns);
    for (int other = start - 1; other <= start + 1; other += 2) {
        double rival;

        if (other < 0 || other + columns > survey->count)
            continue;
        rival = row_score(survey, row, other, columns) - SHIFT_COST;
        if (rival > *score) {
            *score = rival;
            best = other;
        }
    }
    return best;
}

/* Places rows of COLUMNS columns on the survey from about START. */
static void try_columns(const survey_t *survey, int rows, int start,
                        int columns, idv_mrz_placement_t *best)
{
    double score = 0, certainty = 0;
    int starts[IDV_MRZ_ZONE_ROWS] = {0};
    const idv_mrz_layout_t *layout;

    for (int row = 0; row < rows; row++) {
        double one;

        starts[row] = row_start(survey, row, start, columns, &one);
        score += one;
        for (int i = 0; i < columns; i++)
            certainty += survey->certainty[row][starts[row] + i];
    }
    /* The survey has read every cell at which a row can start.
     * NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    layout = idv_mrz_layout_find(rows, columns, survey->glyph[0][starts[0]]);
    if (!layout || (best->layout && score <= best->score))
        return;
    best->layout = layout;
    best->score = score;
    best->confidence = certainty / (rows * columns);
    for (int row = 0; row < rows; row++)
        best->first[row] = survey->first + starts[row];
}

/* The longest run of columns that are more likely not glyphs. */
static int widest_gap(const survey_t *survey,
                      const idv_mrz_placement_t *placement)
{
    int columns = idv_mrz_layout_columns(placement->layout), widest = 0;

    for (int row = 0; row < placement->zone.row_count; row++) {
        int start = placement->first[row] - survey->first, run = 0;

        for (int i = start; i < start + columns; i++) {
            run = survey->evidence[row][i] < 0 ? run + 1 : 0;
            widest = run > widest ? run : widest;
        }
    }
    return widest;
}

/* Non-zero if the zone is that of a driving licence, which is not read. */
static int is_licence(const survey_t *survey, int rows)
{
    for (int start = 0; start < survey->count; start++) {
        double certainty = 1;

        if (!idv_mrz_licence_is(rows, &survey->glyph[0][start],
                                survey->count - start))
            continue;
        for (int i = 0; i < IDV_MRZ_LICENCE_BEGINNING; i++)
            certainty = fmin(certainty, survey->certainty[0][start + i]);
        if (certainty >= LEAST_CONFIDENCE)
            return 1;
    }
    return 0;
}

/* Places all layouts with this number of rows on the survey. */
static void try_layouts(const survey_t *survey, int rows,
                        idv_mrz_placement_t *best)
{
    static const int columns[][IDV_MRZ_ZONE_ROWS] = {
        [2] = {44, 36}, [IDV_MRZ_ZONE_ROWS] = {30}};

    for (int k = 0; columns[rows][k]; k++)
        for (int start = 0; start + columns[rows][k] <= survey->count; start++)
            try_columns(survey, rows, start, columns[rows][k], best);
}

int idv_mrz_placement_find(const idv_mrz_network_t *network,
                           const idv_mrz_view_t *view,
                           const idv_mrz_zone_t *zone, idv_mrz_placement_t *out)
{
    idv_mrz_placement_t flipped = {.view = *view, .zone = *zone};
    double upright, reverse;
    survey_t survey;

    memset(out, 0, sizeof(*out));
    if (zone->columns + 2 * BEYOND > MAX_CELLS)
        return 0;
    out->view = *view;
    out->zone = *zone;
    idv_mrz_view_flip(&flipped.view);
    idv_mrz_zone_flip(&flipped.zone);
    upright = glance(network, view, zone);
    reverse = glance(network, &flipped.view, &flipped.zone);
    out->likeness = flipped.likeness = fmax(upright, reverse);
    if (out->likeness < LEAST_GLANCE)
        return 0;
    if (reverse > upright)
        *out = flipped;
    take_survey(network, out, &survey);
    try_layouts(&survey, zone->row_count, out);
    out->is_foreign = is_licence(&survey, zone->row_count);
    if (out->is_foreign || !out->layout || out->confidence < LEAST_CONFIDENCE)
        return 0;
    out->gap = widest_gap(&survey, out);
    return 1;
}

idv_quad_t idv_mrz_placement_area(const idv_mrz_placement_t *placement)
{
    int last = placement->zone.row_count - 1;
    int columns = idv_mrz_layout_columns(placement->layout);
    const struct {
        int row;
        double column; /* of the layout */
        double down;   /* glyph heights from the line */
    } corners[] = {{0, -0.5, -0.8},
                   {0, columns - 0.5, -0.8},
                   {last, columns - 0.5, 0.8},
                   {last, -0.5, 0.8}};
    const double *map = placement->view.map;
    idv_quad_t area;

    for (int i = 0; i < 4; i++) {
        int row = corners[i].row;
        idv_mrz_place_t place =
            idv_mrz_row_place(&placement->zone.rows[row],
                              placement->first[row] + corners[i].column);
        double v = place.v + corners[i].down * place.height;

        area.corner[i] =
            (idv_point_t){map[0] * place.u + map[1] * v + map[2],
                          map[3] * place.u + map[4] * v + map[5]};
    }
    return area;
}

void idv_mrz_placement_classify(
    const idv_mrz_network_t *network, const idv_mrz_placement_t *placement,
    float logs[IDV_MRZ_MAX_ROWS][IDV_MRZ_MAX_COLUMNS][IDV_MRZ_CLASSES])
{
    /* in pitches */
    static const double shifts[][2] = {
        {0, 0}, {0.06, 0}, {-0.06, 0}, {0, 0.06}, {0, -0.06}};
    const int looks = sizeof shifts / sizeof *shifts;
    int columns = idv_mrz_layout_columns(placement->layout);

    for (int row = 0; row < placement->zone.row_count; row++)
        for (int i = 0; i < columns; i++) {
            float *mean = logs[row][i];

            memset(mean, 0, sizeof logs[row][i]);
            for (int look = 0; look < looks; look++) {
                idv_mrz_place_t place = idv_mrz_row_place(
                    &placement->zone.rows[row], placement->first[row] + i);
                float one[IDV_MRZ_CLASSES];

                place.u += shifts[look][0] * place.pitch;
                place.v += shifts[look][1] * place.pitch;
                classify_at(network, &placement->view, &place, one);
                for (int k = 0; k < IDV_MRZ_CLASSES; k++)
                    mean[k] += expf(one[k]) / looks;
            }
            for (int k = 0; k < IDV_MRZ_CLASSES; k++)
                mean[k] = logf(mean[k] + 1e-12f);
        }
}
