/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/account/logo.h"

#include <string.h>

#include <apr_strings.h>

#define SIDE_MAX 10000
#define PNG_CHUNK 12    /* the length, type and check sum of a chunk */
#define PNG_HEADER 13   /* the content of IHDR */
#define RIFF_CHUNK 8    /* the type and length of a chunk */

static apr_uint32_t big_endian(const unsigned char *at)
{
    return (apr_uint32_t)at[0] << 24 | (apr_uint32_t)at[1] << 16
           | (apr_uint32_t)at[2] << 8 | at[3];
}

static apr_uint32_t little_endian(const unsigned char *at)
{
    return (apr_uint32_t)at[3] << 24 | (apr_uint32_t)at[2] << 16
           | (apr_uint32_t)at[1] << 8 | at[0];
}

static int is_side(apr_uint32_t side)
{
    return side >= 1 && side <= SIDE_MAX;
}

static int is_png_header(const unsigned char *chunk, apr_size_t left)
{
    return left >= PNG_CHUNK + PNG_HEADER && big_endian(chunk) == PNG_HEADER
        && memcmp(chunk + 4, "IHDR", 4) == 0 && is_side(big_endian(chunk + 8))
        && is_side(big_endian(chunk + 12));
}

static int is_png(idv_bytes_t bytes)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G',
                                              '\r', '\n', 0x1a, '\n'};
    const unsigned char *chunk;
    apr_size_t left, length;
    int has_pixels = 0;

    if (bytes.length < sizeof(signature)
        || memcmp(bytes.data, signature, sizeof(signature)) != 0)
        return 0;
    chunk = bytes.data + sizeof(signature);
    left = bytes.length - sizeof(signature);
    if (!is_png_header(chunk, left))
        return 0;
    for (; left >= PNG_CHUNK; chunk += length, left -= length) {
        if (big_endian(chunk) > left - PNG_CHUNK)
            return 0;
        length = PNG_CHUNK + (apr_size_t)big_endian(chunk);
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            return has_pixels && length == PNG_CHUNK && left == length;
        has_pixels |= memcmp(chunk + 4, "IDAT", 4) == 0;
    }
    return 0;
}

static int is_webp(idv_bytes_t bytes)
{
    const unsigned char *data = bytes.data;
    const apr_size_t head = RIFF_CHUNK + 4 + RIFF_CHUNK;

    return bytes.length > head && memcmp(data, "RIFF", 4) == 0
        && little_endian(data + 4) == bytes.length - RIFF_CHUNK
        && memcmp(data + 8, "WEBP", 4) == 0
        && (memcmp(data + 12, "VP8 ", 4) == 0
            || memcmp(data + 12, "VP8L", 4) == 0
            || memcmp(data + 12, "VP8X", 4) == 0)
        && little_endian(data + 16) > 0
        && little_endian(data + 16) <= bytes.length - head;
}

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Behind the next END in TEXT; NULL: there is none. */
static const char *behind(const char *text, const char *end)
{
    const char *at = strstr(text, end);

    return at ? at + strlen(end) : NULL;
}

/* Behind a DOCTYPE, which may declare entities in brackets. */
static const char *behind_doctype(const char *text)
{
    const char *at = strpbrk(text, "[>");

    if (at && *at == '>')
        return at + 1;
    while (at && (at = strchr(at, ']'))) {
        at = skip_space(at + 1);
        if (*at == '>')
            return at + 1;
    }
    return NULL;
}

static int is_svg(const char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    while (text) {
        text = skip_space(text);
        if (strncmp(text, "<?", 2) == 0)
            text = behind(text, "?>");
        else if (strncmp(text, "<!--", 4) == 0)
            text = behind(text + 4, "-->");
        else if (strncmp(text, "<!DOCTYPE", 9) == 0)
            text = behind_doctype(text);
        else
            return strncmp(text, "<svg", 4) == 0 && text[4]
                && strchr(" \t\r\n/>", text[4]) && strchr(text, '>');
    }
    return 0;
}

const char *idv_logo_type(idv_bytes_t bytes, apr_pool_t *pool)
{
    const char *text;

    if (is_png(bytes))
        return "image/png";
    if (is_webp(bytes))
        return "image/webp";
    text = apr_pstrmemdup(pool, (const char *)bytes.data, bytes.length);
    return strlen(text) == bytes.length && is_svg(text) ? "image/svg+xml" : NULL;
}
