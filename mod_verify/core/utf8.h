/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_UTF8_H
#define IDV_CORE_UTF8_H

/*
 * Characters of UTF-8 text (RFC 3629). Text that is not valid, which JSON of
 * strangers never is, gives lengths that mean nothing, but is read no further
 * than its NUL.
 *
 * Threads: pure functions.
 */
#include <apr.h>

/* Unicode characters of TEXT. */
apr_size_t idv_utf8_length(const char *text);

/* Bytes of the longest beginning of TEXT that has at most MAXIMUM bytes and
 * does not end within a character; 0 when even the first is longer. */
apr_size_t idv_utf8_prefix(const char *text, apr_size_t maximum);

#endif
