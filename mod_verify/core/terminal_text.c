/* SPDX-License-Identifier: Apache-2.0 */
#include "core/terminal_text.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the longest form of a character: two halves. */
#define ESCAPE_MAX 12

/* Characters to escape, by first and last code point. */
static const struct {
    apr_uint32_t first, last;
} hidden[] = {
    {0x0000, 0x001f},   /* C0 */
    {0x007f, 0x009f},   /* DEL, C1 */
    {0x00ad, 0x00ad},   /* soft hyphen */
    {0x034f, 0x034f},   /* joiner of graphemes, which joins nothing */
    {0x061c, 0x061c},   /* mark of direction */
    {0x115f, 0x1160},   /* fillers of Hangul */
    {0x17b4, 0x17b5},   /* vowels that are not written */
    {0x180e, 0x180e},   /* a separator without width */
    {0x200b, 0x200b},   /* a space without width */
    {0x200e, 0x200f},   /* marks of direction */
    {0x2028, 0x202e},   /* separators of lines; embeddings, overrides */
    {0x2060, 0x206f},   /* without width; isolates */
    {0x3164, 0x3164},   /* a filler of Hangul */
    {0xfeff, 0xfeff},   /* a space without width, the mark of byte order */
    {0xffa0, 0xffa0},   /* a filler of Hangul, half wide */
    {0xfff9, 0xfffb},   /* annotations */
    {0xe0000, 0xe007f}, /* tags */
};

static int is_hidden(apr_uint32_t character)
{
    for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
        if (character >= hidden[i].first && character <= hidden[i].last)
            return 1;
    return 0;
}

/* The length in bytes of the character at TEXT, and its code point; 0: not
 * valid UTF-8 (RFC 3629, 4). Never reads past the NUL. */
static int decode(const unsigned char *text, apr_uint32_t *character)
{
    static const apr_uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = text[0] < 0x80           ? 1
               : (text[0] & 0xe0) == 0xc0 ? 2
               : (text[0] & 0xf0) == 0xe0 ? 3
               : (text[0] & 0xf8) == 0xf0 ? 4
                                          : 0;

    *character = length == 1 ? text[0] : text[0] & (0x7f >> length);
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (text[i] & 0x3f);
    }
    if (length && (*character < least[length] || *character > 0x10ffff
                   || (*character >= 0xd800 && *character <= 0xdfff)))
        return 0;
    return length;
}

/* Writes CHARACTER at OUT; the bytes of that. */
static int write_escape(char *out, apr_uint32_t character)
{
    if (character <= 0xffff)
        return snprintf(out, ESCAPE_MAX + 1, "\\u%04x", character);
    character -= 0x10000;
    return snprintf(out, ESCAPE_MAX + 1, "\\u%04x\\u%04x",
                    0xd800 | character >> 10, 0xdc00 | (character & 0x3ff));
}

/* Writes the character at TEXT to OUT; *WRITTEN is the number of bytes written.
 * Returns the number of bytes read. */
static int show(const char *text, int has_lines, char *out, int *written)
{
    apr_uint32_t character;
    int length = decode((const unsigned char *)text, &character);

    if (!length) {
        *written = snprintf(out, ESCAPE_MAX + 1, "\\x%02x",
                            (unsigned char)*text);
        return 1;
    }
    if (is_hidden(character) && !(has_lines && character == '\n')) {
        *written = write_escape(out, character);
        return length;
    }
    memcpy(out, text, (size_t)length);
    *written = length;
    return length;
}

static const char *make_harmless(const char *text, int has_lines,
                                 apr_pool_t *pool)
{
    char shown[ESCAPE_MAX + 1], *harmless, *out;
    apr_size_t length = 0;
    int is_same = 1, written, taken;

    for (const char *at = text; *at; at += taken) {
        taken = show(at, has_lines, shown, &written);
        is_same &= taken == written;
        length += (apr_size_t)written;
    }
    if (is_same)
        return text;
    harmless = out = apr_palloc(pool, length + ESCAPE_MAX + 1);
    for (const char *at = text; *at; at += taken) {
        taken = show(at, has_lines, out, &written);
        out += written;
    }
    *out = '\0';
    return harmless;
}

const char *idv_terminal_text(const char *text, apr_pool_t *pool)
{
    return make_harmless(text, 0, pool);
}

const char *idv_terminal_lines(const char *text, apr_pool_t *pool)
{
    return make_harmless(text, 1, pool);
}
