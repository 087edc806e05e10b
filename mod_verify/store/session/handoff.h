/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_SESSION_HANDOFF_H
#define IDV_STORE_SESSION_HANDOFF_H

/*
 * What is kept of a handoff beside its session: the link by which a phone takes
 * the session, and the phone that did.
 *
 * A link's token is used once, is good for IDV_HANDOFF_TIME, and is void with
 * the next link, with the end of the session, and with a wrong choice among the
 * three numbers that the phone shows. The phone then has a client secret of its
 * own; that of the session's creation never leaves the first device. Tokens and
 * secrets are kept as their SHA-256.
 *
 * Everything that changes a row runs in a transaction that holds the lock of
 * its session, apart from idv_handoff_hear(). What the states of a handoff
 * allow is decided by domain/session/session_handoff.h.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h, and `handoff_invalid` for a token that is
 * unknown, used, void or too old: who tries one learns no more.
 */
#include "domain/session/session.h"
#include "store/db/db.h"

#define IDV_HANDOFF_TIME (5 * IDV_MINUTE)
/* After this time without a request a phone loses the session; and the precision
 * with which its last request is stored. */
#define IDV_HANDOFF_IDLE_TIME (120 * IDV_SECOND)
#define IDV_HANDOFF_IDLE_STEP (10 * IDV_SECOND)

#define IDV_HANDOFF_CHOICES 3

typedef struct {
    const char *organization_id;
    const char *session_id;
    idv_bytes_t token_digest; /* SHA-256 */
    int pairing;              /* 10 to 99 */
    int choices[IDV_HANDOFF_CHOICES]; /* the pairing among them */
    idv_time_t expires_at;
} idv_handoff_link_t;

/* Writes LINK in the place of the last one. */
idv_error_t *idv_handoff_offer(idv_db_t *db, const idv_handoff_link_t *link,
                               apr_pool_t *pool) IDV_CHECKED;

/* The link of an organization with the token TOKEN_DIGEST at NOW. */
idv_error_t *idv_handoff_find(idv_db_t *db, const char *organization_id,
                              idv_bytes_t token_digest, idv_time_t now,
                              idv_handoff_link_t *link,
                              apr_pool_t *pool) IDV_CHECKED;

/* That LINK is the session's still. */
idv_error_t *idv_handoff_check(idv_db_t *db, const idv_handoff_link_t *link,
                               idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* Uses LINK up, if it is good and has this pairing, for phone number PHONE with
 * the secret of SECRET_DIGEST. */
idv_error_t *idv_handoff_take(idv_db_t *db, const idv_handoff_link_t *link,
                              int phone, idv_bytes_t secret_digest,
                              idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* Has the row of SESSION follow its state at NOW. */
idv_error_t *idv_handoff_keep(idv_db_t *db, const idv_session_t *session,
                              idv_time_t now, apr_pool_t *pool) IDV_CHECKED;

/* The phone of a session, zeroed when there was none. */
typedef struct {
    int number; /* 0: none */
    idv_bytes_t secret_digest;
    idv_time_t idle_at;
} idv_handoff_phone_t;

idv_error_t *idv_handoff_phone_find(idv_db_t *db, const char *organization_id,
                                    const char *session_id,
                                    idv_handoff_phone_t *phone,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Notes that PHONE was heard of at NOW, unless it was IDV_HANDOFF_IDLE_STEP
 * before. */
idv_error_t *idv_handoff_hear(idv_db_t *db, const idv_session_t *session,
                              const idv_handoff_phone_t *phone, idv_time_t now,
                              apr_pool_t *pool) IDV_CHECKED;

#endif
