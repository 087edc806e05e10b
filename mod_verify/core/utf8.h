/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_UTF8_H
#define IDV_CORE_UTF8_H

/*
 * Characters of UTF-8 text (RFC 3629). Text that is not valid, which JSON of
 * strangers never is, gives lengths that mean nothing, but is read no further
 * than its NUL.
 *
 * Threads: pure functions. Nothing fails.
 */
#include <string.h>

#include <apr.h>

/* Non-zero for a byte of a character behind its first: 10xxxxxx (RFC 3629, 3). */
static inline int idv_utf8_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Unicode characters of TEXT. */
static inline apr_size_t idv_utf8_length(const char *text)
{
    apr_size_t length = 0;

    for (; *text; text++)
        length += !idv_utf8_is_continuation(*text);
    return length;
}

/* Bytes of the longest beginning of TEXT that has at most MAXIMUM bytes and
 * does not end within a character; 0 when even the first is longer. */
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
