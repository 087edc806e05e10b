/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_OIDC_LOGIN_SUBJECT_H
#define IDV_API_OIDC_LOGIN_SUBJECT_H

/*
 * Whom the subject of an ID token stands for, also of an earlier one that a
 * client sends to say whose login it expects (`id_token_hint`, OpenID Connect
 * Core 1.0, 3.1.2.1).
 *
 * - Of a hint, only the subject counts. It is a MAC that nobody else can compute,
 *   so the signature is not checked: the key may have been withdrawn since.
 * - The hint fits a session of the browser if it is the subject of the person,
 *   or of any earlier login of the browser by that session.
 *
 * Memory: the pool of the request. Threads: one request. Failures: those of
 * store/db/db.h.
 */
#include "api/http/request.h"
#include "store/oidc/login.h"
#include "store/session/session_record.h"

/* The person of a login with the scope `identity`. A verification without an
 * e-mail address has none. Its own id then identifies the person in later logins
 * by this verification. */
const char *idv_oidc_login_person(const idv_session_record_t *record);

/* The subject of TEXT; NULL if it is not an ID token of this service for the
 * client. */
const char *idv_oidc_hint_subject(const idv_request_t *request,
                                  const char *client_id, const char *text);

typedef struct {
    const idv_request_t *request;
    const idv_oidc_browser_t *browser;
    const char *redirect_uri; /* of the request */
    const char *session_id;   /* verified */
    const char *subject;
} idv_oidc_hint_t;

/* Sets *FITS if the subject belongs to the browser's session. */
idv_error_t *idv_oidc_hint_check(idv_db_t *db, const idv_oidc_hint_t *hint,
                                 int *fits, apr_pool_t *pool) IDV_CHECKED;

#endif
