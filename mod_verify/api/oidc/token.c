/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POST /v1/oidc/token: a client exchanges a code for an ID token (OpenID
 * Connect Core 1.0, 3.1.3). Errors have the form of OAuth 2.0 (RFC 6749, 5.2).
 *
 * The standard requires an access token. No endpoint accepts this one, because
 * the ID token has all claims.
 *
 * The claims are made now, not at the login: a verification that was revoked
 * in between yields no token.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/http/response.h"
#include "api/oidc/client_authentication.h"
#include "api/oidc/login_subject.h"
#include "core/query_string.h"
#include "domain/oidc/id_token.h"
#include "store/gate/gate.h"
#include "store/oidc/login.h"
#include "store/oidc/signing_key.h"
#include "store/session/session_lookup.h"

#define ACCESS_TOKEN_BYTES 24
#define EXPECTED_LENGTH 2500

typedef struct {
    idv_request_t *request;
    const json_t *form;
    idv_oidc_client_t *client;
    const char *code, *redirect_uri, *verifier;
    idv_oidc_login_t *login;
    idv_gate_standing_t standing;
    idv_session_record_t *record;
    idv_web_key_t key;
    idv_oidc_error_t fault;
    int is_reused;
} exchange_t;

/* --- answers --- */

static idv_error_t *respond(idv_request_t *request, int status,
                            idv_json_writer_t *object)
{
    idv_json_close_object(object);
    idv_respond_header(request, "Cache-Control", "no-store");
    idv_respond_header(request, "Pragma", "no-cache");
    return idv_respond_text(request, status,
                            idv_json_writer_text(object, NULL));
}

static idv_error_t *refuse(idv_request_t *request,
                           const idv_oidc_error_t *fault)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "error", idv_oidc_error_value(fault->code));
    idv_json_put_text(&object, "error_description", fault->reason);
    if (fault->code == IDV_OIDC_INVALID_CLIENT
        && apr_table_get(request->r->headers_in, "Authorization"))
        idv_respond_header(request, "WWW-Authenticate", "Basic realm=\"oidc\"");
    return respond(request, idv_oidc_error_status(fault->code), &object);
}

/* --- the form --- */

static const char *text_of(const exchange_t *exchange, const char *name)
{
    const char *text =
        json_string_value(json_object_get(exchange->form, name));

    return text && *text ? text : NULL;
}

static void fail(exchange_t *exchange, idv_oidc_error_code_t code,
                 const char *reason)
{
    exchange->fault = (idv_oidc_error_t){code, reason};
}

static void read_form(exchange_t *exchange)
{
    const char *grant = text_of(exchange, "grant_type");

    exchange->code = text_of(exchange, "code");
    exchange->redirect_uri = text_of(exchange, "redirect_uri");
    exchange->verifier = text_of(exchange, "code_verifier");
    if (!grant)
        fail(exchange, IDV_OIDC_INVALID_REQUEST, "grant_type is required.");
    else if (strcmp(grant, "authorization_code") != 0)
        fail(exchange, IDV_OIDC_UNSUPPORTED_GRANT_TYPE,
             "grant_type must be authorization_code.");
    else if (!exchange->code || !exchange->redirect_uri)
        fail(exchange, IDV_OIDC_INVALID_REQUEST,
             "code and redirect_uri are required.");
    else if (!exchange->verifier)
        fail(exchange, IDV_OIDC_INVALID_REQUEST,
             "code_verifier is required (PKCE, RFC 7636).");
}

/* --- the exchange --- */

static idv_error_t *redeem(idv_db_t *db, exchange_t *exchange,
                           apr_pool_t *pool)
{
    const idv_oidc_redemption_t redemption = {
        exchange->client->organization_id, exchange->client->id,
        exchange->code, exchange->request->now};

    IDV_TRY(idv_oidc_login_redeem(db, &redemption, &exchange->login,
                                  &exchange->is_reused, pool));
    if (!exchange->login)
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "The code is unknown, expired, used, or another client's.");
    else if (strcmp(exchange->login->redirect_uri, exchange->redirect_uri) != 0)
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "redirect_uri is not that of the authorization request.");
    else if (!idv_oidc_client_has_redirect_uri(exchange->client,
                                               exchange->login->redirect_uri))
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "redirect_uri is no longer registered.");
    else if (!idv_oidc_verifier_fits(exchange->verifier,
                                     exchange->login->challenge, pool))
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "code_verifier does not fit the code_challenge.");
    else if (idv_oidc_scopes_parse(exchange->login->scope)
             & ~exchange->client->scopes)
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "The client is no longer registered for this scope.");
    return NULL;
}

static idv_error_t *find_session(idv_db_t *db, exchange_t *exchange,
                                 apr_pool_t *pool)
{
    const idv_oidc_login_t *login = exchange->login;
    const idv_scope_t scope = {login->organization_id, NULL};

    IDV_TRY(idv_gate_standing(
        db,
        &(const idv_gate_query_t){.organization_id = login->organization_id,
                                  .id = login->session_id,
                                  .now = exchange->request->now},
        &exchange->standing, pool));
    if (!exchange->standing.in_force) {
        fail(exchange, IDV_OIDC_INVALID_GRANT,
             "The verification is no longer valid.");
        return NULL;
    }
    return idv_session_find(db, &scope, login->session_id, &exchange->record,
                            pool);
}

static idv_error_t *exchange_code(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    exchange_t *exchange = baton;
    const idv_request_t *request = exchange->request;

    IDV_TRY(redeem(db, exchange, pool));
    if (!exchange->fault.code)
        IDV_TRY(find_session(db, exchange, pool));
    if (exchange->fault.code)
        return NULL;
    return idv_oidc_key_open(
        db, request->services->keyring,
        &(const idv_oidc_key_wish_t){.algorithm = exchange->client->algorithm,
                                     .now = request->now},
        &exchange->key, pool);
}

/* --- the tokens --- */

static const char *claims_of(const exchange_t *exchange)
{
    const idv_request_t *request = exchange->request;
    const idv_oidc_login_t *login = exchange->login;
    unsigned scopes = idv_oidc_scopes_parse(login->scope);
    const idv_oidc_subject_t about = {
        .client_id = login->client_id,
        .redirect_uri = login->redirect_uri,
        .organization_id = login->organization_id,
        .login_id = login->id,
        .person_id = scopes & IDV_OIDC_SCOPE_BIT(IDENTITY)
                       ? idv_oidc_login_person(exchange->record)
                       : NULL,
    };
    const idv_oidc_id_token_t token = {
        .issuer = request->services->settings->public_url,
        .client_id = login->client_id,
        .subject = idv_oidc_subject(request->services->keyring, &about,
                                    request->pool),
        .nonce = login->nonce,
        .now = request->now,
        .scopes = scopes,
        .age = exchange->standing.age,
        .session = exchange->record->session,
    };

    return idv_oidc_id_token_claims(&token, request->pool);
}

static idv_error_t *answer(exchange_t *exchange)
{
    idv_request_t *request = exchange->request;
    idv_json_writer_t object;
    const char *token;

    IDV_TRY(idv_web_token_sign(&exchange->key, claims_of(exchange), &token,
                               request->pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "access_token",
                      idv_random_token(ACCESS_TOKEN_BYTES, request->pool));
    idv_json_put_text(&object, "token_type", "Bearer");
    idv_json_put_integer(&object, "expires_in",
                         IDV_OIDC_TOKEN_VALIDITY / IDV_SECOND);
    idv_json_put_text(&object, "scope", exchange->login->scope);
    idv_json_put_text(&object, "id_token", token);
    return respond(request, HTTP_OK, &object);
}

static void report_reuse(const exchange_t *exchange)
{
    idv_request_t *request = exchange->request;
    idv_error_t *report =
        idv_error_new(IDV_E_PARAMETER_INVALID, request->pool);

    report->detail = apr_psprintf(request->pool,
                                  "a code of %s was presented again",
                                  exchange->client->id);
    request->response.failure = report;
}

idv_error_t *idv_oidc_api_token(idv_request_t *request)
{
    exchange_t exchange = {.request = request};
    json_t *form;

    if (!request->services->settings->public_url)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    if (idv_form_parse(request->body, &form, request->pool)) {
        fail(&exchange, IDV_OIDC_INVALID_REQUEST, "The form is malformed.");
        return refuse(request, &exchange.fault);
    }
    exchange.form = form;
    IDV_TRY(request->services->count_visitor(
        request, "oidc token", request->services->settings->rate_limit_secret));
    IDV_TRY(idv_oidc_authenticate(request, form, &exchange.client,
                                  &exchange.fault));
    if (!exchange.fault.code)
        read_form(&exchange);
    if (!exchange.fault.code)
        IDV_TRY(idv_request_with_database(request, exchange_code, &exchange));
    if (!exchange.fault.code)
        return answer(&exchange);
    IDV_TRY(refuse(request, &exchange.fault));
    if (exchange.is_reused)
        report_reuse(&exchange);
    return NULL;
}
