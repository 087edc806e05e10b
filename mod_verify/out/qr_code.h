/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_QR_CODE_H
#define IDV_OUT_QR_CODE_H

/*
 * A text as a QR code (ISO/IEC 18004) that a page shows as a picture: an SVG
 * document without script, style or reference, black on white whatever the page
 * looks like, with error correction level M and the quiet zone of four modules
 * that the standard demands (clause 9.1). One module is one unit of its viewBox.
 *
 * Threads: thread-safe. Memory: results live in the given pool; of a secret they
 * are the caller's to wipe. Failures: a text that no code can hold, or no
 * memory, is an internal error that does not show it.
 */
#include "core/error.h"

#define IDV_QR_QUIET_ZONE 4 /* modules on each side */

/* The SVG document for TEXT, which has bytes of UTF-8. */
idv_error_t *idv_qr_code_svg(const char *text, const char **svg,
                             apr_pool_t *pool) IDV_CHECKED;

#endif
