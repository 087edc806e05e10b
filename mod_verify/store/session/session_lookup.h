/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_LOOKUP_H
#define IDV_STORE_SESSION_SESSION_LOOKUP_H

/*
 * How sessions are found: one by its id or its client secret, pages by filters
 * and searches, and those for which a time has passed.
 *
 * A caller sees the sessions of its scope: its organization, and with an
 * application-scoped key its application. What is outside of it does not exist
 * (`session_not_found`).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `session_not_found`, `client_secret_invalid`,
 * and `search_too_broad`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"
#include "store/session/session_record.h"

/* --- one session --- */

/* The session with this id in SCOPE. */
idv_error_t *idv_session_find(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool) IDV_CHECKED;

/* Like idv_session_find for callers that send the session as it is: its text
 * (idv_session_text()), which is the one that the row keeps where that one is
 * current. When DB has a guard, which has to be of idv_api_key_guard(), the
 * same statement passes it. */
idv_error_t *idv_session_find_answer(idv_db_t *db, const idv_scope_t *scope,
                                     const char *id, const char **answer,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The session ID for who holds SECRET, with the device that this is; of a phone
 * (store/session/handoff.h) it is noted that it was heard of. `client_secret_invalid`
 * for anybody else, also when there is no such session;
 * `session_locked_to_other_device` for a phone that has given it back. */
idv_error_t *idv_session_authorize(idv_db_t *db, const char *secret,
                                   const char *id, idv_time_t now,
                                   idv_session_record_t **record,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Like idv_session_find, with the row locked until the transaction ends. */
idv_error_t *idv_session_lock(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool) IDV_CHECKED;

/* The revision alone, for who waits for it to rise. */
idv_error_t *idv_session_revision(idv_db_t *db, const idv_scope_t *scope,
                                  const char *id, apr_int64_t *revision,
                                  apr_pool_t *pool) IDV_CHECKED;

/* For the operator: any organization's session. */
idv_error_t *idv_session_find_any(idv_db_t *db, const char *id,
                                  idv_session_record_t **record,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- pages --- */

/*
 * A search finds what somebody remembers of a session, in any case: an id or
 * its beginning, with `vks_` or without, and of client reference ids any part
 * of three characters or more; of fewer, the beginning.
 *
 * What a search reads is limited whatever there is to find, because a customer
 * chooses the references and the text. It looks at up to 5,000 sessions whose
 * references have pieces of the text; when these are all, the page is known.
 * When there are more, or the text is the beginning of many ids, the search
 * walks over the 5,000 sessions next to the cursor, by the index of the
 * narrowest filter, and most often has the page soon. A page is whole or it is
 * refused as `search_too_broad`: nothing is ever left out of one. The statement
 * has a plan that no statistics can change, and a second at most
 * (sql/queries/db/connection/brief.sql).
 */

/* A page of sessions; NULL for what is not asked for. */
typedef struct {
    idv_cursor_t cursor;
    const char *status;
    const char *client_reference_id;
    const char *risk_tier;
    const char *search;
} idv_session_filter_t;

/* Newest first, as an array of idv_session_record_t *. A search may be
 * `search_too_broad`. */
idv_error_t *idv_session_list(idv_db_t *db, const idv_scope_t *scope,
                              const idv_session_filter_t *filter,
                              apr_array_header_t **records, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* The same page as an array of texts, which are those that the rows keep where
 * the page is one of all sessions; DB's guard as for
 * idv_session_find_answer(). */
idv_error_t *
idv_session_list_answers(idv_db_t *db, const idv_scope_t *scope,
                         const idv_session_filter_t *filter,
                         apr_array_header_t **answers, int *has_more,
                         apr_pool_t *pool) IDV_CHECKED;

/* --- what is due --- */

/* Sessions for which a time has passed (their own, their review's, or that in
 * which something is to be heard of their phone), or whose passive checks wait.
 * Nothing is locked: session_transition.h, which changes them, looks again under
 * a lock, so several nodes may look at once. A phone that is heard of in between
 * has the session back with what it does next. */
typedef enum {
    IDV_DUE_EXPIRY,
    IDV_DUE_REVIEW,
    IDV_DUE_CHECKS,
    IDV_DUE_HANDOFF
} idv_due_kind_t;

typedef struct {
    const char *organization_id;
    const char *id;
    idv_time_t due_at; /* of IDV_DUE_CHECKS, when it was created */
} idv_due_session_t;

/* Up to LIMIT sessions of all organizations due at NOW, the longest due first,
 * behind AFTER (zeroed: from the beginning), as an array of
 * idv_due_session_t. */
idv_error_t *idv_due_session_list(idv_db_t *db, idv_due_kind_t kind,
                                  idv_time_t now,
                                  const idv_due_session_t *after, int limit,
                                  apr_array_header_t **sessions,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
