/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of a raster and of a paste, on pictures that the test makes: noise, lines
 * and lattices of known frequency, compressed once or twice. What is found on
 * photos is t/analyze/recaptures.t's.
 */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include <turbojpeg.h>

#include "analyze/document/paste_trace.h"
#include "analyze/document/picture_traces.h"
#include "analyze/document/raster_trace.h"
#include "analyze/fourier.h"

enum { WIDTH = 1200, HEIGHT = 900 };

#define LIMIT 0.5

static unsigned seed;

/* -1 to 1, the same in each run. */
static double chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

/* Waves that cross a picture: cycles a pixel, 0 for none. */
typedef struct {
    double x, y;
} wave_t;

/* Noise, with waves in the part up to RIGHT and BOTTOM. */
static idv_image_t *paint(const wave_t *waves, int count, int right, int bottom,
                          apr_pool_t *pool)
{
    idv_image_t *image;

    seed = 7;
    assert_null(idv_image_create(WIDTH, HEIGHT, IDV_IMAGE_GRAY, &image, pool));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double light = 150 + 30 * sin(x / 90.0) + 9 * chance();

            for (int i = 0; i < count && x < right && y < bottom; i++)
                light += 4 * cos(2 * M_PI * (waves[i].x * x + waves[i].y * y));
            idv_image_row(image, y)[x] = (unsigned char)lround(light);
        }
    return image;
}

static idv_quad_t box(double left, double top, double right, double bottom)
{
    return (idv_quad_t){
        {{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

static idv_raster_trace_t trace_of(const idv_image_t *image, idv_quad_t quad,
                                   apr_pool_t *pool)
{
    idv_raster_trace_t trace;

    idv_raster_trace_find(image, &quad, &trace, pool);
    assert_true(isfinite(trace.prominence) && trace.prominence >= 0);
    return trace;
}

static void transforms_a_wave_to_its_frequency(void **state)
{
    enum { SIDE = IDV_FOURIER_SIDE, U = 5, V = 11 };
    idv_fourier_t *fourier = apr_palloc(*state, sizeof(*fourier));
    float *real = apr_palloc(*state, sizeof(*real) * SIDE * SIDE);
    float *imaginary = apr_pcalloc(*state, sizeof(*imaginary) * SIDE * SIDE);

    idv_fourier_prepare(fourier);
    for (int i = 0; i < SIDE * SIDE; i++)
        real[i] = (float)cos(2 * M_PI * (U * (i % SIDE) + V * (i / SIDE)) / SIDE);
    idv_fourier_transform(fourier, real, imaginary);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int is_there = i == V * SIDE + U || i == (SIDE - V) * SIDE + SIDE - U;

        assert_true(fabs(hypot(real[i], imaginary[i])
                         - (is_there ? SIDE * SIDE / 2 : 0))
                    < 0.1);
    }
}

/* A raster stands out at every turn; lines, and waves that are not as fine as each
 * other or not at right angles, do not. */
static void sees_a_raster_and_no_lines(void **state)
{
    static const struct {
        int count;
        wave_t waves[2];
        int is_raster;
    } rows[] = {
        {0, {{0, 0}, {0, 0}}, 0},
        {1, {{0.31, 0.02}, {0, 0}}, 0},
        {2, {{0.31, 0.02}, {-0.02, 0.31}}, 1},
        {2, {{0.22, 0.18}, {-0.18, 0.22}}, 1},
        {2, {{0.17, -0.09}, {0.09, 0.17}}, 1},
        {2, {{0.3, 0.02}, {-0.02, 0.31}}, 1}, /* seen aslant */
        {2, {{0.31, 0.02}, {-0.02, 0.2}}, 0},
        {2, {{0.31, 0.02}, {0.2, 0.24}}, 0},
        {2, {{0.08, 0.02}, {-0.02, 0.08}}, 0}, /* print, not pixels */
        {2, {{0.25, 0.125}, {-0.125, 0.25}}, 0}, /* compression */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const idv_image_t *image =
            paint(rows[i].waves, rows[i].count, WIDTH, HEIGHT, *state);
        idv_raster_trace_t trace =
            trace_of(image, box(100, 100, 1100, 800), *state);

        assert_true(trace.is_known);
        assert_int_equal(trace.prominence > 3.5, rows[i].is_raster);
    }
}

static void tells_nothing_of_what_is_too_small(void **state)
{
    static const int sizes[][2] = {{1, 1},     {127, 128}, {128, 128},
                                   {131, 257}, {33, 900},  {640, 3}};
    const idv_image_t *image = paint(NULL, 0, 0, 0, *state);
    idv_image_t *other;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        int width = sizes[i][0], height = sizes[i][1];

        assert_null(idv_image_create(width, height, IDV_IMAGE_GRAY, &other,
                                     *state));
        assert_false(
            trace_of(other, box(0, 0, width, height), *state).is_known);
    }
    assert_null(idv_image_create(WIDTH, HEIGHT, IDV_IMAGE_GRAY, &other, *state));
    assert_false(trace_of(other, box(0, 0, WIDTH, HEIGHT), *state).is_known);
    assert_false(trace_of(image, box(NAN, NAN, NAN, NAN), *state).is_known);
    assert_false(
        trace_of(image, box(-1e300, 0, 1e300, INFINITY), *state).is_known);
    assert_false(trace_of(image, box(5000, 5000, 6000, 6000), *state).is_known);
}

/* --- files --- */

static idv_bytes_t compress(const idv_image_t *gray, int quality,
                            apr_pool_t *pool)
{
    tjhandle handle = tjInitCompress();
    unsigned char *data = NULL;
    unsigned long length = 0;
    idv_bytes_t file;

    assert_non_null(handle);
    assert_int_equal(tjCompress2(handle, gray->pixels, gray->width,
                                 gray->stride, gray->height, TJPF_GRAY, &data,
                                 &length, TJSAMP_GRAY, quality,
                                 TJFLAG_ACCURATEDCT),
                     0);
    file = (idv_bytes_t){apr_pmemdup(pool, data, length), length};
    tjFree(data);
    tjDestroy(handle);
    return file;
}

static idv_image_t *plane_of(idv_bytes_t file, apr_pool_t *pool)
{
    idv_jpeg_plane_t plane;

    assert_null(idv_jpeg_plane_read(file, &plane, pool));
    assert_non_null(plane.gray);
    return plane.gray;
}

static idv_paste_trace_t paste_in(idv_bytes_t file, apr_pool_t *pool)
{
    idv_jpeg_plane_t plane;
    idv_paste_trace_t trace;

    assert_null(idv_jpeg_plane_read(file, &plane, pool));
    idv_paste_trace_find(&plane, &trace, pool);
    assert_true(isfinite(trace.evidence) && trace.evidence >= 0);
    return trace;
}

static void sees_what_was_pasted(void **state)
{
    const idv_image_t *once = paint(NULL, 0, 0, 0, *state);
    idv_image_t *twice = plane_of(compress(once, 70, *state), *state);
    idv_paste_trace_t trace;

    assert_false(paste_in(compress(once, 70, *state), *state).is_known);
    assert_false(paste_in(compress(twice, 70, *state), *state).is_known);
    trace = paste_in(compress(twice, 93, *state), *state);
    assert_true(trace.is_known && trace.evidence < 1000);
    for (int y = 300; y < 500; y++)
        memcpy(idv_image_row(twice, y) + 203, idv_image_row(once, y) + 611, 180);
    trace = paste_in(compress(twice, 93, *state), *state);
    assert_true(trace.is_known && trace.evidence > 1000);
    /* More coarsely than before: nothing is left. */
    trace = paste_in(compress(twice, 50, *state), *state);
    assert_true(!trace.is_known || trace.evidence < 1000);
}

static void reads_steps_of_any_file(void **state)
{
    const idv_image_t *image = paint(NULL, 0, 0, 0, *state);
    idv_bytes_t file = compress(image, 50, *state);
    int steps[IDV_JPEG_BLOCK * IDV_JPEG_BLOCK];

    /* ITU-T T.81, table K.1: what quality 50 means. */
    idv_jpeg_plane_steps(file, steps);
    assert_int_equal(steps[0], 16);
    assert_int_equal(steps[1], 11);
    assert_int_equal(steps[IDV_JPEG_BLOCK], 12);
    assert_int_equal(steps[63], 99);
    for (apr_size_t length = 0; length < 700; length++)
        idv_jpeg_plane_steps(
            (idv_bytes_t){apr_pmemdup(*state, file.data, length + 1), length},
            steps);
}

static idv_picture_traces_t traces_of(idv_bytes_t file, int orientation,
                                      const idv_image_t *upright,
                                      const idv_quad_t *zone, apr_pool_t *pool)
{
    const idv_decoded_image_t decoded = {.orientation = orientation};
    const idv_traced_picture_t picture = {file, &decoded, upright, zone};
    idv_picture_traces_t traces;

    assert_null(idv_picture_traces_find(&picture, &traces, pool));
    return traces;
}

/* Where the point (X, Y) of the file, 0 to 1, is on the upright photo (CIPA DC-008,
 * 4.6.4, tag 0x0112). */
static idv_point_t upright_point(double x, double y, int orientation)
{
    const idv_point_t points[] = {{0, 0},         {x, y},         {1 - x, y},
                                  {1 - x, 1 - y}, {x, 1 - y},     {y, x},
                                  {1 - y, x},     {1 - y, 1 - x}, {y, 1 - x}};

    return points[orientation];
}

/* The raster is in one quarter of the file only, above a zone that is there on the
 * upright photo. */
static void looks_where_the_document_is(void **state)
{
    static const wave_t waves[] = {{0.31, 0.02}, {-0.02, 0.31}};
    idv_bytes_t file = compress(
        paint(waves, 2, WIDTH * 6 / 10, HEIGHT * 6 / 10, *state), 92, *state);

    for (int orientation = 1; orientation <= 8; orientation++) {
        int is_turned = orientation > 4;
        int width = is_turned ? HEIGHT / 2 : WIDTH / 2;
        int height = is_turned ? WIDTH / 2 : HEIGHT / 2;
        idv_point_t middle = upright_point(0.29, 0.29, orientation);
        double x = middle.x * width, y = middle.y * height;
        double half = is_turned ? 100 : 130;
        idv_quad_t zone = box(x - half, y + 0.3 * half, x + half, y + half / 2);
        idv_quad_t away = box(width - x - half, height - y + 0.3 * half,
                              width - x + half, height - y + half / 2);
        idv_image_t *upright;

        assert_null(idv_image_create(width, height, IDV_IMAGE_GRAY, &upright,
                                     *state));
        assert_true(traces_of(file, orientation, upright, &zone, *state).raster
                    >= LIMIT);
        assert_true(traces_of(file, orientation, upright, &away, *state).raster
                    < LIMIT);
    }
}

static void knows_nothing_of_other_files(void **state)
{
    static const unsigned char text[] = "GIF89a, and no picture at all";
    idv_image_t *blank;
    idv_picture_traces_t traces;

    assert_null(idv_image_create(640, 480, IDV_IMAGE_GRAY, &blank, *state));
    traces = traces_of((idv_bytes_t){text, sizeof(text)},
                       IDV_ORIENTATION_UPRIGHT, blank, NULL, *state);
    assert_true(traces.raster == -1 && traces.paste == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(transforms_a_wave_to_its_frequency),
        pooled_test(sees_a_raster_and_no_lines),
        pooled_test(tells_nothing_of_what_is_too_small),
        pooled_test(sees_what_was_pasted),
        pooled_test(reads_steps_of_any_file),
        pooled_test(looks_where_the_document_is),
        pooled_test(knows_nothing_of_other_files),
    };

    return unit_run("analyze/picture_traces", tests);
}
