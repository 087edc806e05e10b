/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_SESSION_LOOKUP_H
#define IDV_STORE_SESSION_SESSION_LOOKUP_H

/*
 * Finding sessions: one by its id or client secret, pages by filters and
 * searches, and sessions that are due.
 *
 * A caller sees the sessions in its scope: its organization, and, with an
 * application-scoped key, its application. Anything outside does not exist
 * (`session_not_found`).
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, `session_not_found`,
 * `client_secret_invalid`, and `search_too_broad`.
 */
#include <apr_tables.h>

#include "store/db/lookup.h"
#include "store/db/statement_group.h"
#include "store/session/session_record.h"

/* --- one session --- */

/* The session with this id in SCOPE. */
idv_error_t *idv_session_find(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool) IDV_CHECKED;

/* How stored answers are read. */
typedef struct {
    idv_statement_group_t *group;
    idv_db_guard_t *guard; /* idv_api_key_guard(); an answer passes it */
    const idv_trace_context_t *trace; /* of the caller; NULL: none */
} idv_session_answer_reader_t;

/* The text of the session with this id in SCOPE (idv_session_text()), as stored
 * in its row. NULL if that is not known: the key may have changed, the session
 * may be missing, or its stored answer outdated. Then idv_session_find tells. */
idv_error_t *idv_session_find_answer(const idv_session_answer_reader_t *reader,
                                     const idv_scope_t *scope, const char *id,
                                     const char **answer,
                                     apr_pool_t *pool) IDV_CHECKED;

/* A client secret, and the session that it is shown for. */
typedef struct {
    const char *secret;
    const char *id;
    idv_time_t now;
} idv_session_claim_t;

/* The session ID for a caller with SECRET, and the caller's device; for a phone
 * (store/session/handoff.h) the request is recorded. `client_secret_invalid`
 * for anybody else, also if the session does not exist;
 * `session_locked_to_other_device` for a phone that has returned the
 * session. */
idv_error_t *idv_session_authorize(idv_db_t *db,
                                   const idv_session_claim_t *claim,
                                   idv_session_record_t **record,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Like idv_session_find, with the row locked until the end of the
 * transaction. */
idv_error_t *idv_session_lock(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool) IDV_CHECKED;

/* Only the revision, for callers that wait for it to rise. */
idv_error_t *idv_session_revision(idv_db_t *db, const idv_scope_t *scope,
                                  const char *id, apr_int64_t *revision,
                                  apr_pool_t *pool) IDV_CHECKED;

/* For operators: a session of any organization. */
idv_error_t *idv_session_find_any(idv_db_t *db, const char *id,
                                  idv_session_record_t **record,
                                  apr_pool_t *pool) IDV_CHECKED;

/* --- pages --- */

/*
 * A search matches, case-insensitively, an id or its start, with or without
 * `vks_`, and any part of three or more characters of a client reference id;
 * shorter texts match only its start.
 *
 * The cost of a search is bounded, because customers choose the references and
 * the text. It examines up to 5,000 sessions whose references contain pieces of
 * the text; if these are all, the page is known. If there are more, or the text
 * is the start of many ids, it scans the 5,000 sessions next to the cursor by
 * the index of the narrowest filter, which usually yields the page soon. A page
 * is complete or refused as `search_too_broad`; nothing is ever omitted. The
 * statement has a fixed plan, independent of statistics, and a limit of one
 * second (sql/queries/db/connection/brief.sql).
 */

/* A query for a page of sessions; NULL: no filter. Without a bound
 * `created_before` is IDV_LATEST_SECOND * IDV_SECOND. */
typedef struct {
    idv_cursor_t cursor;
    const char *status;
    const char *client_reference_id;
    const char *risk_tier;
    const char *workflow_id;
    const char *search;
    idv_time_t created_from;
    idv_time_t created_before;
} idv_session_filter_t;

/* A page of the sessions of a scope. */
typedef struct {
    idv_scope_t scope;
    idv_session_filter_t filter;
} idv_session_query_t;

/* Newest first, an array of idv_session_record_t *. A search may be
 * `search_too_broad`. */
idv_error_t *idv_session_list(idv_db_t *db, const idv_session_query_t *query,
                              apr_array_header_t **records, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

/* The same page as an array of texts (idv_session_text()), as stored in the
 * rows. NULL if they are not known, as in idv_session_find_answer(), or QUERY is
 * not a page of the default length of all sessions. */
idv_error_t *idv_session_list_answers(const idv_session_answer_reader_t *reader,
                                      const idv_session_query_t *query,
                                      apr_array_header_t **answers,
                                      int *has_more,
                                      apr_pool_t *pool) IDV_CHECKED;

/* --- due sessions --- */

/* Sessions past a deadline (their own, their review's, or their phone's idle
 * time), or with passive checks waiting. Nothing is locked:
 * session_transition.h, which changes them, checks again under a lock, so
 * several nodes can list at once. A phone that becomes active in between
 * regains the session with its next input. */
typedef enum {
    IDV_DUE_EXPIRY,
    IDV_DUE_REVIEW,
    IDV_DUE_CHECKS,
    IDV_DUE_HANDOFF
} idv_due_kind_t;

typedef struct {
    const char *organization_id;
    const char *id;
    idv_time_t due_at; /* for IDV_DUE_CHECKS the creation time */
} idv_due_session_t;

/* Which due sessions are listed. */
typedef struct {
    idv_due_kind_t kind;
    idv_time_t now;
    const idv_due_session_t *after;
    int limit;
} idv_due_session_query_t;

/* Up to LIMIT sessions of all organizations due at NOW, longest due first,
 * after the session AFTER (all zero: from the start), an array of
 * idv_due_session_t. */
idv_error_t *idv_due_session_list(idv_db_t *db,
                                  const idv_due_session_query_t *query,
                                  apr_array_header_t **sessions,
                                  apr_pool_t *pool) IDV_CHECKED;

#endif
