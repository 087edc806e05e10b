/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_STORE_OIDC_LOGIN_H
#define IDV_STORE_OIDC_LOGIN_H

/*
 * Logins: authorization requests, each bound to the browser that makes it, and
 * the one code that each leads to.
 *
 * A browser is known by a random cookie, of which only a digest is stored, a
 * different one for each client. A code is found only by the client that it was
 * issued to, for IDV_OIDC_CODE_VALIDITY, and once: the first presentation spends
 * it, even one with a wrong verifier. A later one is recorded.
 *
 * Threads: as in store/db/db.h. Memory: everything lives in the given pool.
 * Failures: those of store/db/db.h; what does not exist is NULL or 0.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "store/db/db.h"

#define IDV_OIDC_CODE_VALIDITY (60 * IDV_SECOND)
#define IDV_OIDC_LOGIN_DAYS 30 /* retention */

typedef struct {
    const char *id; /* oil_ */
    const char *organization_id, *client_id;
    const char *type; /* of the session: "age" or "identity" */
    const char *redirect_uri;
    const char *state, *nonce; /* NULL: none */
    const char *challenge;
    const char *scope;
    const char *session_id; /* NULL: not created yet */
    int has_code;
} idv_oidc_login_t;

/* The browser of a login at a client. */
typedef struct {
    const char *organization_id, *client_id;
    idv_bytes_t digest; /* of its cookie */
} idv_oidc_browser_t;

/* Stores LOGIN of BROWSER, which has an id; its session may be one that the
 * browser has already verified. */
idv_error_t *idv_oidc_login_create(idv_db_t *db, const idv_oidc_login_t *login,
                                   const idv_oidc_browser_t *browser,
                                   idv_time_t now,
                                   apr_pool_t *pool) IDV_CHECKED;

/* Replaces the request of an unfinished login by the one in LOGIN, so that it
 * continues the session. */
idv_error_t *idv_oidc_login_take_over(idv_db_t *db,
                                      const idv_oidc_login_t *login,
                                      apr_pool_t *pool) IDV_CHECKED;

/* The login ID of BROWSER; NULL: it has none. */
idv_error_t *idv_oidc_login_find(idv_db_t *db,
                                 const idv_oidc_browser_t *browser,
                                 const char *id, idv_oidc_login_t **login,
                                 apr_pool_t *pool) IDV_CHECKED;

/* Its latest login of TYPE; NULL: none. */
idv_error_t *idv_oidc_login_latest(idv_db_t *db,
                                   const idv_oidc_browser_t *browser,
                                   const char *type, idv_oidc_login_t **login,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The ids of its latest logins by SESSION_ID, at most IDV_OIDC_LOGINS_MAX, an
 * array of const char *. */
#define IDV_OIDC_LOGINS_MAX 100
idv_error_t *idv_oidc_logins_of_session(idv_db_t *db,
                                        const idv_oidc_browser_t *browser,
                                        const char *session_id,
                                        apr_array_header_t **ids,
                                        apr_pool_t *pool) IDV_CHECKED;

idv_error_t *idv_oidc_login_set_session(idv_db_t *db,
                                        const idv_oidc_login_t *login,
                                        const char *session_id,
                                        apr_pool_t *pool) IDV_CHECKED;

/* Gives LOGIN a new code, valid from NOW; NULL in *CODE: it has had one. */
idv_error_t *idv_oidc_login_issue(idv_db_t *db, const idv_oidc_login_t *login,
                                  idv_time_t now, const char **code,
                                  apr_pool_t *pool) IDV_CHECKED;

/* A code and the client that presents it. */
typedef struct {
    const char *organization_id, *client_id;
    const char *code;
    idv_time_t now;
} idv_oidc_redemption_t;

/* Spends the code; *LOGIN is NULL if it is not valid. Then *IS_REUSED says that
 * it was presented before, which is recorded. */
idv_error_t *idv_oidc_login_redeem(idv_db_t *db,
                                   const idv_oidc_redemption_t *redemption,
                                   idv_oidc_login_t **login, int *is_reused,
                                   apr_pool_t *pool) IDV_CHECKED;

#endif
