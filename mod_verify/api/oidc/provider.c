/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What clients fetch about the OpenID Connect provider: its configuration
 * (OpenID Connect Discovery 1.0, 3) and its public keys.
 */
#include <apr_strings.h>

#include "api/http/response.h"
#include "domain/oidc/client.h"
#include "domain/oidc/id_token.h"
#include "store/oidc/signing_key.h"

#define EXPECTED_LENGTH 3000
/* Seconds, far less than the overlap of keys (store/oidc/signing_key.h). */
#define CACHED "public, max-age=900"

static void put_texts(idv_json_writer_t *object, const char *name,
                      const char *const *texts)
{
    idv_json_open_array(object, name);
    for (; *texts; texts++)
        idv_json_put_text(object, NULL, *texts);
    idv_json_close_array(object);
}

static void put_endpoints(idv_json_writer_t *object, const char *issuer)
{
    static const struct {
        const char *name, *path;
    } endpoints[] = {
        {"authorization_endpoint", "/v1/oidc/authorize"},
        {"token_endpoint", "/v1/oidc/token"},
        {"jwks_uri", "/v1/oidc/jwks"},
    };

    idv_json_put_text(object, "issuer", issuer);
    for (size_t i = 0; i < sizeof(endpoints) / sizeof(*endpoints); i++)
        idv_json_put_text(object, endpoints[i].name,
                          apr_pstrcat(object->pool, issuer, endpoints[i].path,
                                      NULL));
}

static void put_protocol(idv_json_writer_t *object)
{
    static const char *const scopes[] = {"openid",
#define X(name, value) value,
                                         IDV_OIDC_SCOPES(X)
#undef X
                                             NULL};
    static const char *const code[] = {"code", NULL};
    static const char *const query[] = {"query", NULL};
    static const char *const grant[] = {"authorization_code", NULL};
    static const char *const subject[] = {"pairwise", NULL};
    static const char *const challenge[] = {"S256", NULL};
    static const char *const prompts[] = {"none", "login", NULL};

    put_texts(object, "scopes_supported", scopes);
    put_texts(object, "response_types_supported", code);
    put_texts(object, "response_modes_supported", query);
    put_texts(object, "grant_types_supported", grant);
    put_texts(object, "subject_types_supported", subject);
    put_texts(object, "id_token_signing_alg_values_supported",
              idv_oidc_algorithms);
    put_texts(object, "token_endpoint_auth_methods_supported",
              idv_oidc_authentications);
    put_texts(object, "token_endpoint_auth_signing_alg_values_supported",
              idv_oidc_algorithms);
    put_texts(object, "code_challenge_methods_supported", challenge);
    put_texts(object, "prompt_values_supported", prompts);
    idv_json_put_boolean(object, "authorization_response_iss_parameter_supported",
                         1);
    idv_json_put_boolean(object, "claims_parameter_supported", 0);
    idv_json_put_boolean(object, "request_parameter_supported", 0);
    idv_json_put_boolean(object, "request_uri_parameter_supported", 0);
}

#define AGE_CLAIM(age) "age_over_" #age,

static void put_claims(idv_json_writer_t *object)
{
    static const char *const claims[] = {
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce",
        IDV_OIDC_AGES(AGE_CLAIM) "verified_claims", NULL};
    static const char *const verified[] = {
        "identity_verified", IDV_OIDC_AGES(AGE_CLAIM) NULL};
    static const char *const frameworks[] = {IDV_OIDC_TRUST_FRAMEWORK, NULL};
    static const char *const evidence[] = {"document", NULL};
    static const char *const methods[] = {"vdig", "vcrypt", "bvr", NULL};
    static const char *const normal[] = {"normal", NULL};

    put_texts(object, "claim_types_supported", normal);
    put_texts(object, "claims_supported", claims);
    idv_json_put_boolean(object, "verified_claims_supported", 1);
    put_texts(object, "trust_frameworks_supported", frameworks);
    put_texts(object, "claims_in_verified_claims_supported", verified);
    put_texts(object, "evidence_supported", evidence);
    put_texts(object, "documents_check_methods_supported", methods);
}

idv_error_t *idv_oidc_api_configuration(idv_request_t *request)
{
    const char *issuer = request->services->settings->public_url;
    idv_json_writer_t object;

    if (!issuer)
        return idv_error_new(IDV_E_RESOURCE_MISSING, request->pool);
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    put_endpoints(&object, issuer);
    put_protocol(&object);
    put_claims(&object);
    idv_json_close_object(&object);
    idv_respond_header(request, "Cache-Control", CACHED);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

typedef struct {
    idv_time_t now;
    apr_array_header_t *keys;
} keys_t;

static idv_error_t *list_keys(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    keys_t *found = baton;

    return idv_oidc_key_list(db, found->now, &found->keys, pool);
}

idv_error_t *idv_oidc_api_keys(idv_request_t *request)
{
    keys_t found = {.now = request->now};
    idv_json_writer_t object;

    IDV_TRY(idv_request_with_database(request, list_keys, &found));
    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_open_array(&object, "keys");
    for (int i = 0; i < found.keys->nelts; i++)
        idv_json_put_raw(
            &object, NULL,
            APR_ARRAY_IDX(found.keys, i, idv_oidc_key_t).public_key);
    idv_json_close_array(&object);
    idv_json_close_object(&object);
    idv_respond_header(request, "Cache-Control", CACHED);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}
