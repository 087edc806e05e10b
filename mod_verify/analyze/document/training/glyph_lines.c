/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/training/glyph_lines.h"

#include <apr_strings.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <string.h>
#include <turbojpeg.h>

enum {
    GLYPHS_A_LINE = IDV_CELLS_A_LINE - 2, /* a blank cell at each end */
    MARGIN = 2,                           /* glyphs */
    FONTS = 2,
    MAX_PITCH = 36,
    MAX_SIDE = (GLYPHS_A_LINE + 2 * MARGIN) * MAX_PITCH * 4
};
#define LINE_HEIGHT 4.5 /* pitches */
#define MAX_FINE ((apr_size_t)MAX_SIDE * (MAX_PITCH * 4 * 5))

/* Things that the classifier must not mistake for a glyph of the zone. */
static const char FOREIGN[] = "abdefghmnqrty#@&+=*?!%()[]{}-.,:";
/* Glyphs that turned upside down still look like one. */
static const char REVERSIBLE[] = "0OHINSXZ8695MW";

/* A picture of floats. */
typedef struct {
    int width, height;
    float *at;
} plane_t;

struct idv_glyph_lines_t {
    apr_uint64_t random;
    FT_Library library;
    FT_Face faces[FONTS];
    plane_t print;          /* ink, 0 to 1, several samples per pixel */
    plane_t photo, scratch; /* brightness */
    idv_image_t image;
    tjhandle compressor, decompressor;
    apr_pool_t *pool;
    /* The line being made. */
    double pitch;  /* pixels of the photo */
    double middle; /* of capital letters, pixels from the top of the photo */
    int finer;     /* samples of the print per pixel */
    char text[GLYPHS_A_LINE];
};

static apr_uint64_t random_bits(idv_glyph_lines_t *lines)
{
    apr_uint64_t z = lines->random += APR_UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * APR_UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * APR_UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double idv_glyph_lines_random(idv_glyph_lines_t *lines, double low, double high)
{
    return low + (high - low) * (double)(random_bits(lines) >> 11) * 0x1p-53;
}

#define uniform(low, high) idv_glyph_lines_random(lines, low, high)
#define chance(probability) (uniform(0, 1) < (probability))

/* Sum of uniforms: near enough to a normal distribution, and cheap. */
static float random_normal(idv_glyph_lines_t *lines)
{
    apr_uint64_t bits = random_bits(lines);
    double sum = (double)(bits & 0xffff) + (double)(bits >> 16 & 0xffff)
               + (double)(bits >> 32 & 0xffff) + (double)(bits >> 48);

    return (float)((sum / 65536 - 2) * 1.7320508);
}

static apr_status_t close_all(void *data)
{
    idv_glyph_lines_t *lines = data;

    FT_Done_FreeType(lines->library);
    tjDestroy(lines->compressor);
    tjDestroy(lines->decompressor);
    return APR_SUCCESS;
}

idv_error_t *idv_glyph_lines_create(const char *font_directory,
                                    apr_uint64_t seed, idv_glyph_lines_t **out,
                                    apr_pool_t *pool)
{
    static const char *const names[FONTS] = {"OCRB.otf", "OCRBS.otf"};
    idv_glyph_lines_t *lines = apr_pcalloc(pool, sizeof(*lines));

    lines->pool = pool;
    lines->random = seed;
    if (FT_Init_FreeType(&lines->library))
        return idv_error_internal(pool, "FreeType does not start");
    lines->compressor = tjInitCompress();
    lines->decompressor = tjInitDecompress();
    apr_pool_cleanup_register(pool, lines, close_all, apr_pool_cleanup_null);
    for (int i = 0; i < FONTS; i++) {
        const char *path =
            apr_pstrcat(pool, font_directory, "/", names[i], NULL);

        if (FT_New_Face(lines->library, path, 0, &lines->faces[i]))
            return idv_error_internal(
                pool, "%s: cannot open (Debian package fonts-ocr-b)", path);
    }
    lines->print.at = apr_palloc(pool, MAX_FINE * sizeof(float));
    lines->photo.at = apr_palloc(pool, MAX_FINE * sizeof(float));
    lines->scratch.at = apr_palloc(pool, MAX_FINE * sizeof(float));
    lines->image.pixels = apr_palloc(pool, MAX_FINE);
    lines->image.channels = IDV_IMAGE_GRAY;
    *out = lines;
    return NULL;
}

/* ---- print ---- */

static void print_glyph(idv_glyph_lines_t *lines, FT_Face face, char c,
                        double left, double baseline)
{
    plane_t *print = &lines->print;
    FT_Bitmap *bitmap;
    int x0, y0;

    if (FT_Load_Char(face, (FT_ULong)c, FT_LOAD_RENDER | FT_LOAD_NO_HINTING))
        return;
    bitmap = &face->glyph->bitmap;
    x0 = (int)lround(left) + face->glyph->bitmap_left;
    y0 = (int)lround(baseline) - face->glyph->bitmap_top;
    for (int y = 0; y < (int)bitmap->rows; y++)
        for (int x = 0; x < (int)bitmap->width; x++)
            if (x0 + x >= 0 && x0 + x < print->width && y0 + y >= 0
                && y0 + y < print->height)
                print->at[(y0 + y) * print->width + x0 + x] =
                    bitmap->buffer[y * bitmap->pitch + x] / 255.0f;
}

/* Spreads (SIGN 1) or thins (SIGN -1) the ink by REACH samples. */
static void spread_ink(idv_glyph_lines_t *lines, int reach, float sign)
{
    plane_t *print = &lines->print;
    int size = print->width * print->height;

    for (int step = 1; step <= print->width;
         step += print->width - 1) { /* across, then down */
        memcpy(lines->scratch.at, print->at, (apr_size_t)size * sizeof(float));
        for (int i = reach * step; i < size - reach * step; i++)
            for (int k = -reach; k <= reach; k++) {
                float other = lines->scratch.at[i + k * step];

                if (sign * other > sign * print->at[i])
                    print->at[i] = other;
            }
    }
}

/* Removes ink in small spots. */
static void wear_off(idv_glyph_lines_t *lines)
{
    plane_t *print = &lines->print;
    double pitch = lines->pitch * lines->finer;
    int spots = (int)(GLYPHS_A_LINE * uniform(1, 9));
    float left = (float)uniform(0, 0.6);

    for (int i = 0; i < spots; i++) {
        int radius = (int)(pitch * uniform(0.02, 0.09)) + 1;
        int cx = (int)uniform(radius, print->width - radius - 1);
        int cy =
            (int)(lines->middle * lines->finer + uniform(-0.8, 0.8) * pitch);

        for (int y = -radius; y <= radius; y++)
            for (int x = -radius; x <= radius; x++)
                if (x * x + y * y <= radius * radius && cy + y >= 0
                    && cy + y < print->height)
                    print->at[(cy + y) * print->width + cx + x] *= left;
    }
}

static void print_line(idv_glyph_lines_t *lines)
{
    plane_t *print = &lines->print;
    FT_Face face = lines->faces[random_bits(lines) % FONTS];
    double pitch = lines->pitch * lines->finer, baseline;

    print->width = (int)(pitch * (GLYPHS_A_LINE + 2 * MARGIN));
    print->height = (int)(pitch * LINE_HEIGHT);
    memset(print->at, 0,
           sizeof(float) * (apr_size_t)print->width
               * (apr_size_t)print->height);
    /* The font's advance is the pitch; sizes are 26.6 fixed point. */
    FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE);
    FT_Set_Char_Size(face, 0,
                     (FT_F26Dot6)(64 * pitch * face->units_per_EM
                                  / (double)face->glyph->advance.x
                                  * uniform(0.94, 1.04)),
                     72, 72);
    FT_Load_Char(face, 'H', FT_LOAD_NO_HINTING);
    baseline = pitch * LINE_HEIGHT / 2 + face->glyph->metrics.height / 128.0;
    lines->middle = LINE_HEIGHT / 2 * lines->pitch;
    for (int i = 0; i < GLYPHS_A_LINE; i++)
        print_glyph(lines, face, lines->text[i], pitch * (MARGIN + i),
                    baseline);
    if (chance(0.3))
        spread_ink(lines, (int)(pitch * uniform(0.01, 0.05)) + 1, 1);
    else if (chance(0.25))
        spread_ink(lines, (int)(pitch * uniform(0.005, 0.022)) + 1, -1);
    if (chance(0.3))
        wear_off(lines);
}

/* ---- photograph ---- */

static void blur_along(const float *in, float *out, int count, int step,
                       const float *kernel, int reach)
{
    for (int i = 0; i < count; i++) {
        float sum = 0;

        for (int k = -reach; k <= reach; k++) {
            int j = i + k < 0 ? 0 : i + k >= count ? count - 1 : i + k;

            sum += kernel[k + reach] * in[j * step];
        }
        out[i * step] = sum;
    }
}

/* Gaussian blur; with RATIO below 1, it blurs less vertically than
 * horizontally. */
static void blur(idv_glyph_lines_t *lines, double sigma, double ratio)
{
    plane_t *photo = &lines->photo;
    float kernel[2 * 24 + 1] = {0};

    for (int pass = 0; pass < 2; pass++) {
        double s = pass ? sigma * ratio : sigma;
        int reach = s * 3 > 24 ? 24 : (int)ceil(s * 3);
        float sum = 0;

        if (s < 0.15)
            continue;
        for (int k = -reach; k <= reach; k++)
            sum += kernel[k + reach] = (float)exp(-k * k / (2 * s * s));
        for (int k = 0; k <= 2 * reach; k++)
            kernel[k] /= sum;
        memcpy(lines->scratch.at, photo->at,
               sizeof(float) * (apr_size_t)(photo->width * photo->height));
        for (int i = 0; i < (pass ? photo->width : photo->height); i++)
            blur_along(lines->scratch.at + (pass ? i : i * photo->width),
                       photo->at + (pass ? i : i * photo->width),
                       pass ? photo->height : photo->width,
                       pass ? photo->width : 1, kernel, reach);
    }
}

/* Patterned, unevenly lit paper with the print on it, at photo resolution. */
static void expose(idv_glyph_lines_t *lines)
{
    plane_t *print = &lines->print, *photo = &lines->photo;
    int n = lines->finer;
    double paper = uniform(110, 250), ink = uniform(0, paper - 45);
    double light = uniform(-0.15, 0.15);
    float depth[2], across[2], down[2], phase[2];

    if (ink > 120)
        ink = 120;
    for (int k = 0; k < 2; k++) {
        double turn = uniform(0, 6.3);
        double wave = lines->pitch * uniform(0.08, 1.2);

        depth[k] = (float)(chance(0.6) ? uniform(0, 16) : 0);
        across[k] = (float)(cos(turn) / wave);
        down[k] = (float)(sin(turn) / wave);
        phase[k] = (float)uniform(0, 6.3);
    }
    photo->width = print->width / n;
    photo->height = print->height / n;
    for (int y = 0; y < photo->height; y++)
        for (int x = 0; x < photo->width; x++) {
            float covered = 0;
            double ground = paper * (1 + light * (2.0 * x / photo->width - 1));

            for (int k = 0; k < n * n; k++)
                covered +=
                    print->at[(y * n + k / n) * print->width + x * n + k % n];
            covered /= (float)(n * n);
            for (int k = 0; k < 2; k++)
                if (depth[k] > 0)
                    ground += depth[k]
                            * sinf((float)x * across[k] + (float)y * down[k]
                                   + phase[k]);
            photo->at[y * photo->width + x] =
                (float)(ground * (1 - covered) + ink * covered);
        }
}

static void sharpen(idv_glyph_lines_t *lines)
{
    plane_t *photo = &lines->photo;
    apr_size_t size = (apr_size_t)photo->width * (apr_size_t)photo->height;
    float amount = (float)uniform(0.4, 1.8);
    float *sharp = lines->print.at; /* no longer needed for this line */

    memcpy(sharp, photo->at, size * sizeof(float));
    blur(lines, uniform(0.6, 1.6), 1);
    for (apr_size_t i = 0; i < size; i++)
        photo->at[i] = sharp[i] + amount * (sharp[i] - photo->at[i]);
}

static idv_error_t *compress(idv_glyph_lines_t *lines)
{
    idv_image_t *image = &lines->image;
    unsigned char *jpeg = NULL;
    unsigned long size = 0;
    int failed =
        tjCompress2(lines->compressor, image->pixels, image->width,
                    image->stride, image->height, TJPF_GRAY, &jpeg, &size,
                    TJSAMP_GRAY, (int)uniform(22, 95), TJFLAG_ACCURATEDCT)
        || tjDecompress2(lines->decompressor, jpeg, size, image->pixels,
                         image->width, image->stride, image->height, TJPF_GRAY,
                         TJFLAG_ACCURATEDCT);

    tjFree(jpeg);
    return failed ? idv_error_internal(lines->pool, "JPEG: %s", tjGetErrorStr())
                  : NULL;
}

static idv_error_t *photograph(idv_glyph_lines_t *lines)
{
    plane_t *photo = &lines->photo;
    idv_image_t *image = &lines->image;
    int size;
    float noise = (float)(chance(0.25) ? 0 : uniform(0, 20));
    float threshold = chance(0.12) ? (float)uniform(0.35, 0.62) : 0, mean = 0;

    expose(lines);
    blur(lines, uniform(0.1, fmax(0.5, 0.085 * lines->pitch)),
         chance(0.2) ? uniform(0.1, 1) : 1);
    if (chance(0.2))
        sharpen(lines);
    size = photo->width * photo->height;
    image->width = image->stride = photo->width;
    image->height = photo->height;
    for (int i = 0; i < size; i++)
        mean = photo->at[i] > mean ? photo->at[i] : mean;
    for (int i = 0; i < size; i++) {
        float value = photo->at[i] + noise * random_normal(lines);

        if (threshold > 0)
            value = value > threshold * mean ? 255 : 0;
        image->pixels[i] = (unsigned char)(value < 0     ? 0
                                           : value > 255 ? 255
                                                         : value);
    }
    return chance(0.6) ? compress(lines) : NULL;
}

/* ---- cells ---- */

static void flip(float cell[IDV_MRZ_CELL_SIZE])
{
    for (int k = 0; k < IDV_MRZ_CELL_SIZE / 2; k++) {
        float keep = cell[k];

        cell[k] = cell[IDV_MRZ_CELL_SIZE - 1 - k];
        cell[IDV_MRZ_CELL_SIZE - 1 - k] = keep;
    }
}

/* Cuts out the glyph INDEX (-1 and GLYPHS_A_LINE: blank paper) as inexactly as
 * for a row found on a photograph. */
static void cut_cell(idv_glyph_lines_t *lines, int index, double slope,
                     idv_labelled_cell_t *out)
{
    double pitch = lines->pitch * uniform(0.95, 1.05),
           skew = uniform(-0.06, 0.06);
    double u = (index + MARGIN + 0.5) * lines->pitch, v = lines->middle;
    idv_mrz_place_t place = {0, 0, pitch, pitch * uniform(0.86, 1.16),
                             slope + uniform(-0.04, 0.04)};
    idv_mrz_view_t view = {&lines->image, {1, skew, 0, 0, 1, 0}};
    int blank = index < 0 || index == GLYPHS_A_LINE;
    const char *known =
        blank ? NULL : strchr(IDV_MRZ_ALPHABET, lines->text[index]);
    double fate = uniform(0, 1);

    out->label = known ? (int)(known - IDV_MRZ_ALPHABET) : IDV_MRZ_REJECT;
    u += uniform(-0.11, 0.11) * lines->pitch;
    v += uniform(-0.11, 0.11) * lines->pitch;
    if (fate < 0.05) {
        u += (chance(0.5) ? 0.5 : -0.5) * uniform(0.8, 1.2) * lines->pitch;
        out->label = IDV_MRZ_REJECT;
    } else if (fate < 0.08) {
        v += (chance(0.5) ? 0.7 : -0.7) * uniform(0.9, 1.6) * lines->pitch;
        out->label = IDV_MRZ_REJECT;
    }
    view.map[2] = u;
    view.map[5] = v;
    idv_mrz_view_cell(&view, &place, out->cell);
    if (known && out->label != IDV_MRZ_REJECT
        && !strchr(REVERSIBLE, lines->text[index]) && chance(0.12)) {
        flip(out->cell);
        out->label = IDV_MRZ_REJECT;
    }
}

idv_error_t *idv_glyph_lines_next(idv_glyph_lines_t *lines,
                                  idv_labelled_cell_t cells[IDV_CELLS_A_LINE])
{
    double slope = uniform(-0.03, 0.03);

    /* Small glyphs matter most, so their pitches are as frequent as large
     * ones. */
    lines->pitch = 5.5 * pow(MAX_PITCH / 6.0, uniform(0, 1));
    lines->finer = lines->pitch < 14 ? 4 : 2;
    for (int i = 0; i < GLYPHS_A_LINE; i++)
        lines->text[i] =
            chance(0.04)
                ? FOREIGN[random_bits(lines) % (sizeof FOREIGN - 1)]
                : IDV_MRZ_ALPHABET[random_bits(lines) % IDV_MRZ_GLYPHS];
    print_line(lines);
    IDV_TRY(photograph(lines));
    for (int i = 0; i < IDV_CELLS_A_LINE; i++)
        cut_cell(lines, i - 1, slope, &cells[i]);
    return NULL;
}
