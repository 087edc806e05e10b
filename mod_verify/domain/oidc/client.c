/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/oidc/client.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/value/issued_secret.h"
#include "domain/value/shown_name.h"
#include "domain/value/url.h"

#define SECRET_PREFIX "svc_oidc_"
#define SECRET_BYTES 32
#define EXPECTED_LENGTH 1000

const char *const idv_oidc_authentications[] = {
#define X(name, value) value,
    IDV_OIDC_AUTHENTICATIONS(X)
#undef X
        NULL};

const char *const idv_oidc_algorithms[] = {
#define X(name, value) value,
    IDV_WEB_ALGORITHMS(X)
#undef X
        NULL};

const char *const idv_oidc_client_scopes[] = {
    "openid age identity", "openid age", "openid identity", NULL};

const char *idv_oidc_client_text(const idv_oidc_client_t *client,
                                 const char *secret, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", client->id);
    idv_json_put_text(&object, "object", "oidc_client");
    idv_json_put_text(&object, "organization_id", client->organization_id);
    idv_json_put_text(&object, "workflow_id", client->workflow_id);
    idv_json_put_text(&object, "name", client->name);
    idv_json_open_array(&object, "redirect_uris");
    for (int i = 0; client->redirect_uris[i]; i++)
        idv_json_put_text(&object, NULL, client->redirect_uris[i]);
    idv_json_close_array(&object);
    idv_json_put_text(&object, "scope",
                      idv_oidc_scopes_text(client->scopes, pool));
    idv_json_put_text(&object, "token_endpoint_auth_method",
                      idv_oidc_authentications[client->authentication]);
    idv_json_put_text(&object, "id_token_signed_response_alg",
                      idv_web_algorithm_value(client->algorithm));
    if (client->keys) {
        idv_json_open_object(&object, "jwks");
        idv_json_put_value(&object, "keys", client->keys);
        idv_json_close_object(&object);
    } else {
        idv_json_put_null(&object, "jwks");
    }
    if (client->former_secret_ends)
        idv_json_put_seconds(&object, "former_secret_valid_until",
                             client->former_secret_ends);
    else
        idv_json_put_null(&object, "former_secret_valid_until");
    idv_json_put_seconds(&object, "created", client->created);
    idv_json_put_seconds(&object, "updated", client->updated);
    if (secret)
        idv_json_put_text(&object, "client_secret", secret);
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

static idv_error_t *check_redirect_uris(const idv_oidc_client_t *client,
                                        apr_pool_t *pool)
{
    int count = 0;

    for (; client->redirect_uris && client->redirect_uris[count]; count++) {
        const char *uri = client->redirect_uris[count];
        const char *param = apr_psprintf(pool, "redirect_uris[%d]", count);

        if (count == IDV_OIDC_REDIRECT_URIS_MAX)
            break;
        IDV_TRY(idv_url_check(uri, IDV_URL_REDIRECT, param, pool));
        if (strchr(uri, '#'))
            return idv_error_param(pool, param, "must not have a fragment.");
        if (strlen(uri) > IDV_OIDC_REDIRECT_URI_MAX)
            return idv_error_param(pool, param,
                                   "must have at most %d characters.",
                                   IDV_OIDC_REDIRECT_URI_MAX);
    }
    return count == 0 || client->redirect_uris[count]
             ? idv_error_param(pool, "redirect_uris",
                               "must be a list of 1 to %d URLs.",
                               IDV_OIDC_REDIRECT_URIS_MAX)
             : NULL;
}

const json_t *idv_oidc_client_keys(const json_t *document)
{
    const json_t *keys = json_is_object(document)
                           ? json_object_get(document, "keys")
                           : document;

    return json_is_array(keys) ? keys : NULL;
}

static idv_error_t *check_keys(const idv_oidc_client_t *client,
                               apr_pool_t *pool)
{
    size_t count = json_array_size(client->keys);

    if (client->authentication != IDV_OIDC_BY_KEY)
        return client->keys
                 ? idv_error_param(pool, "jwks",
                                   "is only for clients with "
                                   "private_key_jwt.")
                 : NULL;
    if (count == 0 || count > IDV_OIDC_KEYS_MAX)
        return idv_error_param(pool, "jwks", "must be a set of 1 to %d keys.",
                               IDV_OIDC_KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        idv_web_key_t key;
        idv_error_t *error =
            idv_web_key_parse(json_array_get(client->keys, i), &key, pool);

        if (error)
            return idv_error_param(pool, "jwks", "%s", error->message);
    }
    return NULL;
}

idv_error_t *idv_oidc_client_check(const idv_oidc_client_t *client,
                                   apr_pool_t *pool)
{
    IDV_TRY(idv_shown_name_check("name", client->name ? client->name : "",
                                 IDV_OIDC_NAME_MAX, pool));
    IDV_TRY(check_redirect_uris(client, pool));
    return check_keys(client, pool);
}

int idv_oidc_client_has_redirect_uri(const idv_oidc_client_t *client,
                                     const char *uri)
{
    for (int i = 0; client->redirect_uris[i]; i++)
        if (strcmp(client->redirect_uris[i], uri) == 0)
            return 1;
    return 0;
}

const char *idv_oidc_client_renew_secret(idv_oidc_client_t *client,
                                         idv_time_t former_ends,
                                         apr_pool_t *pool)
{
    char *secret = apr_pstrcat(pool, SECRET_PREFIX,
                               idv_random_token(SECRET_BYTES, pool), NULL);
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_wipe_with_pool(secret, strlen(secret), pool);
    idv_issued_secret_digest(secret, digest);
    client->former_secret_digest =
        former_ends ? client->secret_digest : (idv_bytes_t){NULL, 0};
    client->former_secret_ends = former_ends;
    client->secret_digest = (idv_bytes_t){digest, IDV_DIGEST_SIZE};
    return secret;
}

static int is_digest(idv_bytes_t kept, const unsigned char *digest)
{
    return kept.length == IDV_DIGEST_SIZE
        && idv_equal_constant_time(kept.data, digest, IDV_DIGEST_SIZE);
}

int idv_oidc_client_secret_is(const idv_oidc_client_t *client,
                              const char *secret, idv_time_t now)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_issued_secret_digest(secret, digest);
    return is_digest(client->secret_digest, digest)
        || (now < client->former_secret_ends
            && is_digest(client->former_secret_digest, digest));
}
