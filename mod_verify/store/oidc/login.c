/* SPDX-License-Identifier: Apache-2.0 */
#include "store/oidc/login.h"

#include <string.h>

#include "core/id.h"

#define CODE_BYTES 32

/* Columns of fragments/oidc_login_columns.sql. */
enum {
    ID,
    ORGANIZATION_ID,
    CLIENT_ID,
    TYPE,
    REDIRECT_URI,
    STATE,
    NONCE,
    CHALLENGE,
    SCOPE,
    SESSION_ID,
    HAS_CODE
};

/* The first of ROWS; NULL: there is none. */
static idv_oidc_login_t *read_login(const idv_db_result_t *rows,
                                    apr_pool_t *pool)
{
    idv_oidc_login_t *login;

    if (idv_db_rows(rows) == 0)
        return NULL;
    login = apr_pcalloc(pool, sizeof(*login));
    login->id = idv_db_get_text(rows, 0, ID);
    login->organization_id = idv_db_get_text(rows, 0, ORGANIZATION_ID);
    login->client_id = idv_db_get_text(rows, 0, CLIENT_ID);
    login->type = idv_db_get_text(rows, 0, TYPE);
    login->redirect_uri = idv_db_get_text(rows, 0, REDIRECT_URI);
    login->state = idv_db_get_text(rows, 0, STATE);
    login->nonce = idv_db_get_text(rows, 0, NONCE);
    login->challenge = idv_db_get_text(rows, 0, CHALLENGE);
    login->scope = idv_db_get_text(rows, 0, SCOPE);
    login->session_id = idv_db_get_text(rows, 0, SESSION_ID);
    login->has_code = idv_db_get_bool(rows, 0, HAS_CODE);
    return login;
}

idv_error_t *idv_oidc_login_create(idv_db_t *db, const idv_oidc_login_t *login,
                                   const idv_oidc_browser_t *browser,
                                   idv_time_t now, apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_OIDC_LOGIN_CREATE,
        IDV_DB_PARAMS(idv_db_text(browser->organization_id),
                      idv_db_text(login->id), idv_db_text(browser->client_id),
                      idv_db_bytes(browser->digest), idv_db_text(login->type),
                      idv_db_text(login->redirect_uri),
                      idv_db_text(login->state), idv_db_text(login->nonce),
                      idv_db_text(login->challenge), idv_db_text(login->scope),
                      idv_db_text(login->session_id), idv_db_time(now)),
        NULL, pool);
}

idv_error_t *idv_oidc_login_take_over(idv_db_t *db,
                                      const idv_oidc_login_t *login,
                                      apr_pool_t *pool)
{
    return idv_db_execute(
        db, IDV_SQL_OIDC_LOGIN_TAKE_OVER,
        IDV_DB_PARAMS(idv_db_text(login->organization_id),
                      idv_db_text(login->id), idv_db_text(login->redirect_uri),
                      idv_db_text(login->state), idv_db_text(login->nonce),
                      idv_db_text(login->challenge), idv_db_text(login->scope)),
        NULL, pool);
}

idv_error_t *idv_oidc_login_find(idv_db_t *db,
                                 const idv_oidc_browser_t *browser,
                                 const char *id, idv_oidc_login_t **login,
                                 apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *login = NULL;
    if (!idv_id_is(IDV_ID_OIDC_LOGIN, id))
        return NULL;
    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_LOGIN_FIND,
        IDV_DB_PARAMS(idv_db_text(browser->organization_id),
                      idv_db_text(browser->client_id), idv_db_text(id),
                      idv_db_bytes(browser->digest)),
        &rows, pool));
    *login = read_login(rows, pool);
    return NULL;
}

idv_error_t *idv_oidc_login_latest(idv_db_t *db,
                                   const idv_oidc_browser_t *browser,
                                   const char *type, idv_oidc_login_t **login,
                                   apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_LOGIN_FIND_LATEST,
        IDV_DB_PARAMS(idv_db_text(browser->organization_id),
                      idv_db_text(browser->client_id),
                      idv_db_bytes(browser->digest), idv_db_text(type)),
        &rows, pool));
    *login = read_login(rows, pool);
    return NULL;
}

idv_error_t *idv_oidc_logins_of_session(idv_db_t *db,
                                        const idv_oidc_browser_t *browser,
                                        const char *session_id,
                                        apr_array_header_t **ids,
                                        apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_OIDC_LOGIN_LIST_BY_SESSION,
        IDV_DB_PARAMS(idv_db_text(browser->organization_id),
                      idv_db_text(browser->client_id),
                      idv_db_bytes(browser->digest), idv_db_text(session_id),
                      idv_db_int(IDV_OIDC_LOGINS_MAX)),
        &rows, pool));
    *ids = apr_array_make(pool, idv_db_rows(rows), sizeof(char *));
    for (int i = 0; i < idv_db_rows(rows); i++)
        APR_ARRAY_PUSH(*ids, const char *) = idv_db_get_text(rows, i, 0);
    return NULL;
}

idv_error_t *idv_oidc_login_set_session(idv_db_t *db,
                                        const idv_oidc_login_t *login,
                                        const char *session_id,
                                        apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OIDC_LOGIN_SET_SESSION,
                          IDV_DB_PARAMS(idv_db_text(login->organization_id),
                                        idv_db_text(login->id),
                                        idv_db_text(session_id)),
                          NULL, pool);
}

idv_error_t *idv_oidc_login_issue(idv_db_t *db, const idv_oidc_login_t *login,
                                  idv_time_t now, const char **code,
                                  apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    apr_int64_t changed;

    *code = idv_random_token(CODE_BYTES, pool);
    idv_sha256(*code, strlen(*code), digest);
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_OIDC_LOGIN_ISSUE,
        IDV_DB_PARAMS(idv_db_text(login->organization_id),
                      idv_db_text(login->id),
                      idv_db_bytes((idv_bytes_t){digest, sizeof(digest)}),
                      idv_db_time(now + IDV_OIDC_CODE_VALIDITY)),
        &changed, pool));
    if (!changed)
        *code = NULL;
    return NULL;
}

idv_error_t *idv_oidc_login_redeem(idv_db_t *db,
                                   const idv_oidc_redemption_t *redemption,
                                   idv_oidc_login_t **login, int *is_reused,
                                   apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    const idv_db_param_t params[] = {
        idv_db_text(redemption->organization_id),
        idv_db_text(redemption->client_id),
        idv_db_bytes((idv_bytes_t){digest, sizeof(digest)}),
        idv_db_time(redemption->now)};
    apr_int64_t changed = 0;
    idv_db_result_t *rows;

    idv_sha256(redemption->code, strlen(redemption->code), digest);
    IDV_TRY(idv_db_query(db, IDV_SQL_OIDC_LOGIN_REDEEM,
                         (idv_db_params_t){params, 4}, &rows, pool));
    *login = read_login(rows, pool);
    if (!*login)
        IDV_TRY(idv_db_execute(db, IDV_SQL_OIDC_LOGIN_NOTE_REUSE,
                               (idv_db_params_t){params, 4}, &changed, pool));
    *is_reused = changed > 0;
    return NULL;
}
