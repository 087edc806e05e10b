/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_H
#define IDV_STORE_SESSION_H

/*
 * Verification sessions as they are kept: finding and listing them. Creating
 * one is session_create.h's, changing one session_transition.h's alone.
 *
 * A caller sees the sessions of its scope: its organization, and with an
 * application-scoped key its application. What is outside of it does not exist
 * (`session_not_found`).
 *
 * Memory: everything lives in the given pool.
 */
#include <apr_tables.h>

#include "domain/session_step.h"
#include "store/db.h"
#include "store/lookup.h"

/* A session and what is kept beside it. */
typedef struct {
    const idv_session_t *session;
    idv_bytes_t client_secret_digest; /* SHA-256 */
    idv_bytes_t email_digest;         /* HMAC, or no data */
    idv_bytes_t phone_digest;         /* HMAC, or no data */
    const char *verified_person_id;   /* NULL: none */
    const char *risk_tier;            /* clear, review, block, bot or NULL */
} idv_session_record_t;

/* RECORD without the digests of identifiers that must not be bound to a person
 * or shared; see idv_session_email_stands(). */
idv_session_record_t
idv_session_record_standing(const idv_session_record_t *record);

/* A new client secret, `<session id>_secret_<random>`, wiped with POOL. The
 * random part begins with the organization's id, so that a person's request
 * leads to the right shard. */
const char *idv_client_secret_new(const char *session_id,
                                  const char *organization_id,
                                  apr_pool_t *pool);

/* Takes a client secret apart; `client_secret_invalid` when it has not the
 * form of one. */
idv_error_t *idv_client_secret_parse(const char *secret,
                                     const char **session_id,
                                     const char **organization_id,
                                     apr_pool_t *pool) IDV_CHECKED;

/* Non-zero when SECRET is the record's and usable at NOW. Constant time. */
int idv_client_secret_matches(const idv_session_record_t *record,
                              const char *secret, idv_time_t now);

/* The session with this id in SCOPE. */
idv_error_t *idv_session_find(idv_db_t *db, const idv_scope_t *scope,
                              const char *id, idv_session_record_t **record,
                              apr_pool_t *pool) IDV_CHECKED;

/* Like idv_session_find for who wants to send the session as it is: its text
 * (idv_session_text()), which is the one that the row keeps where it counts.
 * GUARD is that of DB, made by idv_api_key_guard(), or NULL; it is passed in the
 * same look. */
idv_error_t *idv_session_find_answer(idv_db_t *db, const idv_scope_t *scope,
                                     const idv_db_guard_t *guard,
                                     const char *id, const char **answer,
                                     apr_pool_t *pool) IDV_CHECKED;

/* The session ID for who holds SECRET; `client_secret_invalid` for anybody
 * else, also when there is no such session. */
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

/* A page of sessions; NULL for what is not asked for. */
typedef struct {
    idv_cursor_t cursor;
    const char *status;
    const char *client_reference_id;
    const char *risk_tier;
    const char *search;
} idv_session_filter_t;

/* Newest first, as an array of idv_session_record_t *. A search may be
 * `search_too_broad`; see store/session_search.h. */
idv_error_t *idv_session_list(idv_db_t *db, const idv_scope_t *scope,
                              const idv_session_filter_t *filter,
                              apr_array_header_t **records, int *has_more,
                              apr_pool_t *pool) IDV_CHECKED;

typedef struct {
    const idv_session_filter_t *filter;
    const idv_db_guard_t *guard; /* as for idv_session_find_answer() */
} idv_session_answer_filter_t;

/* The same as an array of their texts, which are those that the rows keep where
 * the page is one of all sessions. */
idv_error_t *
idv_session_list_answers(idv_db_t *db, const idv_scope_t *scope,
                         const idv_session_answer_filter_t *wanted,
                         apr_array_header_t **answers, int *has_more,
                         apr_pool_t *pool) IDV_CHECKED;

#endif
