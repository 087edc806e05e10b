/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_QR_CODE_H
#define IDV_OUT_QR_CODE_H

/*
 * Encodes a text as a QR code (ISO/IEC 18004) for display on a page: an SVG
 * document without scripts, styles or references, black on white in any page
 * theme, with error correction level M and the quiet zone of four modules that
 * the standard requires (clause 9.1). One module is one unit of the viewBox.
 *
 * Threads: thread-safe. Memory: results live in the given pool; the caller
 * wipes the SVG of a secret. Failures: if the text is too long for a code or
 * memory runs out, an internal error that does not contain the text.
 */
#include "core/error.h"

#define IDV_QR_QUIET_ZONE 4 /* modules on each side */

/* The SVG document for TEXT, UTF-8 bytes. */
idv_error_t *idv_qr_code_svg(const char *text, const char **svg,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
