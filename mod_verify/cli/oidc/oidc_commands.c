/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "store/oidc/client_record.h"
#include "store/oidc/signing_key.h"

/* Clients and keys of the OpenID Connect provider. */

#define JWKS_MAX (64 * 1024) /* bytes of a file */

/* --- answers --- */

/* SECRET is that of a new client, or a new one; otherwise NULL. */
static json_t *client_json(const idv_oidc_client_t *client, const char *secret,
                           apr_pool_t *pool)
{
    return json_incref(
        idv_json_load(idv_oidc_client_text(client, secret, pool), pool));
}

/* --- parameters --- */

/* The addresses of --redirect-uri, with spaces between them. */
static void read_redirect_uris(const idv_call_t *call,
                               idv_oidc_client_t *client)
{
    const char *option = idv_call_option(call, "redirect-uri");
    char **uris;

    if (option && apr_tokenize_to_argv(option, &uris, call->pool) == APR_SUCCESS)
        client->redirect_uris = (const char *const *)uris;
}

static idv_error_t *read_keys(const idv_call_t *call, idv_oidc_client_t *client)
{
    const char *path = idv_call_option(call, "jwks");
    json_t *document;

    if (!path)
        return NULL;
    IDV_TRY(idv_json_file_read(path, JWKS_MAX, &document, call->pool));
    client->keys = idv_oidc_client_keys(document);
    return client->keys ? NULL
                        : idv_error_param(call->pool, "jwks",
                                          "Expected a JWK set.");
}

/* Sets the members of CLIENT that options name. */
static idv_error_t *read_client(const idv_call_t *call,
                                idv_oidc_client_t *client)
{
    int algorithm = client->algorithm, scope = 0;
    const char *name = idv_call_option(call, "name");
    const char *workflow = idv_call_option(call, "workflow");

    if (name)
        client->name = name;
    if (workflow)
        client->workflow_id = workflow;
    read_redirect_uris(call, client);
    IDV_TRY(idv_call_choice(call, "alg", idv_oidc_algorithms, &algorithm));
    client->algorithm = algorithm;
    IDV_TRY(idv_call_choice(call, "scope", idv_oidc_client_scopes, &scope));
    if (idv_call_option(call, "scope"))
        client->scopes = idv_oidc_scopes_parse(idv_oidc_client_scopes[scope]);
    IDV_TRY(read_keys(call, client));
    return idv_oidc_client_check(client, call->pool);
}

/* --- clients --- */

IDV_COMMAND(client_create)
{
    idv_oidc_client_t client = {
        .organization_id = idv_call_option(call, "org"),
        .algorithm = IDV_WEB_RS256,
        .scopes = IDV_OIDC_ALL_SCOPES,
    };
    const char *secret = NULL;
    int way = IDV_OIDC_BY_SECRET;

    IDV_TRY(idv_call_choice(call, "auth", idv_oidc_authentications, &way));
    client.authentication = way;
    IDV_TRY(read_client(call, &client));
    if (way == IDV_OIDC_BY_SECRET)
        secret = idv_oidc_client_renew_secret(&client, 0, call->pool);
    IDV_TRY(idv_oidc_client_create(call->db, call->keyring, &client,
                                   call->pool));
    *answer = client_json(&client, secret, call->pool);
    return NULL;
}

static idv_error_t *find_client(idv_call_t *call, idv_oidc_client_t **client)
{
    IDV_TRY(idv_oidc_client_find(call->db, call->arguments[0], client,
                                 call->pool));
    if (!*client)
        return idv_error_new(IDV_E_RESOURCE_MISSING, call->pool);
    call->organization_id = (*client)->organization_id;
    return NULL;
}

/* The client that the command changes. */
static idv_error_t *lock_client(idv_call_t *call, idv_oidc_client_t **client)
{
    IDV_TRY(find_client(call, client));
    return idv_oidc_client_lock(call->db, (*client)->organization_id,
                                (*client)->id, client, call->pool);
}

IDV_COMMAND(client_list)
{
    const idv_cursor_t all = {.limit = 10000};
    apr_array_header_t *clients;
    int has_more;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_oidc_client_page(
        call->db,
        &(const idv_page_query_t){
            .scope = {.organization_id = idv_call_option(call, "org")},
            .cursor = all},
        &clients, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < clients->nelts; i++)
        json_array_append_new(
            *answer,
            client_json(APR_ARRAY_IDX(clients, i, idv_oidc_client_t *), NULL,
                        call->pool));
    return NULL;
}

IDV_COMMAND(client_update)
{
    idv_oidc_client_t *client;

    IDV_TRY(lock_client(call, &client));
    IDV_TRY(read_client(call, client));
    IDV_TRY(idv_oidc_client_save(call->db, client, call->pool));
    *answer = client_json(client, NULL, call->pool);
    return NULL;
}

IDV_COMMAND(client_rotate_secret)
{
    const apr_int64_t bounds[2] = {1, IDV_OIDC_OVERLAP_MAX};
    apr_int64_t minutes = 0;
    idv_oidc_client_t *client;
    const char *secret;

    IDV_TRY(idv_call_number(call, "overlap-minutes", bounds, &minutes));
    IDV_TRY(lock_client(call, &client));
    if (client->authentication != IDV_OIDC_BY_SECRET)
        return idv_error_param(call->pool, "client",
                               "This client has no secret.");
    secret = idv_oidc_client_renew_secret(
        client, minutes ? idv_time_now() + minutes * IDV_MINUTE : 0,
        call->pool);
    IDV_TRY(idv_oidc_client_save(call->db, client, call->pool));
    *answer = client_json(client, secret, call->pool);
    return NULL;
}

IDV_COMMAND(client_show)
{
    idv_oidc_client_t *client;

    IDV_TRY(find_client(call, &client));
    *answer = client_json(client, NULL, call->pool);
    return NULL;
}

IDV_COMMAND(client_delete)
{
    idv_oidc_client_t *client;

    IDV_TRY(find_client(call, &client));
    IDV_TRY(idv_oidc_client_delete(call->db, client->organization_id,
                                   client->id, call->pool));
    *answer = json_pack("{s:s, s:s, s:b}", "id", client->id, "object",
                        "oidc_client", "deleted", 1);
    return NULL;
}

/* --- keys --- */

static idv_error_t *list_keys(const idv_call_t *call, json_t **answer)
{
    apr_array_header_t *keys;

    IDV_TRY(idv_oidc_key_list(call->db, idv_time_now(), &keys, call->pool));
    *answer = json_array();
    for (int i = 0; i < keys->nelts; i++) {
        const idv_oidc_key_t *key = &APR_ARRAY_IDX(keys, i, idv_oidc_key_t);

        json_array_append_new(
            *answer,
            json_pack("{s:s, s:s, s:I, s:I, s:o}", "id", key->id, "alg",
                      idv_web_algorithm_value(key->algorithm), "created",
                      (json_int_t)idv_time_seconds(key->created), "signs_from",
                      (json_int_t)idv_time_seconds(key->signs_from), "ends_at",
                      idv_json_integer_or_null(idv_time_seconds(key->ends))));
    }
    return NULL;
}

IDV_COMMAND(key_list)
{
    return list_keys(call, answer);
}

IDV_COMMAND(key_rotate)
{
    idv_oidc_rotation_t rotation = {
        .keyring = call->keyring,
        .lead = idv_call_option(call, "now") ? 0 : IDV_OIDC_KEY_OVERLAP,
        .now = idv_time_now(),
    };
    int algorithm = IDV_WEB_RS256;

    IDV_TRY(idv_call_choice(call, "alg", idv_oidc_algorithms, &algorithm));
    rotation.algorithm = algorithm;
    IDV_TRY(idv_oidc_key_rotate(call->db, &rotation, call->pool));
    return list_keys(call, answer);
}

static const char *const client_columns[] = {
    "id", "name", "token_endpoint_auth_method", "workflow_id", "created", NULL};
static const char *const key_columns[] = {"id", "alg", "signs_from", "ends_at",
                                          NULL};

const idv_command_t idv_oidc_commands[] = {
    {.noun = "oidc client",
     .verb = "create",
     .changes = 1,
     .options = {"org! ORG", "name! NAME", "workflow! WF_ID",
                 "redirect-uri! URI",
                 "auth client_secret_basic|private_key_jwt|none",
                 "alg RS256|ES256", "jwks FILE", "scope SCOPE"},
     .needs_keyring = 1,
     .run = client_create,
     .help = "register an application that logs people in through OpenID\n"
             "      Connect, and print its secret once. Write several redirect URIs\n"
             "      in quotes, with spaces between them. --scope \"openid age\" or\n"
             "      \"openid identity\" restricts the scopes that it may request"},
    {.noun = "oidc client",
     .verb = "list",
     .options = {"org! ORG"},
     .run = client_list,
     .columns = client_columns,
     .help = "list the clients of an organization"},
    {.noun = "oidc client",
     .verb = "show",
     .arguments = "CLIENT_ID",
     .run = client_show,
     .help = "print a client"},
    {.noun = "oidc client",
     .verb = "update",
     .changes = 1,
     .arguments = "CLIENT_ID",
     .options = {"name NAME", "workflow WF_ID", "redirect-uri URI",
                 "alg RS256|ES256", "jwks FILE", "scope SCOPE"},
     .run = client_update,
     .help = "change a client"},
    {.noun = "oidc client",
     .verb = "rotate-secret",
     .changes = 1,
     .arguments = "CLIENT_ID",
     .options = {"overlap-minutes N"},
     .run = client_rotate_secret,
     .help = "replace the secret of a client and print the new one. With\n"
             "      --overlap-minutes (at most 1440), the former secret is\n"
             "      accepted as well for that long"},
    {.noun = "oidc client",
     .verb = "delete",
     .changes = 1,
     .arguments = "CLIENT_ID",
     .run = client_delete,
     .help = "delete a client and end its logins"},
    {.noun = "oidc key",
     .verb = "list",
     .run = key_list,
     .columns = key_columns,
     .help = "list the published keys that sign ID tokens"},
    {.noun = "oidc key",
     .verb = "rotate",
     .changes = 1,
     .options = {"alg RS256|ES256", "now?"},
     .needs_keyring = 1,
     .run = key_rotate,
     .columns = key_columns,
     .help = "create a key that signs ID tokens in an hour, when clients have\n"
             "      fetched it. --now replaces a key that leaked"},
    {0},
};
