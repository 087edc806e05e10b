/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/portrait_decode.h"

#include <string.h>

#include <openjpeg.h>

#include "analyze/image_scale.h"

/* EnumCS of the box of colours (ISO/IEC 15444-1, I.5.3.3). */
enum { COLOURS_SYCC = 18 };

static idv_error_t *refuse(apr_pool_t *pool, const char *why)
{
    return idv_error_param(pool, NULL, "%s", why);
}

static idv_error_t *refuse_size(apr_pool_t *pool)
{
    return idv_error_param(pool, "size", "The image is too large.");
}

/* --- the file around the codestream --- */

/* The codestream, and what its file declares about colours. */
typedef struct {
    idv_bytes_t codestream; /* length 0: not found */
    int has_palette;
    apr_uint32_t colours; /* EnumCS; 0: not declared */
} jpeg2000_t;

static int begins_codestream(idv_bytes_t bytes)
{
    return bytes.length > 4 && memcmp(bytes.data, "\xff\x4f\xff\x51", 4) == 0;
}

static int is_jpeg2000(idv_bytes_t file)
{
    return begins_codestream(file)
        || (file.length > 12
            && memcmp(file.data, "\0\0\0\x0cjP  \r\n\x87\n", 12) == 0);
}

/* The big-endian number of COUNT bytes at AT; 0 if some are missing. */
static apr_uint32_t number_at(idv_bytes_t bytes, apr_size_t at, int count)
{
    apr_uint32_t number = 0;

    if (bytes.length < (apr_size_t)count || at > bytes.length - (apr_size_t)count)
        return 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | bytes.data[at + (apr_size_t)i];
    return number;
}

/* One box (I.4): its type and its content. */
typedef struct {
    char type[5];
    idv_bytes_t content;
} box_t;

/* Takes the first box of REST; zero if there is none. Boxes of more than four
 * gigabytes do not fit into a portrait. */
static int take_box(idv_bytes_t *rest, box_t *box)
{
    apr_uint32_t length = number_at(*rest, 0, 4);

    if (rest->length < 8)
        return 0;
    if (length == 0) /* the last one, up to the end */
        length = (apr_uint32_t)rest->length;
    if (length < 8 || length > rest->length)
        return 0;
    memcpy(box->type, rest->data + 4, 4);
    box->type[4] = '\0';
    box->content = (idv_bytes_t){rest->data + 8, length - 8};
    *rest = (idv_bytes_t){rest->data + length, rest->length - length};
    return 1;
}

/* The header box: the first of several colour boxes counts (I.5.3). */
static void read_header(idv_bytes_t header, jpeg2000_t *file)
{
    int has_colours = 0;
    box_t box;

    while (take_box(&header, &box)) {
        if (strcmp(box.type, "pclr") == 0)
            file->has_palette = 1;
        if (strcmp(box.type, "colr") != 0 || has_colours)
            continue;
        has_colours = 1;
        if (number_at(box.content, 0, 1) == 1)
            file->colours = number_at(box.content, 3, 4);
    }
}

static jpeg2000_t take_apart(idv_bytes_t bytes)
{
    jpeg2000_t file = {.colours = 0};
    box_t box;

    if (begins_codestream(bytes)) {
        file.codestream = bytes;
        return file;
    }
    while (file.codestream.length == 0 && take_box(&bytes, &box)) {
        if (strcmp(box.type, "jp2h") == 0)
            read_header(box.content, &file);
        else if (strcmp(box.type, "jp2c") == 0
                 && begins_codestream(box.content))
            file.codestream = box.content;
    }
    return file;
}

/* --- the header of the codestream --- */

/* Numbers of SIZ, by their places in a codestream. */
enum {
    SIZ_WIDTH = 8,
    SIZ_HEIGHT = 12,
    SIZ_LEFT = 16,
    SIZ_TOP = 20,
    SIZ_TILE_WIDTH = 24,
    SIZ_TILE_HEIGHT = 28,
    SIZ_TILE_LEFT = 32,
    SIZ_TILE_TOP = 36,
    SIZ_COMPONENTS = 40,
    SIZ_FIRST_COMPONENT = 42,
    COMPONENT_SIZE = 3,
    COMPONENTS_MAX = 4,
    SAMPLE_BITS = 8
};

static idv_error_t *check_components(idv_bytes_t stream, apr_pool_t *pool)
{
    apr_uint32_t count = number_at(stream, SIZ_COMPONENTS, 2);

    if (count < 1 || count > COMPONENTS_MAX)
        return refuse(pool, "The JPEG 2000 has unknown components.");
    for (apr_uint32_t i = 0; i < count; i++) {
        apr_size_t at = SIZ_FIRST_COMPONENT + i * COMPONENT_SIZE;
        apr_uint32_t dx = number_at(stream, at + 1, 1);
        apr_uint32_t dy = number_at(stream, at + 2, 1);

        if (number_at(stream, at, 1) != SAMPLE_BITS - 1)
            return refuse(pool, "JPEG 2000 with other than 8 bits per sample "
                                "is not supported.");
        if (dx < 1 || dx > 2 || dy < 1 || dy > 2 || (i == 0 && dx * dy != 1))
            return refuse(pool, "The JPEG 2000 is subsampled too much.");
    }
    return NULL;
}

/* The number of tiles of SIZE that cover the grid from FIRST to END; 0:
 * invalid. */
static apr_uint32_t tiles(apr_uint32_t end, apr_uint32_t first,
                          apr_uint32_t size)
{
    if (size == 0 || first > end)
        return 0;
    return (end - first) / size + ((end - first) % size != 0);
}

static idv_error_t *check_size(idv_bytes_t stream, idv_decoded_image_t *out,
                               apr_pool_t *pool)
{
    apr_uint32_t right = number_at(stream, SIZ_WIDTH, 4);
    apr_uint32_t bottom = number_at(stream, SIZ_HEIGHT, 4);
    apr_uint32_t left = number_at(stream, SIZ_LEFT, 4);
    apr_uint32_t top = number_at(stream, SIZ_TOP, 4);
    apr_uint32_t across = tiles(right, number_at(stream, SIZ_TILE_LEFT, 4),
                                number_at(stream, SIZ_TILE_WIDTH, 4));
    apr_uint32_t down = tiles(bottom, number_at(stream, SIZ_TILE_TOP, 4),
                              number_at(stream, SIZ_TILE_HEIGHT, 4));

    /* Coordinates are also counted from the grid's own corner. */
    if (left >= right || top >= bottom || across == 0 || down == 0)
        return refuse(pool, "The JPEG 2000 header is damaged.");
    if (right > IDV_PORTRAIT_MAX_SIDE || bottom > IDV_PORTRAIT_MAX_SIDE
        || right * bottom > IDV_PORTRAIT_MAX_PIXELS
        || across > IDV_PORTRAIT_MAX_TILES || down > IDV_PORTRAIT_MAX_TILES
        || across * down > IDV_PORTRAIT_MAX_TILES)
        return refuse_size(pool);
    out->width = (int)(right - left);
    out->height = (int)(bottom - top);
    return NULL;
}

/* --- the library --- */

/* The bytes of a codestream, as the library reads them. */
typedef struct {
    idv_bytes_t bytes;
    apr_size_t at;
} source_t;

static OPJ_SIZE_T read_source(void *buffer, OPJ_SIZE_T length, void *data)
{
    source_t *source = data;
    apr_size_t rest = source->bytes.length - source->at;

    if (rest == 0)
        return (OPJ_SIZE_T)-1;
    if (length > rest)
        length = rest;
    memcpy(buffer, source->bytes.data + source->at, length);
    source->at += length;
    return length;
}

static OPJ_BOOL seek_source(OPJ_OFF_T at, void *data)
{
    source_t *source = data;

    if (at < 0 || (apr_uint64_t)at > source->bytes.length)
        return OPJ_FALSE;
    source->at = (apr_size_t)at;
    return OPJ_TRUE;
}

static OPJ_OFF_T skip_source(OPJ_OFF_T count, void *data)
{
    source_t *source = data;
    OPJ_OFF_T rest = (OPJ_OFF_T)(source->bytes.length - source->at);

    if (count < 0 || rest == 0)
        return -1;
    if (count > rest)
        count = rest;
    source->at += (apr_size_t)count;
    return count;
}

/* The library's objects for one picture. */
typedef struct {
    opj_codec_t *codec;
    opj_stream_t *stream;
    opj_image_t *image;
} decoder_t;

static apr_status_t close_decoder(void *data)
{
    decoder_t *decoder = data;

    opj_image_destroy(decoder->image);
    opj_stream_destroy(decoder->stream);
    opj_destroy_codec(decoder->codec);
    return APR_SUCCESS;
}

static idv_error_t *open_decoder(source_t *source, decoder_t **out,
                                 apr_pool_t *pool, apr_pool_t *scratch)
{
    enum { BUFFER = 64 * 1024 };
    decoder_t *decoder = apr_pcalloc(scratch, sizeof(*decoder));
    opj_dparameters_t parameters;

    apr_pool_cleanup_register(scratch, decoder, close_decoder,
                              apr_pool_cleanup_null);
    decoder->codec = opj_create_decompress(OPJ_CODEC_J2K);
    decoder->stream = opj_stream_create(BUFFER, OPJ_TRUE);
    opj_set_default_decoder_parameters(&parameters);
    if (!decoder->codec || !decoder->stream
        || !opj_setup_decoder(decoder->codec, &parameters)
        || !opj_decoder_set_strict_mode(decoder->codec, OPJ_FALSE))
        return idv_error_internal(pool, "no JPEG 2000 decoder");
    opj_stream_set_read_function(decoder->stream, read_source);
    opj_stream_set_seek_function(decoder->stream, seek_source);
    opj_stream_set_skip_function(decoder->stream, skip_source);
    opj_stream_set_user_data(decoder->stream, source, NULL);
    opj_stream_set_user_data_length(decoder->stream, source->bytes.length);
    *out = decoder;
    return NULL;
}

/* --- samples to pixels --- */

static unsigned char clamp(double value)
{
    if (value < 0)
        return 0;
    return value > 255 ? 255 : (unsigned char)(value + 0.5);
}

/* The sample of component NUMBER for the pixel (X, Y), which may share it with
 * its neighbours. */
static int sample_at(const opj_image_t *image, int number, int x, int y)
{
    const opj_image_comp_t *component = &image->comps[number];
    OPJ_UINT32 u = (OPJ_UINT32)x / component->dx;
    OPJ_UINT32 v = (OPJ_UINT32)y / component->dy;

    if (u >= component->w)
        u = component->w - 1;
    if (v >= component->h)
        v = component->h - 1;
    return component->data[(apr_size_t)v * component->w + u];
}

/* ITU-R BT.601 in full range, as used by sYCC (IEC 61966-2-1, annex F). */
static void convert_sycc(const int *sample, unsigned char *pixel)
{
    double y = sample[0], cb = sample[1] - 128, cr = sample[2] - 128;

    pixel[0] = clamp(y + 1.402 * cr);
    pixel[1] = clamp(y - 0.344136 * cb - 0.714136 * cr);
    pixel[2] = clamp(y + 1.772 * cb);
}

/* A gray picture, with or without opacity, becomes RGB of equal parts. */
static void paint(const opj_image_t *image, int is_sycc, idv_image_t *out)
{
    int is_coloured = image->numcomps >= 3;

    for (int y = 0; y < out->height; y++) {
        unsigned char *pixel = idv_image_row(out, y);

        for (int x = 0; x < out->width; x++, pixel += IDV_IMAGE_RGB) {
            int sample[IDV_IMAGE_RGB];

            for (int i = 0; i < IDV_IMAGE_RGB; i++)
                sample[i] = sample_at(image, is_coloured ? i : 0, x, y);
            if (is_sycc && is_coloured)
                convert_sycc(sample, pixel);
            else
                for (int i = 0; i < IDV_IMAGE_RGB; i++)
                    pixel[i] = clamp(sample[i]);
        }
    }
}

/* Non-zero if the library decoded what SIZ declared. */
static int is_whole(const opj_image_t *image, const idv_decoded_image_t *out)
{
    int wanted = image->numcomps >= 3 ? IDV_IMAGE_RGB : 1;

    for (int i = 0; i < wanted; i++)
        if (!image->comps[i].data || image->comps[i].w == 0
            || image->comps[i].h == 0)
            return 0;
    return image->comps[0].w == (OPJ_UINT32)out->width
        && image->comps[0].h == (OPJ_UINT32)out->height;
}

static idv_error_t *decode_jpeg2000(idv_bytes_t file, idv_decoded_image_t *out,
                                    apr_pool_t *pool, apr_pool_t *scratch)
{
    jpeg2000_t parts = take_apart(file);
    source_t source = {parts.codestream, 0};
    decoder_t *decoder;

    if (parts.codestream.length == 0)
        return refuse(pool, "The JPEG 2000 file has no codestream.");
    if (parts.has_palette)
        return refuse(pool, "Palettes of JPEG 2000 are not supported.");
    IDV_TRY(check_size(parts.codestream, out, pool));
    IDV_TRY(check_components(parts.codestream, pool));
    IDV_TRY(open_decoder(&source, &decoder, pool, scratch));
    if (!opj_read_header(decoder->stream, decoder->codec, &decoder->image)
        || !opj_decode(decoder->codec, decoder->stream, decoder->image)
        || !is_whole(decoder->image, out))
        return refuse(pool, "The JPEG 2000 data is damaged.");
    IDV_TRY(idv_image_create(out->width, out->height, IDV_IMAGE_RGB,
                             &out->image, pool));
    paint(decoder->image, parts.colours == COLOURS_SYCC, out->image);
    apr_pool_cleanup_run(scratch, decoder, close_decoder);
    return NULL;
}

/* Reduces the image to SIDE pixels if it is larger by a quarter or more. */
static idv_error_t *fit(idv_decoded_image_t *out, int side, apr_pool_t *pool)
{
    int longest = out->width > out->height ? out->width : out->height;

    if (longest <= side + side / 4)
        return NULL;
    return idv_image_scale(out->image, (double)side / longest, &out->image,
                           pool);
}

idv_error_t *idv_portrait_decode(idv_bytes_t file, int side,
                                 idv_decoded_image_t *out, apr_pool_t *pool,
                                 apr_pool_t *scratch)
{
    if (!is_jpeg2000(file))
        return idv_image_decode(file, side, out, pool, scratch);
    memset(out, 0, sizeof(*out));
    if (file.length > IDV_PORTRAIT_FILE_MAX)
        return refuse_size(pool);
    out->format = "jpeg2000";
    out->orientation = IDV_ORIENTATION_UPRIGHT;
    IDV_TRY(decode_jpeg2000(file, out, pool, scratch));
    return fit(out, side, pool);
}
