/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_HANDOFF_H
#define IDV_STORE_SESSION_HANDOFF_H

/*
 * Handoff data outside of the session: the link with which a phone takes the
 * session, and the phone that did.
 *
 * A link's token works once, is valid for IDV_HANDOFF_TIME, and is voided by
 * the next link, by the end of the session, and by a wrong choice among the
 * three numbers that the phone shows. The phone then gets a client secret of
 * its own; the one from the session's creation never leaves the first device.
 * Only the SHA-256 of tokens and secrets is stored.
 *
 * A digest of each token and phone's secret is also kept apart, for as long as
 * the session exists or until its person is erased. It authorizes nothing. It
 * lets the page of a spent link show whose it is (idv_handoff_knows_secret()).
 *
 * Every change of a row runs in a transaction that holds the session's lock,
 * except idv_handoff_hear(). domain/transition/step_handoff.h decides what each
 * state of a handoff allows.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `handoff_invalid` for an unknown, used,
 * void or expired token, without distinction.
 */
#include "domain/session/session.h"
#include "store/db/db.h"

#define IDV_HANDOFF_TIME (5 * IDV_MINUTE)
/* The time without a request after which a phone loses the session, and the
 * precision with which the time of its last request is stored. */
#define IDV_HANDOFF_IDLE_TIME (120 * IDV_SECOND)
#define IDV_HANDOFF_IDLE_STEP (10 * IDV_SECOND)

#define IDV_HANDOFF_CHOICES 3

typedef struct {
    const char *organization_id;
    const char *session_id;
    idv_bytes_t token_digest;         /* SHA-256 */
    int pairing;                      /* 10 to 99 */
    int choices[IDV_HANDOFF_CHOICES]; /* the pairing among them */
    idv_time_t expires_at;
} idv_handoff_link_t;

/* Stores LINK, replacing the previous one. */
idv_error_t *idv_handoff_offer(idv_db_t *db, const idv_handoff_link_t *link,
                               apr_pool_t *pool) IDV_CHECKED;

/* The link that a token belongs to. */
typedef struct {
    const char *organization_id;
    idv_bytes_t token_digest;
    idv_time_t now;
} idv_handoff_query_t;

/* The organization's link with the token TOKEN_DIGEST at NOW. */
idv_error_t *idv_handoff_find(idv_db_t *db, const idv_handoff_query_t *query,
                              idv_handoff_link_t *link,
                              apr_pool_t *pool) IDV_CHECKED;

/* Checks that LINK is still the session's. */
idv_error_t *idv_handoff_check(idv_db_t *db, const idv_handoff_link_t *link,
                               idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* A phone that takes a session. */
typedef struct {
    int phone; /* its number */
    idv_bytes_t secret_digest;
    idv_time_t now;
} idv_handoff_taking_t;

/* Uses LINK, if it is valid and has this pairing, for phone number PHONE with
 * the secret of SECRET_DIGEST. */
idv_error_t *idv_handoff_take(idv_db_t *db, const idv_handoff_link_t *link,
                              const idv_handoff_taking_t *taking,
                              apr_pool_t *pool) IDV_CHECKED;

/* Updates the row of SESSION to its state at NOW. */
idv_error_t *idv_handoff_keep(idv_db_t *db, const idv_session_t *session,
                              idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* The phone of a session, all zero if none. */
typedef struct {
    int number; /* 0: none */
    idv_bytes_t secret_digest;
    idv_time_t idle_at;
} idv_handoff_phone_t;

idv_error_t *idv_handoff_phone_find(idv_db_t *db, const char *organization_id,
                                    const char *session_id,
                                    idv_handoff_phone_t *phone,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Records a request of PHONE at NOW, unless one was recorded within
 * IDV_HANDOFF_IDLE_STEP. */
idv_error_t *idv_handoff_hear(idv_db_t *db, const idv_session_t *session,
                              const idv_handoff_phone_t *phone, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

/* --- the pages of spent links --- */

/* A client secret, of which session_id is the session, or the token of a link,
 * for which session_id is NULL. */
typedef struct {
    const char *organization_id;
    const char *session_id;
    const char *secret;
} idv_page_secret_t;

/* Sets *KNOWN if SECRET was once issued for the organization and its session
 * still exists, even if the secret opens nothing any more. */
idv_error_t *idv_handoff_knows_secret(idv_db_t *db,
                                      const idv_page_secret_t *secret,
                                      int *known, apr_pool_t *pool) IDV_CHECKED;

#endif
