/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the MRZ reader that need no models. */
#include "unit.h"

#include <apr_file_io.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "analyze/document/mrz_agreement.h"
#include "analyze/document/mrz_reader.h"
#include "analyze/document/mrz_zone.h"

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* ---- views ---- */

static idv_image_t *image_of(int width, int height, apr_pool_t *pool)
{
    idv_image_t *image;

    assert_null(idv_image_create(width, height, IDV_IMAGE_GRAY, &image, pool));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            idv_image_row(image, y)[x] = (unsigned char)(x + 10 * y);
    return image;
}

static void a_turned_view_holds_the_whole_image(void **state)
{
    idv_image_t *image = image_of(20, 10, *state);
    idv_mrz_view_t view;
    int size[2];

    idv_mrz_view_turned(image, 0, 1, size, &view);
    assert_int_equal(size[0], 20);
    assert_int_equal(size[1], 10);
    assert_true(fabs(idv_mrz_view_sample(&view, 7.5, 3.5, 1) - 37) < 1e-9);

    /* A quarter turn counter-clockwise: the right edge comes on top. */
    idv_mrz_view_turned(image, -M_PI / 2, 1, size, &view);
    assert_int_equal(size[0], 10);
    assert_int_equal(size[1], 20);
    assert_true(fabs(idv_mrz_view_sample(&view, 9.5, 0.5, 0.9) - 0) < 1e-6);
    assert_true(fabs(idv_mrz_view_sample(&view, 0.5, 19.5, 0.9) - 109) < 1e-6);
}

static void samples_beyond_the_edges_are_the_edges(void **state)
{
    idv_image_t *image = image_of(20, 10, *state);
    idv_mrz_view_t view;
    int size[2];
    static const double steps[] = {0.2, 0.9, 5};

    idv_mrz_view_turned(image, 0, 1, size, &view);
    for (int i = 0; i < COUNT(steps); i++) {
        assert_true(idv_mrz_view_sample(&view, -1e30, -50, steps[i]) < 1e-9);
        assert_true(fabs(idv_mrz_view_sample(&view, 1e30, 1e9, steps[i]) -
                         109) < 1e-9);
        assert_true(idv_mrz_view_sample(&view, NAN, INFINITY, steps[i]) >= 0);
    }
}

/* ---- zones ---- */

enum { COLUMNS = 44, PITCH = 20, GAP = 50 };

/* Boxes of ROWS rows of glyphs, in perspective: a line falls by SLOPE, pitches
 * grow to the right. */
static void add_rows(idv_mrz_glyphs_t *glyphs, int rows, double slope)
{
    for (int i = 0; i < COLUMNS; i++)
        for (int row = 0; row < rows; row++) {
            double u = 100 + PITCH * i * (1 + 0.002 * i);
            double v = 400 + row * GAP + slope * u;

            glyphs->at[glyphs->count++] =
                (idv_mrz_glyph_t){(float)u, (float)v, 12, 18};
        }
}

static void a_zone_is_found_with_its_columns(void **state)
{
    idv_mrz_glyph_t at[200];
    idv_mrz_glyphs_t glyphs = {at, 0};
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];

    add_rows(&glyphs, 2, 0.06);
    assert_int_equal(idv_mrz_zones_find(&glyphs, zones, *state), 1);
    assert_int_equal(zones[0].row_count, 2);
    assert_int_equal(zones[0].columns, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        idv_mrz_place_t place = idv_mrz_row_place(&zones[0].rows[1], i);

        assert_true(fabs(place.u - glyphs.at[2 * i + 1].u) < 0.5);
        assert_true(fabs(place.v - glyphs.at[2 * i + 1].v) < 0.5);
        assert_true(fabs(place.slope - 0.06) < 0.01);
    }
}

static void missing_glyphs_leave_the_columns_in_place(void **state)
{
    idv_mrz_glyph_t at[200];
    idv_mrz_glyphs_t glyphs = {at, 0};
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];
    idv_mrz_place_t place;
    float last;

    add_rows(&glyphs, 2, 0);
    last = at[2 * COLUMNS - 1].u;
    for (int i = 5; i < glyphs.count; i += 9)
        at[i].height = at[i].width = 1;
    assert_true(idv_mrz_zones_find(&glyphs, zones, *state) >= 1);
    place = idv_mrz_row_place(&zones[0].rows[1], COLUMNS - 1);
    assert_true(fabs(place.u - last) < 0.5);
}

static void three_rows_are_one_zone(void **state)
{
    idv_mrz_glyph_t at[200];
    idv_mrz_glyphs_t glyphs = {at, 0};
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];

    add_rows(&glyphs, 3, -0.05);
    assert_true(idv_mrz_zones_find(&glyphs, zones, *state) >= 1);
    assert_int_equal(zones[0].row_count, 3);
}

static void a_flipped_zone_is_the_same_from_the_other_side(void **state)
{
    idv_mrz_glyph_t at[200];
    idv_mrz_glyphs_t glyphs = {at, 0};
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES], flipped;

    add_rows(&glyphs, 3, 0.04);
    assert_true(idv_mrz_zones_find(&glyphs, zones, *state) >= 1);
    flipped = zones[0];
    idv_mrz_zone_flip(&flipped);
    for (int i = 0; i < zones[0].columns; i++) {
        idv_mrz_place_t a = idv_mrz_row_place(&zones[0].rows[0], i);
        idv_mrz_place_t b =
            idv_mrz_row_place(&flipped.rows[2], zones[0].columns - 1 - i);

        assert_true(fabs(a.u + b.u) < 1e-6 && fabs(a.v + b.v) < 1e-6);
        assert_true(fabs(a.pitch - b.pitch) < 1e-6);
        assert_true(fabs(a.slope - b.slope) < 1e-6);
    }
}

static void scattered_boxes_are_no_zone(void **state)
{
    idv_mrz_glyphs_t glyphs;
    idv_mrz_zone_t zones[IDV_MRZ_MAX_ZONES];
    unsigned seed = 1;

    glyphs.count = IDV_MRZ_MAX_GLYPHS;
    glyphs.at = apr_palloc(*state, sizeof(*glyphs.at) * IDV_MRZ_MAX_GLYPHS);
    for (int i = 0; i < glyphs.count; i++) {
        seed = seed * 1103515245 + 12345;
        glyphs.at[i] = (idv_mrz_glyph_t){(float)i / 3, (float)(seed >> 16 & 2047),
                                         8, (float)(6 + (seed >> 28))};
    }
    /* More rows than are looked at, and zones that nobody drew: bounded. */
    assert_in_range(idv_mrz_zones_find(&glyphs, zones, *state), 0,
                    IDV_MRZ_MAX_ZONES);
    glyphs.count = 0;
    assert_int_equal(idv_mrz_zones_find(&glyphs, zones, *state), 0);
}

static void directions_follow_the_text(void **state)
{
    static const double degrees[] = {-40, -17, 0, 3, 25, 80, 115};
    idv_mrz_glyph_t at[60];
    idv_mrz_glyphs_t glyphs = {at, COUNT(at)};
    double radians[2];

    (void)state;
    for (int k = 0; k < COUNT(degrees); k++) {
        double angle = degrees[k] * M_PI / 180;

        for (int i = 0; i < COUNT(at); i++) {
            int from_left = cos(angle) >= 0 ? i : COUNT(at) - 1 - i;

            at[i] = (idv_mrz_glyph_t){(float)(1000 + 18 * from_left * cos(angle)),
                                      (float)(1000 + 18 * from_left * sin(angle)),
                                      12, 15};
        }
        assert_true(idv_mrz_glyphs_directions(&glyphs, radians) >= 1);
        assert_true(fabs(radians[0] - angle) < 1.0 * M_PI / 180);
    }
}

/* ---- agreement ---- */

static const char *const PASSPORT[] = {
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "L898902C36UTO7408122F1204159ZE184226B<<<<<10"};

/* Both readers saw LINES. */
static void see(const char *const lines[], int count,
                idv_mrz_readings_t *readings)
{
    int length = (int)strlen(lines[0]);

    memset(readings, 0, sizeof(*readings));
    readings->layout = idv_mrz_layout_find(count, length, lines[0][0]);
    assert_non_null(readings->layout);
    for (int row = 0; row < count; row++) {
        strcpy(readings->lines[row], lines[row]);
        for (int i = 0; i < length; i++)
            for (int k = 0; k < IDV_MRZ_CLASSES; k++)
                readings->logs[row][i][k] =
                    k < IDV_MRZ_GLYPHS && IDV_MRZ_ALPHABET[k] == lines[row][i]
                        ? -0.05f
                        : -8;
    }
}

/* The classifier saw C instead. */
static void classifier_sees(idv_mrz_readings_t *readings, int row, int column,
                            char c)
{
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        readings->logs[row][column][k] =
            k < IDV_MRZ_GLYPHS && IDV_MRZ_ALPHABET[k] == c ? -0.05f : -8;
}

static void same_readings_agree(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_string_equal(text.rows[0], PASSPORT[0]);
    assert_string_equal(text.rows[1], PASSPORT[1]);
    assert_int_equal(text.repair_count, 0);
}

static void a_wrong_check_digit_is_never_a_read(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[1][15] = '3';
    classifier_sees(&readings, 1, 15, '3');
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_CHECKS_WRONG);
}

static void types_of_fields_settle_what_looks_alike(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[1][22] = 'Z'; /* 2 of a date */
    readings.lines[0][4] = '0';  /* O of UTO */
    classifier_sees(&readings, 1, 19, 'Z');
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_string_equal(text.rows[0], PASSPORT[0]);
    assert_string_equal(text.rows[1], PASSPORT[1]);
}

static void check_digits_choose_between_readers(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[1][0] = 'I';           /* the OCR is wrong here */
    classifier_sees(&readings, 1, 2, 'B'); /* the classifier there, both alone */
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_string_equal(text.rows[1], PASSPORT[1]);
    assert_int_equal(text.repair_count, 2);
    assert_int_equal(text.repairs[0].column, 0);
    assert_int_equal(text.repairs[0].read, 'I');
    assert_int_equal(text.repairs[0].repaired, 'L');
    assert_int_equal(text.repairs[1].read, 'B');
}

static void too_many_differences_are_no_read(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[1][0] = 'I';
    readings.lines[1][4] = 'O';
    readings.lines[1][7] = 'G';
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
}

static void names_must_be_the_same(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    for (int column = 5; column < 25; column++) {
        see(PASSPORT, 2, &readings);
        classifier_sees(&readings, 0, column, 'H');
        assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
        see(PASSPORT, 2, &readings);
        readings.lines[0][column] = 'W';
        assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
    }
}

static void a_second_pass_counts_in_place_of_the_classifier(void **state)
{
    char again[IDV_MRZ_MAX_ROWS][IDV_MRZ_LINE_SIZE] = {{0}};
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    for (int row = 0; row < 2; row++)
        strcpy(again[row], PASSPORT[row]);
    readings.again = again;
    classifier_sees(&readings, 0, 8, 'H');
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    again[0][8] = 'H';
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
    again[0][8] = '\0';
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
}

static void fillers_behind_the_names_may_look_like_letters(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[0][40] = 'K';
    classifier_sees(&readings, 0, 42, 'C');
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_string_equal(text.rows[0], PASSPORT[0]);

    /* Not so right behind a name, where it may be its last letter. */
    see(PASSPORT, 2, &readings);
    readings.lines[0][25] = 'K';
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
    /* Nor when both saw a letter. */
    see(PASSPORT, 2, &readings);
    readings.lines[0][40] = 'K';
    classifier_sees(&readings, 0, 40, 'K');
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_int_equal(text.rows[0][40], 'K');
}

static void miscounted_fillers_are_counted_again(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    readings.lines[0][41] = '\0';
    strcat(readings.lines[1], "");
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    see(PASSPORT, 2, &readings);
    strcat(readings.lines[0], "<<");
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_AGREE);
    assert_string_equal(text.rows[0], PASSPORT[0]);

    /* A missing letter shifts all that follows. */
    see(PASSPORT, 2, &readings);
    memmove(readings.lines[0] + 6, readings.lines[0] + 7, 40);
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
    readings.lines[0][0] = '\0';
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
}

static void a_doubtful_classifier_has_no_say(void **state)
{
    idv_mrz_readings_t readings;
    idv_mrz_text_t text;

    (void)state;
    see(PASSPORT, 2, &readings);
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        readings.logs[1][3][k] = k == IDV_MRZ_REJECT ? -0.01f : -6;
    assert_int_equal(idv_mrz_agree(&readings, &text), IDV_MRZ_DIFFER);
}

/* ---- files ---- */

static void a_network_survives_its_file(void **state)
{
    idv_mrz_network_t *network = idv_mrz_network_create(*state), *again;
    const char *directory;
    char path[200];
    float cell[IDV_MRZ_CELL_SIZE], a[IDV_MRZ_CLASSES], b[IDV_MRZ_CLASSES];
    float *weights;

    assert_int_equal(apr_temp_dir_get(&directory, *state), APR_SUCCESS);
    snprintf(path, sizeof path, "%s/analyze_mrz.%ld", directory, (long)getpid());
    for (int i = 0; i < IDV_MRZ_LAYERS; i++) {
        weights = (float *)network->layers[i].weights;
        for (int k = 0; k < 8 * network->layers[i].lanes; k++)
            weights[k] = (float)(k % 7 - 3) / 10;
        ((float *)network->layers[i].biases)[i] = 0.3f;
    }
    for (int k = 0; k < IDV_MRZ_CELL_SIZE; k++)
        cell[k] = (float)(k % 5) / 5;
    assert_null(idv_mrz_network_save(network, path, *state));
    assert_null(idv_mrz_network_load(path, &again, *state));
    idv_mrz_network_classify(network, cell, a);
    idv_mrz_network_classify(again, cell, b);
    /* A weight is off by half a step at most, and a saved network not again. */
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        assert_float_equal(a[k], b[k], 0.02);
    assert_null(idv_mrz_network_save(again, path, *state));
    assert_null(idv_mrz_network_load(path, &again, *state));
    idv_mrz_network_classify(again, cell, a);
    for (int k = 0; k < IDV_MRZ_CLASSES; k++)
        assert_float_equal(a[k], b[k], 1e-5);
    assert_int_equal(truncate(path, 5000), 0);
    assert_non_null(idv_mrz_network_load(path, &again, *state));
    assert_int_equal(unlink(path), 0);
    assert_non_null(idv_mrz_network_load(path, &again, *state));
}

/* What is not counted is not claimed: no reading is certain, and one of little raw
 * confidence is worth less, not nothing. */
static void a_confidence_is_a_counted_probability(void **state)
{
    double surest = idv_mrz_probability(1), least = idv_mrz_probability(0);

    (void)state;
    assert_true(surest > 0.99 && surest < 1);
    assert_true(least > 0.5 && least < surest);
    assert_true(idv_mrz_probability(0.9) == surest);
    assert_true(idv_mrz_probability(0.89) == least);
    assert_true(idv_mrz_probability(NAN) == least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_turned_view_holds_the_whole_image),
        pooled_test(samples_beyond_the_edges_are_the_edges),
        pooled_test(a_zone_is_found_with_its_columns),
        pooled_test(missing_glyphs_leave_the_columns_in_place),
        pooled_test(three_rows_are_one_zone),
        pooled_test(a_flipped_zone_is_the_same_from_the_other_side),
        pooled_test(scattered_boxes_are_no_zone),
        pooled_test(directions_follow_the_text),
        pooled_test(same_readings_agree),
        pooled_test(a_wrong_check_digit_is_never_a_read),
        pooled_test(types_of_fields_settle_what_looks_alike),
        pooled_test(check_digits_choose_between_readers),
        pooled_test(too_many_differences_are_no_read),
        pooled_test(names_must_be_the_same),
        pooled_test(a_second_pass_counts_in_place_of_the_classifier),
        pooled_test(fillers_behind_the_names_may_look_like_letters),
        pooled_test(miscounted_fillers_are_counted_again),
        pooled_test(a_doubtful_classifier_has_no_say),
        cmocka_unit_test(a_confidence_is_a_counted_probability),
        pooled_test(a_network_survives_its_file),
    };

    return unit_run("analyze mrz", tests);
}
