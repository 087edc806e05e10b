/* SPDX-License-Identifier: Apache-2.0 */
#include "api/oidc/login_subject.h"

#include <string.h>

#include "core/web_token.h"
#include "domain/oidc/id_token.h"
#include "store/session/session_lookup.h"

const char *idv_oidc_login_person(const idv_session_record_t *record)
{
    return record->verified_person_id ? record->verified_person_id
                                      : record->session->id;
}

static int is_text(const json_t *claims, const char *name, const char *expected)
{
    const char *text = json_string_value(json_object_get(claims, name));

    return text && strcmp(text, expected) == 0;
}

const char *idv_oidc_hint_subject(const idv_request_t *request,
                                  const char *client_id, const char *text)
{
    const char *issuer = request->services->settings->public_url;
    idv_web_token_t token;

    if (idv_web_token_parse(text, &token, request->pool)
        || !is_text(token.claims, "iss", issuer)
        || !is_text(token.claims, "aud", client_id))
        return NULL;
    return json_string_value(json_object_get(token.claims, "sub"));
}

static int is_of(const idv_oidc_hint_t *hint, const char *person_id,
                 const char *login_id, apr_pool_t *pool)
{
    const idv_oidc_subject_t about = {
        .client_id = hint->browser->client_id,
        .redirect_uri = hint->redirect_uri,
        .organization_id = hint->browser->organization_id,
        .login_id = login_id,
        .person_id = person_id,
    };

    return strcmp(idv_oidc_subject(hint->request->services->keyring, &about,
                                   pool),
                  hint->subject)
        == 0;
}

idv_error_t *idv_oidc_hint_check(idv_db_t *db, const idv_oidc_hint_t *hint,
                                 int *fits, apr_pool_t *pool)
{
    const idv_scope_t scope = {hint->browser->organization_id, NULL};
    idv_session_record_t *record;
    apr_array_header_t *logins;

    IDV_TRY(idv_session_find(db, &scope, hint->session_id, &record, pool));
    *fits = is_of(hint, idv_oidc_login_person(record), NULL, pool);
    if (*fits)
        return NULL;
    IDV_TRY(idv_oidc_logins_of_session(db, hint->browser, hint->session_id,
                                       &logins, pool));
    for (int i = 0; !*fits && i < logins->nelts; i++)
        *fits = is_of(hint, NULL, APR_ARRAY_IDX(logins, i, const char *), pool);
    return NULL;
}
