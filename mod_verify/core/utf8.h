/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_UTF8_H
#define IDV_CORE_UTF8_H

/*
 * Characters of UTF-8 text (RFC 3629). For invalid text (never the case for
 * parsed JSON) lengths are meaningless, but nothing is read past the NUL.
 *
 * Threads: pure functions. Failures: none.
 */
#include <string.h>

#include <apr.h>

/* Non-zero for a continuation byte: 10xxxxxx (RFC 3629, 3). */
static inline int idv_utf8_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Number of Unicode characters in TEXT. */
static inline apr_size_t idv_utf8_length(const char *text)
{
    apr_size_t length = 0;

    for (; *text; text++)
        length += !idv_utf8_is_continuation(*text);
    return length;
}

/* Length of the longest prefix of TEXT with at most MAXIMUM bytes that does not
 * end within a character; 0 if even the first one is longer. */
static inline apr_size_t idv_utf8_prefix(const char *text, apr_size_t maximum)
{
    apr_size_t length = strlen(text);

    if (length <= maximum)
        return length;
    length = maximum;
    while (length && idv_utf8_is_continuation(text[length]))
        length--;
    return length;
}

/* The length of the character at TEXT if it must not be in a name that others
 * read: a control character, a line or paragraph separator, one that turns the
 * text around it (Unicode Bidirectional Algorithm, 2), or a byte order mark;
 * else 0. */
static inline int idv_utf8_misleads(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2)
        return c[1] >= 0x80 && c[1] <= 0x9f ? 2 : 0;
    if (c[0] == 0xe2 && c[1] == 0x80)
        return c[2] >= 0xa8 && c[2] <= 0xae ? 3 : 0;
    if (c[0] == 0xe2 && c[1] == 0x81)
        return c[2] >= 0xa6 && c[2] <= 0xa9 ? 3 : 0;
    return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf ? 3 : 0;
}

/* Ranges of characters that show nothing: the first and the last in UTF-8. */
#define IDV_UTF8_INVISIBLE(X)                                                  \
    X("\x20", "\x20")         /* space */                                      \
    X("\xc2\xa0", "\xc2\xa0") /* no-break space */                             \
    X("\xc2\xad", "\xc2\xad") /* soft hyphen */                                \
    X("\xcd\x8f", "\xcd\x8f") /* combining grapheme joiner */                  \
    X("\xd8\x9c", "\xd8\x9c") /* Arabic letter mark */                         \
    X("\xe1\x85\x9f", "\xe1\x85\xa0") /* Hangul fillers */                     \
    X("\xe1\xa0\x8e", "\xe1\xa0\x8e") /* Mongolian vowel separator */          \
    X("\xe2\x80\x80", "\xe2\x80\x8f") /* spaces, joiners, marks */             \
    X("\xe2\x80\xaf", "\xe2\x80\xaf") /* narrow no-break space */              \
    X("\xe2\x81\x9f", "\xe2\x81\xa4") /* spaces, word joiner, operators */     \
    X("\xe2\xa0\x80", "\xe2\xa0\x80") /* Braille blank */                      \
    X("\xe3\x80\x80", "\xe3\x80\x80") /* ideographic space */                  \
    X("\xe3\x85\xa4", "\xe3\x85\xa4") /* Hangul filler */                      \
    X("\xef\xb8\x80", "\xef\xb8\x8f") /* variation selectors */                \
    X("\xef\xbe\xa0", "\xef\xbe\xa0") /* halfwidth Hangul filler */

/* The length of the character at TEXT if it shows nothing, else 0. */
static inline apr_size_t idv_utf8_invisible(const char *text)
{
    static const char *const ranges[][2] = {
#define X(first, last) {first, last},
        IDV_UTF8_INVISIBLE(X)
#undef X
    };

    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
        apr_size_t length = strlen(ranges[i][0]);

        if (strncmp(text, ranges[i][0], length) >= 0
            && strncmp(text, ranges[i][1], length) <= 0)
            return length;
    }
    return 0;
}

/* Non-zero if TEXT shows nothing. */
static inline int idv_utf8_is_blank(const char *text)
{
    apr_size_t length;

    while ((length = idv_utf8_invisible(text)) > 0)
        text += length;
    return !*text;
}

#endif
