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

/* Non-zero if TEXT has nothing but spaces and characters without width. */
static inline int idv_utf8_is_blank(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == ' ')
            continue;
        if (c[0] == 0xc2 && c[1] == 0xa0)
            c += 1;
        else if ((c[0] == 0xe2 && c[1] == 0x80 && c[2] <= 0x8f)
                 || (c[0] == 0xe3 && c[1] == 0x80 && c[2] == 0x80))
            c += 2;
        else
            return 0;
    }
    return 1;
}

#endif
