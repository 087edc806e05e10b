/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image_decode.h"

#include <string.h>

#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include "analyze/image_scale.h"


typedef struct {
    const char *name;
    int (*matches)(idv_bytes_t file);
    /* Fills width, height and image. The image is in SCRATCH, and not yet
     * oriented. */
    idv_error_t *(*decode)(idv_bytes_t file, int side, idv_decoded_image_t *out,
                           apr_pool_t *pool, apr_pool_t *scratch);
    int (*orientation)(idv_bytes_t file);
} image_format_t;

static idv_error_t *refuse(apr_pool_t *pool, const char *why)
{
    return idv_error_param(pool, NULL, "%s", why);
}

static idv_error_t *refuse_size(apr_pool_t *pool)
{
    return idv_error_param(pool, "size", "The image is too large.");
}

static idv_error_t *check_size(int width, int height, apr_pool_t *pool)
{
    if (width < 1 || height < 1)
        return refuse(pool, "The image has no pixels.");
    if (width > IDV_IMAGE_MAX_SIDE || height > IDV_IMAGE_MAX_SIDE
        || (apr_int64_t)width * height > IDV_IMAGE_MAX_PIXELS)
        return refuse_size(pool);
    return NULL;
}

static int longer(int a, int b)
{
    return a > b ? a : b;
}

/* --- orientation --- */

enum {
    TAG_ORIENTATION = 0x0112,
    TYPE_SHORT = 3,
    DIRECTORY_ENTRY_SIZE = 12,
    TIFF_HEADER_SIZE = 8
};

static apr_uint32_t read16(const unsigned char *p, int big_endian)
{
    return big_endian ? (apr_uint32_t)(p[0] << 8 | p[1])
                      : (apr_uint32_t)(p[1] << 8 | p[0]);
}

static apr_uint32_t read32(const unsigned char *p, int big_endian)
{
    return big_endian ? read16(p, 1) << 16 | read16(p + 2, 1)
                      : read16(p + 2, 0) << 16 | read16(p, 0);
}

static idv_bytes_t part(idv_bytes_t of, apr_size_t offset, apr_size_t length)
{
    return (idv_bytes_t){of.data + offset, length};
}

/* -1 if ENTRY is another tag. */
static int orientation_of_entry(const unsigned char *entry, int big_endian)
{
    apr_uint32_t value;

    if (read16(entry, big_endian) != TAG_ORIENTATION)
        return -1;
    value = read16(entry + 8, big_endian);
    if (read16(entry + 2, big_endian) != TYPE_SHORT
        || value < IDV_ORIENTATION_UPRIGHT
        || value > IDV_ORIENTATION_RIGHT_TURN)
        return IDV_ORIENTATION_UPRIGHT;
    return (int)value;
}

int idv_exif_orientation(idv_bytes_t tiff)
{
    int big_endian;
    apr_size_t position;
    apr_uint32_t entries;

    if (tiff.length < TIFF_HEADER_SIZE)
        return IDV_ORIENTATION_UPRIGHT;
    if (memcmp(tiff.data, "MM\0*", 4) == 0)
        big_endian = 1;
    else if (memcmp(tiff.data, "II*\0", 4) == 0)
        big_endian = 0;
    else
        return IDV_ORIENTATION_UPRIGHT;
    position = read32(tiff.data + 4, big_endian);
    if (position > tiff.length || tiff.length - position < 2)
        return IDV_ORIENTATION_UPRIGHT;
    entries = read16(tiff.data + position, big_endian);
    position += 2;
    for (apr_uint32_t i = 0; i < entries; i++) {
        int orientation;

        if (tiff.length - position < DIRECTORY_ENTRY_SIZE)
            break;
        orientation = orientation_of_entry(tiff.data + position, big_endian);
        if (orientation > 0)
            return orientation;
        position += DIRECTORY_ENTRY_SIZE;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

static int jpeg_orientation(idv_bytes_t file)
{
    enum { APP1 = 0xE1, START_OF_SCAN = 0xDA, END_OF_IMAGE = 0xD9 };
    apr_size_t position = 2;

    while (position + 4 <= file.length && file.data[position] == 0xFF) {
        int marker = file.data[position + 1];
        apr_size_t length;

        if (marker == 0xFF) { /* fill byte */
            position++;
            continue;
        }
        if (marker == START_OF_SCAN || marker == END_OF_IMAGE)
            break;
        length = read16(file.data + position + 2, 1);
        if (length < 2 || length > file.length - position - 2)
            break;
        if (marker == APP1 && length >= 8
            && memcmp(file.data + position + 4, "Exif\0\0", 6) == 0)
            return idv_exif_orientation(part(file, position + 10, length - 8));
        position += 2 + length;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

int idv_exif_png_orientation(idv_bytes_t file)
{
    apr_size_t position = 8;

    while (position < file.length && file.length - position >= 12) {
        const unsigned char *chunk = file.data + position;
        apr_size_t length = read32(chunk, 1);

        if (length > file.length - position - 12)
            break;
        if (memcmp(chunk + 4, "eXIf", 4) == 0)
            return idv_exif_orientation(part(file, position + 8, length));
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            break;
        position += 12 + length;
    }
    return IDV_ORIENTATION_UPRIGHT;
}

int idv_exif_webp_orientation(idv_bytes_t file)
{
    apr_size_t position = 12;

    while (position < file.length && file.length - position >= 8) {
        const unsigned char *chunk = file.data + position;
        apr_size_t length = read32(chunk + 4, 0);
        int prefix;

        if (length > file.length - position - 8)
            break;
        if (memcmp(chunk, "EXIF", 4) == 0) {
            /* Some writers put the JPEG prefix in front of the header. */
            prefix =
                length > 6 && memcmp(chunk + 8, "Exif\0\0", 6) == 0 ? 6 : 0;
            return idv_exif_orientation(
                part(file, position + 8 + prefix, length - prefix));
        }
        position += 8 + length + (length & 1); /* chunks are padded to even */
    }
    return IDV_ORIENTATION_UPRIGHT;
}

/* Turns (*X, *Y), a pixel of the upright image, into its source pixel in the
 * stored IMAGE. */
static void oriented_source(const idv_image_t *image, int orientation, int *x,
                            int *y)
{
    int right = image->width - 1, bottom = image->height - 1, u = *x, v = *y;

    if (orientation >= IDV_ORIENTATION_TRANSPOSED) {
        u = *y;
        v = *x;
    }
    if (orientation == IDV_ORIENTATION_MIRRORED
        || orientation == IDV_ORIENTATION_HALF_TURN
        || orientation == IDV_ORIENTATION_TRANSVERSED
        || orientation == IDV_ORIENTATION_RIGHT_TURN)
        u = right - u;
    if (orientation == IDV_ORIENTATION_HALF_TURN
        || orientation == IDV_ORIENTATION_FLIPPED
        || orientation == IDV_ORIENTATION_LEFT_TURN
        || orientation == IDV_ORIENTATION_TRANSVERSED)
        v = bottom - v;
    *x = u;
    *y = v;
}

/* Applies an orientation, 1 to 8, to a gray or RGB image: the result, in POOL,
 * is upright. */
static idv_error_t *orient(const idv_image_t *image, int orientation,
                           idv_image_t **out, apr_pool_t *pool)
{
    int turned = orientation >= IDV_ORIENTATION_TRANSPOSED;
    int channels = image->channels;

    IDV_TRY(idv_image_create(turned ? image->height : image->width,
                             turned ? image->width : image->height, channels,
                             out, pool));
    for (int y = 0; y < (*out)->height; y++) {
        unsigned char *to = idv_image_row(*out, y);

        for (int x = 0; x < (*out)->width; x++, to += channels) {
            int u = x, v = y;

            oriented_source(image, orientation, &u, &v);
            memcpy(to, idv_image_row(image, v) + (apr_size_t)u * channels,
                   (size_t)channels);
        }
    }
    return NULL;
}

/* --- decoders --- */

static apr_status_t destroy_jpeg(void *handle)
{
    tjDestroy(handle);
    return APR_SUCCESS;
}

/* The smallest scale that the decoder supports and that still leaves SIDE
 * pixels. */
static tjscalingfactor jpeg_scale(int longest, int side)
{
    tjscalingfactor best = {1, 1}, *factors;
    int count = 0;

    factors = tjGetScalingFactors(&count);
    for (int i = 0; factors && i < count; i++)
        if (factors[i].num < factors[i].denom
            && TJSCALED(longest, factors[i]) >= side
            && factors[i].num * best.denom < best.num * factors[i].denom)
            best = factors[i];
    return best;
}

/* Markers of ITU-T T.81, table B.1. */
enum {
    MARKER_SOF0 = 0xC0,
    MARKER_RST0 = 0xD0,
    MARKER_EOI = 0xD9,
    MARKER_SOS = 0xDA
};

/* Non-zero if a segment with a length follows MARKER. The codes below SOF0 are
 * reserved; a decoder skips any that it finds within a scan. */
static int has_segment(int marker)
{
    return marker >= MARKER_SOF0
        && !(marker >= MARKER_RST0 && marker <= MARKER_EOI);
}

/* Segments are skipped by their lengths, since their content (above all an EXIF
 * thumbnail) may look like markers. */
int idv_image_jpeg_scans(idv_bytes_t file)
{
    const unsigned char *data = file.data;
    apr_size_t at = 0;
    int scans = 0;

    while (at + 1 < file.length) {
        int marker = data[at + 1];

        if (data[at] != 0xFF || marker == 0xFF) {
            at++;
            continue;
        }
        if (marker == MARKER_EOI)
            break;
        scans += marker == MARKER_SOS;
        at += 2;
        if (has_segment(marker) && at + 1 < file.length)
            at += (apr_size_t)data[at] << 8 | data[at + 1];
    }
    return scans;
}

static idv_error_t *decode_jpeg(idv_bytes_t file, int side,
                                idv_decoded_image_t *out, apr_pool_t *pool,
                                apr_pool_t *scratch)
{
    tjhandle handle = tjInitDecompress();
    tjscalingfactor scale;
    int subsampling, colours;

    if (!handle)
        return idv_error_internal(pool, "no JPEG decoder");
    apr_pool_cleanup_register(scratch, handle, destroy_jpeg,
                              apr_pool_cleanup_null);
    if (tjDecompressHeader3(handle, file.data, file.length, &out->width,
                            &out->height, &subsampling, &colours)
        != 0)
        return refuse(pool, "The JPEG header is damaged.");
    IDV_TRY(check_size(out->width, out->height, pool));
    if (colours == TJCS_CMYK || colours == TJCS_YCCK)
        return refuse(pool, "CMYK images are not supported.");
    if ((apr_int64_t)out->width * out->height * idv_image_jpeg_scans(file)
        > IDV_IMAGE_MAX_SCANNED_PIXELS)
        return refuse_size(pool);
    scale = jpeg_scale(longer(out->width, out->height), side);
    IDV_TRY(idv_image_create(TJSCALED(out->width, scale),
                             TJSCALED(out->height, scale), IDV_IMAGE_RGB,
                             &out->image, scratch));
    if (tjDecompress2(handle, file.data, file.length, out->image->pixels,
                      out->image->width, out->image->stride, out->image->height,
                      TJPF_RGB, TJFLAG_LIMITSCANS)
            != 0
        && tjGetErrorCode(handle) == TJERR_FATAL)
        return refuse(pool, "The JPEG data is damaged.");
    return NULL;
}

static int is_jpeg(idv_bytes_t file)
{
    return memcmp(file.data, "\xFF\xD8\xFF", 3) == 0;
}

static apr_status_t free_png(void *png)
{
    png_image_free(png);
    return APR_SUCCESS;
}

static idv_error_t *decode_png(idv_bytes_t file, int side,
                               idv_decoded_image_t *out, apr_pool_t *pool,
                               apr_pool_t *scratch)
{
    png_image *png = apr_pcalloc(scratch, sizeof(*png));
    const png_color white = {255, 255, 255};

    (void)side;
    png->version = PNG_IMAGE_VERSION;
    apr_pool_cleanup_register(scratch, png, free_png, apr_pool_cleanup_null);
    if (!png_image_begin_read_from_memory(png, file.data, file.length))
        return refuse(pool, "The PNG header is damaged.");
    if (png->width > IDV_IMAGE_MAX_SIDE || png->height > IDV_IMAGE_MAX_SIDE)
        return refuse_size(pool);
    out->width = (int)png->width;
    out->height = (int)png->height;
    IDV_TRY(check_size(out->width, out->height, pool));
    png->format = PNG_FORMAT_RGB;
    IDV_TRY(idv_image_create(out->width, out->height, IDV_IMAGE_RGB,
                             &out->image, scratch));
    if (!png_image_finish_read(png, &white, out->image->pixels,
                               out->image->stride, NULL))
        return refuse(pool, "The PNG data is damaged.");
    return NULL;
}

static int is_png(idv_bytes_t file)
{
    return memcmp(file.data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static idv_error_t *decode_webp(idv_bytes_t file, int side,
                                idv_decoded_image_t *out, apr_pool_t *pool,
                                apr_pool_t *scratch)
{
    WebPDecoderConfig config;
    int longest, width, height;

    if (!WebPInitDecoderConfig(&config))
        return idv_error_internal(pool, "no WebP decoder");
    if (WebPGetFeatures(file.data, file.length, &config.input) != VP8_STATUS_OK)
        return refuse(pool, "The WebP header is damaged.");
    if (config.input.has_animation)
        return refuse(pool, "Animated images are not supported.");
    width = out->width = config.input.width;
    height = out->height = config.input.height;
    IDV_TRY(check_size(width, height, pool));
    longest = longer(width, height);
    if (longest > side) {
        width = longer(1, (int)((apr_int64_t)width * side / longest));
        height = longer(1, (int)((apr_int64_t)height * side / longest));
        config.options.use_scaling = 1;
        config.options.scaled_width = width;
        config.options.scaled_height = height;
    }
    IDV_TRY(
        idv_image_create(width, height, IDV_IMAGE_RGB, &out->image, scratch));
    config.output.colorspace = MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = out->image->pixels;
    config.output.u.RGBA.stride = out->image->stride;
    config.output.u.RGBA.size = (size_t)out->image->stride * (size_t)height;
    if (WebPDecode(file.data, file.length, &config) != VP8_STATUS_OK)
        return refuse(pool, "The WebP data is damaged.");
    return NULL;
}

static int is_webp(idv_bytes_t file)
{
    return memcmp(file.data, "RIFF", 4) == 0
        && memcmp(file.data + 8, "WEBP", 4) == 0;
}

static const image_format_t formats[] = {
    {"jpeg", is_jpeg, decode_jpeg, jpeg_orientation},
    {"png", is_png, decode_png, idv_exif_png_orientation},
    {"webp", is_webp, decode_webp, idv_exif_webp_orientation},
};

/* --- files --- */

/* Reduces *IMAGE to SIDE pixels if it is more than a quarter too large, since
 * the decoder supports only a few scales. */
static idv_error_t *fit(idv_image_t **image, int side, apr_pool_t *pool)
{
    int longest = longer((*image)->width, (*image)->height);

    if (longest <= side + side / 4)
        return NULL;
    return idv_image_scale(*image, (double)side / longest, image, pool);
}

static idv_error_t *decode_as(const image_format_t *format, idv_bytes_t file,
                              int side, idv_decoded_image_t *out,
                              apr_pool_t *pool, apr_pool_t *scratch)
{
    idv_image_t *image;

    out->format = format->name;
    IDV_TRY(format->decode(file, side, out, pool, scratch));
    image = out->image;
    IDV_TRY(fit(&image, side, scratch));
    out->orientation = format->orientation(file);
    return orient(image, out->orientation, &out->image, pool);
}

idv_error_t *idv_image_decode(idv_bytes_t file, int side,
                              idv_decoded_image_t *out, apr_pool_t *pool,
                              apr_pool_t *scratch)
{
    enum { SHORTEST = 16 };

    memset(out, 0, sizeof(*out));
    if (file.length < SHORTEST)
        return refuse(pool, "The file is too short for an image.");
    if (file.length > IDV_IMAGE_FILE_MAX)
        return refuse_size(pool);
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (formats[i].matches(file))
            return decode_as(&formats[i], file, side, out, pool, scratch);
    return refuse(pool, "The file is neither JPEG, PNG nor WebP.");
}
