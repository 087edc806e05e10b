/* SPDX-License-Identifier: Apache-2.0 */
#include "core/utf8.h"

#include <string.h>

/* Every byte of a character but its first is 10xxxxxx. */
static int is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

apr_size_t idv_utf8_length(const char *text)
{
    apr_size_t length = 0;

    for (; *text; text++)
        length += !is_continuation(*text);
    return length;
}

apr_size_t idv_utf8_prefix(const char *text, apr_size_t maximum)
{
    apr_size_t length = strlen(text);

    if (length <= maximum)
        return length;
    length = maximum;
    while (length && is_continuation(text[length]))
        length--;
    return length;
}
