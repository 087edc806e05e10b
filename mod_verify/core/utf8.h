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

#endif
