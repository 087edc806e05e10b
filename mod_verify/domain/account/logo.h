/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ACCOUNT_LOGO_H
#define IDV_DOMAIN_ACCOUNT_LOGO_H

/*
 * The kind of picture that a logo file contains, by its structure. Pixels are
 * not decoded: browsers show logos only in <img>, where scripts do not run.
 *
 *   PNG   signature, then chunks that fill the file: IHDR first, with width and
 *         height from 1 to 10000, at least one IDAT, and an empty IEND last
 *   WebP  RIFF, whose size is the file's, with WEBP and a first chunk of an
 *         image that lies within it
 *   SVG   UTF-8 text without NUL, whose first element is <svg>; a byte order
 *         mark, processing instructions, comments and a DOCTYPE may precede it
 *
 * Memory: the given pool. Threads: pure. Each byte is looked at a fixed number
 * of times.
 */
#include <apr_pools.h>

#include "core/crypto.h"

/* The media type of the picture in BYTES; NULL if it is none of these. */
const char *idv_logo_type(idv_bytes_t bytes, apr_pool_t *pool);

#endif
