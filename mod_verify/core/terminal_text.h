/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_TERMINAL_TEXT_H
#define IDV_CORE_TERMINAL_TEXT_H

/*
 * Escapes untrusted text (a reference, the name of an endpoint or list, a file
 * path) for a terminal: removes every byte that the terminal would obey, and
 * every character that reorders others or is invisible.
 *
 * These are escaped as in JSON (\u001b, \u202e, surrogate pairs above U+FFFF),
 * so that a JSON text keeps its value: control characters (C0, DEL, C1);
 * directional marks, embeddings, overrides and isolates; line and paragraph
 * separators; zero-width characters, except the joiners and variation selectors
 * that some scripts and symbols need; fillers; tags. A byte that is not valid
 * UTF-8 is written as \x9b.
 *
 * Memory: the given pool; TEXT itself if nothing is escaped. Threads: pure.
 * Failures: none.
 */
#include <apr_pools.h>

/* TEXT for a single line. */
const char *idv_terminal_text(const char *text, apr_pool_t *pool);

/* TEXT of several lines written by this program; line ends are kept. */
const char *idv_terminal_lines(const char *text, apr_pool_t *pool);

#endif
