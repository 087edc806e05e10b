/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding, orientation, filters and measurements on tiny images that the test
 * makes with the libraries' own encoders.
 */
#include "unit/unit.h"

#include <math.h>
#include <unistd.h>

#include <leptonica/allheaders.h>
#include <png.h>
#include <turbojpeg.h>
#include <webp/encode.h>

#include "analyze/image_decode.h"
#include "analyze/image.h"
#include "analyze/image_quality.h"
#include "analyze/image_reduce.h"
#include "analyze/image_scale.h"

enum { WIDTH = 48, HEIGHT = 32, TIFF_SIZE = 26 };

/* A TIFF header with one entry: the orientation. */
static void make_tiff(unsigned char tiff[TIFF_SIZE], int big_endian, int value)
{
    static const unsigned char little[] = "II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0";
    static const unsigned char big[] = "MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1";

    memset(tiff, 0, TIFF_SIZE);
    memcpy(tiff, big_endian ? big : little, 18);
    tiff[big_endian ? 19 : 18] = (unsigned char)value;
    if (!big_endian)
        tiff[14] = 1;
}

/* The picture: its top left quarter is red, the top right one green, the
 * bottom left one blue, the last one white. */
static unsigned char picture[HEIGHT][WIDTH][3];

static void paint(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int right = x >= WIDTH / 2, low = y >= HEIGHT / 2;

            picture[y][x][0] = right == low ? 255 : 0;
            picture[y][x][1] = right ? 255 : 0;
            picture[y][x][2] = low ? 255 : 0;
        }
}

/* The letter of the colour in the middle of the quarter (I, J). */
static char quarter(const idv_image_t *image, int i, int j)
{
    const unsigned char *p =
        idv_image_row(image, image->height * (1 + 2 * j) / 4) +
        image->width * (1 + 2 * i) / 4 * 3;

    if (p[0] > 180)
        return p[1] > 180 ? 'w' : 'r';
    return p[1] > 180 ? 'g' : 'b';
}

static void assert_quarters(const idv_image_t *image, const char *expected)
{
    char seen[5] = {quarter(image, 0, 0), quarter(image, 1, 0),
                    quarter(image, 0, 1), quarter(image, 1, 1), 0};

    assert_string_equal(seen, expected);
}

static idv_bytes_t make_jpeg(int orientation, apr_pool_t *pool)
{
    unsigned char *jpeg = NULL, *file, tiff[TIFF_SIZE];
    unsigned long length = 0;
    tjhandle handle = tjInitCompress();

    assert_int_equal(tjCompress2(handle, &picture[0][0][0], WIDTH, 0, HEIGHT,
                                 TJPF_RGB, &jpeg, &length, TJSAMP_444, 90, 0),
                     0);
    make_tiff(tiff, orientation % 2, orientation);
    file = apr_palloc(pool, length + 10 + TIFF_SIZE);
    memcpy(file, jpeg, 2);
    memcpy(file + 2, "\xFF\xE1\0\42Exif\0", 10);
    memcpy(file + 12, tiff, TIFF_SIZE);
    memcpy(file + 12 + TIFF_SIZE, jpeg + 2, length - 2);
    tjFree(jpeg);
    tjDestroy(handle);
    return (idv_bytes_t){file, length + 10 + TIFF_SIZE};
}

static void turns_photos_as_the_camera_says(void **state)
{
    static const char *const quarters[] = {"",     "rgbw", "grwb", "wbgr",
                                           "bwrg", "rbgw", "brwg", "wgbr",
                                           "gwrb"};
    apr_pool_t *pool = *state;

    for (int orientation = 1; orientation <= 8; orientation++) {
        idv_decoded_image_t decoded;

        assert_null(idv_image_decode(make_jpeg(orientation, pool), 1000,
                                     &decoded, pool, pool));
        assert_string_equal(decoded.format, "jpeg");
        assert_int_equal(decoded.orientation, orientation);
        assert_int_equal(decoded.width, WIDTH);
        assert_int_equal(decoded.image->width,
                         orientation >= 5 ? HEIGHT : WIDTH);
        assert_quarters(decoded.image, quarters[orientation]);
    }
}

static void decodes_png_and_webp(void **state)
{
    png_image png = {.version = PNG_IMAGE_VERSION, .width = WIDTH,
                     .height = HEIGHT, .format = PNG_FORMAT_RGB};
    unsigned char bytes[8192], *webp;
    png_alloc_size_t size = sizeof(bytes);
    idv_decoded_image_t decoded;
    size_t length;

    assert_true(png_image_write_to_memory(&png, bytes, &size, 0, picture, 0,
                                          NULL));
    assert_null(idv_image_decode((idv_bytes_t){bytes, size}, 1000, &decoded,
                                 *state, *state));
    assert_string_equal(decoded.format, "png");
    assert_quarters(decoded.image, "rgbw");
    length = WebPEncodeLosslessRGB(&picture[0][0][0], WIDTH, HEIGHT, WIDTH * 3,
                                   &webp);
    assert_null(idv_image_decode((idv_bytes_t){webp, length}, 24, &decoded,
                                 *state, *state));
    WebPFree(webp);
    assert_string_equal(decoded.format, "webp");
    assert_int_equal(decoded.image->width, 24);
    assert_int_equal(decoded.image->height, 16);
    assert_quarters(decoded.image, "rgbw");
}

static void finds_orientation_in_png_and_webp(void **state)
{
    unsigned char tiff[TIFF_SIZE], png[8 + 12 + TIFF_SIZE] =
        "\x89PNG\r\n\x1a\n\0\0\0\32eXIf";
    unsigned char webp[12 + 8 + TIFF_SIZE] = "RIFF\56\0\0\0WEBPEXIF\32\0\0";

    (void)state;
    for (int value = 1; value <= 8; value++) {
        make_tiff(tiff, value % 2, value);
        memcpy(png + 16, tiff, TIFF_SIZE);
        memcpy(webp + 20, tiff, TIFF_SIZE);
        assert_int_equal(
            idv_exif_png_orientation((idv_bytes_t){png, sizeof(png)}), value);
        assert_int_equal(
            idv_exif_webp_orientation((idv_bytes_t){webp, sizeof(webp)}),
            value);
    }
}

static void takes_damaged_exif_for_upright(void **state)
{
    unsigned char tiff[TIFF_SIZE];

    (void)state;
    make_tiff(tiff, 1, 6);
    for (apr_size_t length = 0; length < 22; length++)
        assert_int_equal(idv_exif_orientation((idv_bytes_t){tiff, length}), 1);
    assert_int_equal(idv_exif_orientation((idv_bytes_t){tiff, 22}), 6);
    memset(tiff + 4, 0xFF, 4); /* a directory beyond the end */
    assert_int_equal(idv_exif_orientation((idv_bytes_t){tiff, TIFF_SIZE}), 1);
    make_tiff(tiff, 0, 9);
    assert_int_equal(idv_exif_orientation((idv_bytes_t){tiff, TIFF_SIZE}), 1);
}

/* A header of the given size, enough for the decoder to look at. */
static void refuses_bombs_by_their_header(void **state)
{
    unsigned char png[64] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x75\x30\0\0\x75\x30\10\2";
    unsigned char webp[64] = "RIFF\60\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0"
                             "\xff\xff\0\xff\xff";
    idv_bytes_t jpeg = make_jpeg(1, *state);
    unsigned char *frame = memmem(jpeg.data, jpeg.length, "\xFF\xC0", 2);
    idv_decoded_image_t decoded;
    idv_error_t *error;

    memcpy(frame + 5, "\x3A\x98\x3A\x98", 4); /* 15,000 x 15,000 */
    error = idv_image_decode(jpeg, 1000, &decoded, *state, *state);
    assert_non_null(error);
    assert_string_equal(error->param, "size");
    /* Their checksums or data are wrong: they are refused whatever is seen
     * first, and nothing of their size is allocated. */
    error = idv_image_decode((idv_bytes_t){png, sizeof(png)}, 1000, &decoded,
                             *state, *state);
    assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
    error = idv_image_decode((idv_bytes_t){webp, sizeof(webp)}, 1000, &decoded,
                             *state, *state);
    assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
}

static int scans(const char *bytes, size_t length)
{
    return idv_image_jpeg_scans(
        (idv_bytes_t){(const unsigned char *)bytes, length});
}

/* Literals end with a byte of their own. */
#define SCANS(text) scans(text, sizeof(text) - 1)

static void counts_scans_as_a_decoder_does(void **state)
{
    (void)state;
    assert_int_equal(SCANS(""), 0);
    assert_int_equal(SCANS("\xFF\xD8\xFF"), 0);
    assert_int_equal(SCANS("\xFF\xD8\xFF\xDA\0\2data\xFF\xD9"), 1);
    /* A segment may hold what looks like a marker, data may not. */
    assert_int_equal(SCANS("\xFF\xD8\xFF\xE1\0\4\xFF\xDA\xFF\xDA\0\2"), 1);
    assert_int_equal(SCANS("\xFF\xD8\xFF\xDA\0\2\xFF\0\xDA\xFF\xDA\0\2"), 2);
    /* Restarts are in the data, fill bytes before a marker. */
    assert_int_equal(SCANS("\xFF\xDA\0\2\xFF\xD0\1\xFF\xD7\2"), 1);
    assert_int_equal(SCANS("\xFF\xDA\0\2\xFF\xFF\xFF\xDA\0\2"), 2);
    /* Nothing behind the end of the image, nor an end within a segment. */
    assert_int_equal(SCANS("\xFF\xDA\0\2\xFF\xD9\xFF\xDA\0\2"), 1);
    assert_int_equal(SCANS("\xFF\xDA\0\2\xFF\xFE\0\4\xFF\xD9\xFF\xDA\0\2"),
                     2);
    assert_int_equal(SCANS("\xFF\xDA\0\2\xFF\xFE\xFF\xFF\xFF\xDA\0\2"), 1);
}

/* The header says as many pixels as are allowed, and no more than the usual
 * number of scans. */
static void refuses_pixels_gone_over_too_often(void **state)
{
    const int repeats = IDV_IMAGE_MAX_SCANNED_PIXELS / IDV_IMAGE_MAX_PIXELS;
    apr_pool_t *pool = *state;
    idv_bytes_t jpeg = make_jpeg(1, pool);
    unsigned char *frame = memmem(jpeg.data, jpeg.length, "\xFF\xC0", 2);
    unsigned char *scan = memmem(jpeg.data, jpeg.length, "\xFF\xDA", 2);
    size_t before = (size_t)(scan - jpeg.data),
           length = jpeg.length - before - 2;
    unsigned char *file =
        apr_palloc(pool, before + (size_t)(repeats + 1) * length);
    idv_decoded_image_t decoded;
    idv_error_t *error;

    memcpy(frame + 5, "\x1B\x58\x1B\x58", 4); /* 7,000 x 7,000 */
    memcpy(file, jpeg.data, before);
    for (int i = 0; i <= repeats; i++)
        memcpy(file + before + (size_t)i * length, scan, length);
    jpeg.data = file;
    jpeg.length = before + (size_t)(repeats + 1) * length;
    error = idv_image_decode(jpeg, 1000, &decoded, pool, pool);
    assert_non_null(error);
    assert_string_equal(error->param, "size");
    jpeg.length = before + length;
    assert_null(idv_image_decode(jpeg, 1000, &decoded, pool, pool));
}

static void refuses_what_is_no_image(void **state)
{
    const char *const texts[] = {"", "short", "%PDF-1.7 something longer",
                                 "GIF89a and so on and on",
                                 "\xFF\xD8\xFF\xE0 damaged JPEG data"};
    idv_decoded_image_t decoded;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        idv_error_t *error = idv_image_decode(
            (idv_bytes_t){(const unsigned char *)texts[i], strlen(texts[i])},
            1000, &decoded, *state, *state);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        assert_null(error->param);
    }
}

static idv_image_t *checkerboard(int size, int field, int channels,
                                 apr_pool_t *pool)
{
    idv_image_t *image;

    assert_null(idv_image_create(size, size, channels, &image, pool));
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size * channels; x++)
            idv_image_row(image, y)[x] =
                (x / channels / field + y / field) % 2 ? 220 : 30;
    return image;
}

static void keeps_the_mean_when_it_scales(void **state)
{
    idv_image_t *image = checkerboard(64, 1, IDV_IMAGE_GRAY, *state), *small;

    assert_null(idv_image_scale(image, 9 / 64.0, &small, *state));
    assert_int_equal(small->width, 9);
    assert_int_equal(small->height, 9);
    /* But for the last row and column, which have no neighbours. */
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            assert_in_range(idv_image_row(small, y)[x], 110, 140);
}

/* Sizes are met exactly, and colours stay apart. */
static void scales_to_whole_pixels(void **state)
{
    idv_image_t *image, *scaled;

    assert_null(idv_image_create(200, 3, IDV_IMAGE_RGB, &image, *state));
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 200; x++)
            memcpy(idv_image_row(image, y) + 3 * x, "\x10\x80\xF0", 3);
    for (int width = 5; width <= 600; width++) {
        assert_null(idv_image_scale(image, width / 200.0, &scaled, *state));
        assert_int_equal(scaled->width, width);
        assert_int_equal(scaled->height,
                         width < 100 ? 1 : (int)(width * 3 / 200.0 + 0.5));
        for (int x = 0; x < width; x++) {
            const unsigned char *pixel = idv_image_row(scaled, 0) + 3 * x;

            assert_in_range(pixel[0], 0x0F, 0x10);
            assert_in_range(pixel[1], 0x7F, 0x80);
            assert_in_range(pixel[2], 0xEF, 0xF0);
        }
    }
}

/* Behind the walls a line on standard error ends the process. */
static void scales_without_a_word(void **state)
{
    FILE *said = tmpfile();
    int error_stream = dup(STDERR_FILENO);
    idv_image_t *image, *scaled;
    idv_error_t *error;

    assert_non_null(said);
    assert_null(idv_image_create(3000, 2, IDV_IMAGE_GRAY, &image, *state));
    dup2(fileno(said), STDERR_FILENO);
    error = idv_image_scale(image, 0.001, &scaled, *state);
    fflush(stderr);
    dup2(error_stream, STDERR_FILENO);
    close(error_stream);
    assert_null(error);
    fseek(said, 0, SEEK_END);
    assert_int_equal(ftell(said), 0);
    fclose(said);
}

static void straightens_what_it_has_turned(void **state)
{
    idv_image_t *image = checkerboard(80, 20, IDV_IMAGE_GRAY, *state);
    idv_image_t *turned, *back;
    double c = cos(0.5), s = sin(0.5), middle;
    idv_warp_t warp = {.width = 80, .height = 80};

    assert_null(idv_image_rotate(image, 0.5 * 180 / M_PI, &turned, *state));
    middle = turned->width / 2.0;
    for (int i = 0; i < 4; i++) {
        double u = (i == 1 || i == 2) ? 40 : -40, v = i >= 2 ? 40 : -40;

        warp.from.corner[i].x = middle + c * u + s * v;
        warp.from.corner[i].y = turned->height / 2.0 - s * u + c * v;
    }
    assert_null(idv_image_warp(turned, &warp, &back, *state));
    for (int y = 10; y < 80; y += 20)
        for (int x = 10; x < 80; x += 20)
            assert_in_range(idv_image_row(back, y)[x],
                            idv_image_row(image, y)[x] - 8,
                            idv_image_row(image, y)[x] + 8);
    warp.from.corner[2] = warp.from.corner[1] = warp.from.corner[0];
    assert_non_null(idv_image_warp(turned, &warp, &back, *state));
}

static void measures_blur_and_glare(void **state)
{
    idv_image_t *sharp = checkerboard(400, 5, IDV_IMAGE_RGB, *state);
    idv_image_t *soft, *softer;
    idv_image_quality_t clear, blurred, glaring;

    assert_null(idv_image_quality_measure(sharp, &clear, *state));
    assert_null(idv_image_scale(sharp, 0.15, &soft, *state));
    assert_null(idv_image_scale(soft, 400 / 60.0, &softer, *state));
    assert_null(idv_image_quality_measure(softer, &blurred, *state));
    assert_true(clear.sharpness > 2 * blurred.sharpness);
    assert_true(clear.glare == 0);
    for (int y = 100; y < 200; y++)
        memset(idv_image_row(sharp, y) + 300, 255, 300);
    assert_null(idv_image_quality_measure(sharp, &glaring, *state));
    assert_true(glaring.glare > 0.055 && glaring.glare < 0.07);
}

/* The sample C of the pixel (X, Y) of a PIX of gray or RGB. */
static int sample_of(PIX *pix, int x, int y, int c)
{
    const l_uint32 *line =
        pixGetData(pix) + (size_t)y * (size_t)pixGetWpl(pix);

    return pixGetDepth(pix) == 8 ? (int)GET_DATA_BYTE(line, x)
                                 : (int)(line[x] >> (24 - 8 * c) & 255);
}

static void assert_reduced_alike(const idv_image_t *image, float across,
                                 float down, apr_pool_t *pool)
{
    PIX *pix = idv_image_to_pix(image);
    PIX *expected = pixScaleGeneral(pix, across, down, 0, 0);
    idv_image_t *reduced;
    int differ = 0;

    assert_non_null(expected);
    assert_null(idv_image_reduce(image, across, down, &reduced, pool));
    assert_int_equal(reduced->width, pixGetWidth(expected));
    assert_int_equal(reduced->height, pixGetHeight(expected));
    for (int y = 0; y < reduced->height; y++)
        for (int x = 0; x < reduced->width; x++)
            for (int c = 0; c < image->channels; c++)
                differ += idv_image_row(reduced, y)[x * image->channels + c]
                       != sample_of(expected, x, y, c);
    assert_int_equal(differ, 0);
    pixDestroy(&expected);
    pixDestroy(&pix);
}

/* What the limits of quality were measured with. */
static void reduces_as_leptonica_does(void **state)
{
    static const int channels[] = {IDV_IMAGE_GRAY, IDV_IMAGE_RGB};
    unsigned seed = 5;

    for (int turn = 0; turn < 120; turn++) {
        apr_pool_t *pool;
        idv_image_t *image;
        int sides[2];
        float factors[2];

        apr_pool_create(&pool, *state);
        for (int i = 0; i < 2; i++) {
            seed = seed * 1664525u + 1013904223u;
            sides[i] = 3 + (int)(seed >> 8) % 400;
            factors[i] = (float)(0.02 + (seed >> 20) % 679 / 1000.0);
            if (sides[i] * factors[i] < 1)
                factors[i] = 0.69F;
        }
        assert_null(idv_image_create(sides[0], sides[1], channels[turn % 2],
                                     &image, pool));
        for (int i = 0; i < image->stride * image->height; i++) {
            seed = seed * 1664525u + 1013904223u;
            image->pixels[i] = turn % 5 ? (unsigned char)(seed >> 24) : 255;
        }
        if (idv_image_can_reduce(factors[0], factors[1]))
            assert_reduced_alike(image, factors[0], factors[1], pool);
        if (idv_image_can_reduce(factors[0], factors[0])
            && sides[1] * factors[0] >= 1)
            assert_reduced_alike(image, factors[0], factors[0], pool);
        apr_pool_destroy(pool);
    }
    assert_false(idv_image_can_reduce(0.5F, 0.5F));
    assert_false(idv_image_can_reduce(0.71F, 0.3F));
    assert_true(idv_image_can_reduce(0.5F, 0.4F));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(turns_photos_as_the_camera_says),
        pooled_test(decodes_png_and_webp),
        pooled_test(finds_orientation_in_png_and_webp),
        pooled_test(takes_damaged_exif_for_upright),
        pooled_test(refuses_bombs_by_their_header),
        pooled_test(counts_scans_as_a_decoder_does),
        pooled_test(refuses_pixels_gone_over_too_often),
        pooled_test(refuses_what_is_no_image),
        pooled_test(keeps_the_mean_when_it_scales),
        pooled_test(scales_to_whole_pixels),
        pooled_test(scales_without_a_word),
        pooled_test(reduces_as_leptonica_does),
        pooled_test(straightens_what_it_has_turned),
        pooled_test(measures_blur_and_glare),
    };

    paint();
    return unit_run("analyze/image", tests);
}
