/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_TERMINAL_TEXT_H
#define IDV_CORE_TERMINAL_TEXT_H

/*
 * Text that may be a stranger's (a reference, the name of an endpoint or of a
 * list, the path of a file), as it may be shown on a terminal: of it no byte
 * gets there that the terminal would obey, and no character that changes the
 * order of others or hides among them.
 *
 * These are written as JSON writes them (\u001b, \u202e, above U+FFFF in two
 * halves), so a JSON text stays one of the same value: control characters (C0,
 * DEL, C1), marks, embeddings, overrides and isolates of direction, separators
 * of lines and paragraphs, characters without width but for the joiners and
 * the selectors of a look that some scripts and signs need, fillers, tags. A byte
 * that is no UTF-8 is written as \x9b.
 *
 * Memory: the given pool; TEXT itself where nothing is to be escaped. Threads:
 * pure. Nothing fails.
 */
#include <apr_pools.h>

/* TEXT for one line. */
const char *idv_terminal_text(const char *text, apr_pool_t *pool);

/* TEXT of several lines of this program's own: their ends stay. */
const char *idv_terminal_lines(const char *text, apr_pool_t *pool);

#endif
