/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_ANSWER_H
#define IDV_STORE_SESSION_SESSION_ANSWER_H

/*
 * The form in which a row keeps the answer of its session (idv_session_text()):
 * the same text, but what nearly all answers have in common is one character
 * each (session_answer.def). Most of an answer is that, a fifth remains. Many
 * more rows then fit into a page and into memory, and less of them is written,
 * logged and sent.
 *
 * JSON text has none of those characters, so it is its own packed form: what a
 * release wrote that packed nothing is unpacked to itself.
 *
 * Memory: texts live in the given pool. Threads: pure. Nothing fails.
 */
#include <apr_pools.h>

/* TEXT, which is JSON, as a row keeps it. */
const char *idv_session_answer_pack(const char *text, apr_pool_t *pool);

/* What was packed; NULL for NULL. */
const char *idv_session_answer_unpack(const char *packed, apr_pool_t *pool);

#endif
