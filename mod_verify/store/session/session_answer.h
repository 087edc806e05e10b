/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_ANSWER_H
#define IDV_STORE_SESSION_SESSION_ANSWER_H

/*
 * The packed form of a session's answer (idv_session_text()) in its row: the
 * same text with each fragment common to nearly all answers replaced by one
 * character (session_answer.def). About a fifth remains. So many more rows fit
 * into a page and into memory, and less is written, logged and sent.
 *
 * JSON text contains none of these characters, so unpacked text is valid packed
 * text: rows of a release without packing unpack to themselves.
 *
 * Memory: texts live in the given pool. Threads: pure. Failures: none.
 */
#include <apr_pools.h>

/* The packed form of TEXT, which is JSON. */
const char *idv_session_answer_pack(const char *text, apr_pool_t *pool);

/* The unpacked text; NULL for NULL. */
const char *idv_session_answer_unpack(const char *packed, apr_pool_t *pool);

#endif
