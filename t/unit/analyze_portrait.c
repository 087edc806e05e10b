/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portraits in JPEG 2000 that the test makes with the library's own encoder: as
 * codestreams, and as files whose boxes the test writes.
 */
#include "unit/unit.h"

#include <openjpeg.h>

#include "analyze/portrait_decode.h"

enum { WIDTH = 48, HEIGHT = 32, SRGB = 16, GRAY = 17, SYCC = 18 };

/* --- what the test encodes --- */

typedef struct {
    unsigned char *data;
    size_t length, at, room;
} sink_t;

static OPJ_SIZE_T write_sink(void *bytes, OPJ_SIZE_T length, void *data)
{
    sink_t *sink = data;

    assert_true(sink->at + length <= sink->room);
    memcpy(sink->data + sink->at, bytes, length);
    sink->at += length;
    if (sink->length < sink->at)
        sink->length = sink->at;
    return length;
}

static OPJ_OFF_T skip_sink(OPJ_OFF_T count, void *data)
{
    ((sink_t *)data)->at += (size_t)count;
    return count;
}

static OPJ_BOOL seek_sink(OPJ_OFF_T at, void *data)
{
    ((sink_t *)data)->at = (size_t)at;
    return OPJ_TRUE;
}

/* The sample of component NUMBER: the top left quarter is the first colour, the
 * others follow row by row. */
static int sample_of(const unsigned char colours[4][3], int number, int x, int y)
{
    return colours[2 * (y >= HEIGHT / 2) + (x >= WIDTH / 2)][number];
}

static const unsigned char rgbw[4][3] = {
    {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}};

static opj_image_t *make_image(const unsigned char colours[4][3], int components)
{
    opj_image_cmptparm_t parameters[4] = {{0}};
    opj_image_t *image;

    for (int i = 0; i < components; i++) {
        parameters[i].dx = parameters[i].dy = 1;
        parameters[i].w = WIDTH;
        parameters[i].h = HEIGHT;
        parameters[i].prec = 8;
    }
    image = opj_image_create((OPJ_UINT32)components, parameters,
                             components < 3 ? OPJ_CLRSPC_GRAY
                                            : OPJ_CLRSPC_SRGB);
    assert_non_null(image);
    image->x1 = WIDTH;
    image->y1 = HEIGHT;
    for (int i = 0; i < components; i++)
        for (int at = 0; at < WIDTH * HEIGHT; at++)
            image->comps[i].data[at] =
                i > 2 ? 255
                      : sample_of(colours, i, at % WIDTH, at / WIDTH);
    return image;
}

/* The lossless codestream of four colours. */
static idv_bytes_t encode(const unsigned char colours[4][3], int components,
                          apr_pool_t *pool)
{
    opj_image_t *image = make_image(colours, components);
    opj_codec_t *codec = opj_create_compress(OPJ_CODEC_J2K);
    opj_stream_t *stream = opj_stream_create(4096, OPJ_FALSE);
    sink_t sink = {.data = apr_palloc(pool, 65536), .room = 65536};
    opj_cparameters_t parameters;

    opj_set_default_encoder_parameters(&parameters);
    parameters.numresolution = 3;
    parameters.tcp_mct = 0;
    opj_stream_set_write_function(stream, write_sink);
    opj_stream_set_skip_function(stream, skip_sink);
    opj_stream_set_seek_function(stream, seek_sink);
    opj_stream_set_user_data(stream, &sink, NULL);
    assert_true(opj_setup_encoder(codec, &parameters, image)
                && opj_start_compress(codec, image, stream)
                && opj_encode(codec, stream)
                && opj_end_compress(codec, stream));
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return (idv_bytes_t){sink.data, sink.length};
}

/* --- what the test writes around it --- */

static void put_number(unsigned char *to, unsigned long number)
{
    for (int i = 3; i >= 0; i--, number >>= 8)
        to[i] = (unsigned char)number;
}

static idv_bytes_t box(const char *type, idv_bytes_t content, apr_pool_t *pool)
{
    unsigned char *data = apr_palloc(pool, content.length + 8);

    put_number(data, content.length + 8);
    memcpy(data + 4, type, 4);
    memcpy(data + 8, content.data, content.length);
    return (idv_bytes_t){data, content.length + 8};
}

static idv_bytes_t join(idv_bytes_t a, idv_bytes_t b, apr_pool_t *pool)
{
    unsigned char *data = apr_palloc(pool, a.length + b.length);

    memcpy(data, a.data, a.length);
    memcpy(data + a.length, b.data, b.length);
    return (idv_bytes_t){data, a.length + b.length};
}

#define BYTES(literal)                                                         \
    ((idv_bytes_t){(const unsigned char *)(literal), sizeof(literal) - 1})

/* The file of a codestream whose colours are EnumCS COLOURS, with the box EXTRA
 * in its header. */
static idv_bytes_t make_file(idv_bytes_t codestream, int colours,
                             idv_bytes_t extra, apr_pool_t *pool)
{
    unsigned char colr[7] = {1, 0, 0, 0, 0, 0, (unsigned char)colours};
    idv_bytes_t header = join(
        box("ihdr", BYTES("\0\0\0\40\0\0\0\60\0\3\7\7\0\0"), pool),
        box("colr", (idv_bytes_t){colr, sizeof(colr)}, pool), pool);
    idv_bytes_t file =
        join(BYTES("\0\0\0\14jP  \r\n\x87\n\0\0\0\24ftypjp2 \0\0\0\0jp2 "),
             box("jp2h", join(header, extra, pool), pool), pool);

    return join(file, box("jp2c", codestream, pool), pool);
}

/* --- what comes out --- */

static void assert_colours(const idv_image_t *image,
                           const unsigned char colours[4][3], int tolerance)
{
    for (int i = 0; i < 4; i++) {
        int x = image->width * (1 + 2 * (i % 2)) / 4;
        int y = image->height * (1 + 2 * (i / 2)) / 4;
        const unsigned char *pixel = idv_image_row(image, y) + 3 * x;

        for (int k = 0; k < 3; k++)
            assert_in_range(pixel[k] - colours[i][k] + tolerance, 0,
                            2 * tolerance);
    }
}

static void decode(idv_bytes_t file, int side, idv_decoded_image_t *decoded,
                   apr_pool_t *pool)
{
    assert_null(idv_portrait_decode(file, side, decoded, pool, pool));
    assert_string_equal(decoded->format, "jpeg2000");
    assert_int_equal(decoded->width, WIDTH);
    assert_int_equal(decoded->height, HEIGHT);
}

static void decodes_files_and_codestreams(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t codestream = encode(rgbw, 3, pool);
    idv_decoded_image_t decoded;

    decode(codestream, 1000, &decoded, pool);
    assert_int_equal(decoded.image->width, WIDTH);
    assert_colours(decoded.image, rgbw, 1);
    decode(make_file(codestream, SRGB, BYTES(""), pool), 1000, &decoded, pool);
    assert_colours(decoded.image, rgbw, 1);
    decode(codestream, WIDTH / 2, &decoded, pool);
    assert_int_equal(decoded.image->width, WIDTH / 2);
    assert_int_equal(decoded.image->height, HEIGHT / 2);
    /* Opacity is not looked at. */
    decode(encode(rgbw, 4, pool), 1000, &decoded, pool);
    assert_colours(decoded.image, rgbw, 1);
}

static void decodes_gray(void **state)
{
    static const unsigned char samples[4][3] = {{0}, {90}, {180}, {255}};
    static const unsigned char grays[4][3] = {
        {0, 0, 0}, {90, 90, 90}, {180, 180, 180}, {255, 255, 255}};
    apr_pool_t *pool = *state;
    idv_decoded_image_t decoded;

    decode(make_file(encode(samples, 1, pool), GRAY, BYTES(""), pool), 1000,
           &decoded, pool);
    assert_colours(decoded.image, grays, 1);
}

/* The values are those that IEC 61966-2-1, annex F gives for red, green, blue
 * and white. */
static void converts_what_says_that_it_is_sycc(void **state)
{
    static const unsigned char samples[4][3] = {
        {76, 85, 255}, {150, 44, 21}, {29, 255, 107}, {255, 128, 128}};
    apr_pool_t *pool = *state;
    idv_bytes_t codestream = encode(samples, 3, pool);
    idv_decoded_image_t decoded;

    decode(make_file(codestream, SYCC, BYTES(""), pool), 1000, &decoded, pool);
    assert_colours(decoded.image, rgbw, 3);
    decode(codestream, 1000, &decoded, pool);
    assert_colours(decoded.image, samples, 1);
}

static void decodes_what_ends_early_as_far_as_it_goes(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t codestream = encode(rgbw, 3, pool);
    idv_decoded_image_t decoded;

    codestream.length -= codestream.length / 8;
    decode(codestream, 1000, &decoded, pool);
}

static void assert_refused(idv_bytes_t file, const char *param,
                           apr_pool_t *pool)
{
    idv_decoded_image_t decoded;
    idv_error_t *error = idv_portrait_decode(file, 1000, &decoded, pool, pool);

    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
    if (param)
        assert_string_equal(error->param, param);
    else
        assert_null(error->param);
}

/* Numbers of SIZ, by their places. */
static void refuses_what_would_take_much(void **state)
{
    static const struct {
        size_t at;
        unsigned long number;
        const char *param;
    } rows[] = {
        {8, IDV_PORTRAIT_MAX_SIDE + 1, "size"},
        {12, IDV_PORTRAIT_MAX_SIDE + 1, "size"},
        {8, 0xffffffff, "size"},
        {16, WIDTH, NULL}, /* nothing is left of the grid */
        {24, 0, NULL},     /* tiles without width */
        {28, 0, NULL},
        {36, HEIGHT + 1, NULL},
    };
    apr_pool_t *pool = *state;
    idv_bytes_t good = encode(rgbw, 3, pool);

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        unsigned char *bytes = apr_pmemdup(pool, good.data, good.length);

        put_number(bytes + rows[i].at, rows[i].number);
        assert_refused((idv_bytes_t){bytes, good.length}, rows[i].param, pool);
    }
}

static void refuses_many_pixels_and_many_tiles(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t good = encode(rgbw, 3, pool);
    unsigned char *bytes = apr_pmemdup(pool, good.data, good.length);

    put_number(bytes + 8, 4000);
    put_number(bytes + 12, 1501);
    put_number(bytes + 24, 4000);
    put_number(bytes + 28, 4000);
    assert_refused((idv_bytes_t){bytes, good.length}, "size", pool);
    bytes = apr_pmemdup(pool, good.data, good.length);
    put_number(bytes + 24, 4); /* 12 by 8 */
    put_number(bytes + 28, 4);
    assert_refused((idv_bytes_t){bytes, good.length}, "size", pool);
}

static void refuses_components_that_are_unknown(void **state)
{
    static const struct {
        size_t at;
        unsigned char value;
    } rows[] = {
        {41, 0},    {41, 5},          /* how many there are */
        {42, 0x87}, {42, 11}, {45, 15}, /* signed, twelve bits, sixteen */
        {43, 2},    {46, 3}, {47, 0}, /* the steps between samples */
    };
    apr_pool_t *pool = *state;
    idv_bytes_t good = encode(rgbw, 3, pool);

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        unsigned char *bytes = apr_pmemdup(pool, good.data, good.length);

        bytes[rows[i].at] = rows[i].value;
        assert_refused((idv_bytes_t){bytes, good.length}, NULL, pool);
    }
}

static void refuses_files_without_a_picture(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t good = encode(rgbw, 3, pool);
    idv_bytes_t palette = box("pclr", BYTES("\0\1\3\7\7\7\1\2\3"), pool);
    unsigned char *large = apr_pcalloc(pool, IDV_PORTRAIT_FILE_MAX + 1);

    assert_refused(make_file(good, SRGB, palette, pool), NULL, pool);
    assert_refused(make_file(BYTES("nothing"), SRGB, BYTES(""), pool), NULL,
                   pool);
    assert_refused(make_file((idv_bytes_t){good.data, 60}, SRGB, BYTES(""),
                             pool),
                   NULL, pool);
    assert_refused(BYTES("\0\0\0\14jP  \r\n\x87\n\0\0\0\1ftypjp2 "), NULL, pool);
    memcpy(large, good.data, good.length);
    assert_refused((idv_bytes_t){large, IDV_PORTRAIT_FILE_MAX + 1}, "size", pool);
}

static void takes_no_photo_for_a_portrait(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t good = encode(rgbw, 3, pool);
    idv_decoded_image_t decoded;

    assert_non_null(idv_image_decode(good, 1000, &decoded, pool, pool));
    assert_refused(BYTES("GIF89a and so on and on"), NULL, pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(decodes_files_and_codestreams),
        pooled_test(decodes_gray),
        pooled_test(converts_what_says_that_it_is_sycc),
        pooled_test(decodes_what_ends_early_as_far_as_it_goes),
        pooled_test(refuses_what_would_take_much),
        pooled_test(refuses_many_pixels_and_many_tiles),
        pooled_test(refuses_components_that_are_unknown),
        pooled_test(refuses_files_without_a_picture),
        pooled_test(takes_no_photo_for_a_portrait),
    };

    return unit_run("analyze_portrait", tests);
}
