/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/oidc_clients: the applications of an
 * organization that log people in through OpenID Connect.
 *
 * The secret of a client appears only in the response that makes it. For an
 * Idempotency-Key, this response is stored sealed, like that of a key's
 * creation. A secret is replaced by a POST, because a repeated request must not
 * end the secret that the application still uses.
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "store/oidc/client_record.h"

#define JWKS_MEMBERS_MAX 10

/* --- lists --- */

static idv_error_t *read_clients(idv_db_t *db, idv_listing_t *listing,
                                 apr_pool_t *pool)
{
    return idv_oidc_client_page(
        db,
        &(const idv_page_query_t){
            .scope = {.organization_id = listing->request->organization_id},
            .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_client(idv_json_writer_t *page, const void *element,
                         apr_pool_t *pool)
{
    idv_json_put_raw(
        page, NULL,
        idv_oidc_client_text(*(idv_oidc_client_t *const *)element, NULL, pool));
}

idv_error_t *idv_oidc_client_api_list(idv_request_t *request)
{
    static const idv_list_t clients = {IDV_ID_OIDC_CLIENT, read_clients,
                                       write_client};

    return idv_list_respond(request, &clients);
}

/* --- changes --- */

typedef struct {
    const char *name, *workflow_id;
    const json_t *redirect_uris;
    const char *token_endpoint_auth_method, *id_token_signed_response_alg;
    const json_t *jwks;
    const char *scope;
    apr_int64_t overlap_minutes;
} input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(STRING, input_t, name, IDV_REQUIRED, 1, IDV_OIDC_NAME_MAX),
    IDV_PARAMETER(ID, input_t, workflow_id, IDV_REQUIRED, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER(STRINGS, input_t, redirect_uris, IDV_REQUIRED, 1,
                  IDV_OIDC_REDIRECT_URIS_MAX),
    IDV_PARAMETER_OF(STRING, input_t, token_endpoint_auth_method, 0,
                     idv_oidc_authentications),
    IDV_PARAMETER_OF(STRING, input_t, id_token_signed_response_alg, 0,
                     idv_oidc_algorithms),
    IDV_PARAMETER(OBJECT, input_t, jwks, 0, 0, JWKS_MEMBERS_MAX),
    IDV_PARAMETER_OF(STRING, input_t, scope, 0, idv_oidc_client_scopes),
    {0},
};

static const idv_parameter_t update_parameters[] = {
    IDV_PARAMETER(STRING, input_t, name, 0, 1, IDV_OIDC_NAME_MAX),
    IDV_PARAMETER(ID, input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER(STRINGS, input_t, redirect_uris, 0, 1,
                  IDV_OIDC_REDIRECT_URIS_MAX),
    IDV_PARAMETER_OF(STRING, input_t, id_token_signed_response_alg, 0,
                     idv_oidc_algorithms),
    IDV_PARAMETER(OBJECT, input_t, jwks, 0, 0, JWKS_MEMBERS_MAX),
    IDV_PARAMETER_OF(STRING, input_t, scope, 0, idv_oidc_client_scopes),
    {0},
};

static const idv_parameter_t rotate_parameters[] = {
    IDV_PARAMETER(INTEGER, input_t, overlap_minutes, 0, 0,
                  IDV_OIDC_OVERLAP_MAX),
    {0},
};

typedef struct {
    const idv_request_t *request;
    input_t input;
} change_t;

static const char *const *texts_of(const json_t *array, apr_pool_t *pool)
{
    size_t count = json_array_size(array);
    const char **texts = apr_pcalloc(pool, (count + 1) * sizeof(*texts));

    for (size_t i = 0; i < count; i++)
        texts[i] = json_string_value(json_array_get(array, i));
    return texts;
}

static int index_of(const char *const *values, const char *value)
{
    int i = 0;

    while (values[i] && strcmp(values[i], value) != 0)
        i++;
    return i;
}

/* Sets the members of CLIENT that INPUT names. */
static idv_error_t *apply(const input_t *input, idv_oidc_client_t *client,
                          apr_pool_t *pool)
{
    if (input->name)
        client->name = input->name;
    if (input->workflow_id)
        client->workflow_id = input->workflow_id;
    if (input->redirect_uris)
        client->redirect_uris = texts_of(input->redirect_uris, pool);
    if (input->token_endpoint_auth_method)
        client->authentication = index_of(idv_oidc_authentications,
                                          input->token_endpoint_auth_method);
    if (input->id_token_signed_response_alg)
        client->algorithm = idv_web_algorithm_parse(
            input->id_token_signed_response_alg);
    if (input->scope)
        client->scopes = idv_oidc_scopes_parse(input->scope);
    if (input->jwks) {
        client->keys = idv_oidc_client_keys(input->jwks);
        if (!client->keys)
            return idv_error_param(pool, "jwks", "must be a JWK set.");
    }
    return idv_oidc_client_check(client, pool);
}

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    const idv_request_t *request = change->request;
    idv_oidc_client_t client = {.organization_id = request->organization_id,
                                .algorithm = IDV_WEB_RS256,
                                .scopes = IDV_OIDC_ALL_SCOPES};
    const char *secret = NULL;

    IDV_TRY(apply(&change->input, &client, pool));
    if (client.authentication == IDV_OIDC_BY_SECRET)
        secret = idv_oidc_client_renew_secret(&client, 0, pool);
    IDV_TRY(idv_oidc_client_create(db, request->services->keyring, &client,
                                   pool));
    *answer = idv_oidc_client_text(&client, secret, pool);
    return NULL;
}

idv_error_t *idv_oidc_client_api_create(idv_request_t *request)
{
    change_t change = {.request = request};
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create, .baton = &change};

    IDV_TRY(idv_request_parameters(request, create_parameters, &change.input,
                                   NULL));
    return idv_write(request, &write);
}

static idv_error_t *update(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    idv_oidc_client_t *client;

    IDV_TRY(idv_oidc_client_lock(db, change->request->organization_id,
                                 idv_request_path(change->request, "id"),
                                 &client, pool));
    IDV_TRY(apply(&change->input, client, pool));
    IDV_TRY(idv_oidc_client_save(db, client, pool));
    *answer = idv_oidc_client_text(client, NULL, pool);
    return NULL;
}

idv_error_t *idv_oidc_client_api_update(idv_request_t *request)
{
    change_t change = {.request = request};
    const idv_write_t write = {
        .status = HTTP_OK, .work = update, .baton = &change};

    IDV_TRY(idv_request_parameters(request, update_parameters, &change.input,
                                   NULL));
    return idv_write(request, &write);
}

static idv_error_t *rotate(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    idv_time_t overlap = change->input.overlap_minutes * IDV_MINUTE;
    idv_oidc_client_t *client;
    const char *secret;

    IDV_TRY(idv_oidc_client_lock(db, change->request->organization_id,
                                 idv_request_path(change->request, "id"),
                                 &client, pool));
    if (client->authentication != IDV_OIDC_BY_SECRET)
        return idv_error_param(pool, NULL, "This client has no secret.");
    secret = idv_oidc_client_renew_secret(
        client, overlap ? change->request->now + overlap : 0, pool);
    IDV_TRY(idv_oidc_client_save(db, client, pool));
    *answer = idv_oidc_client_text(client, secret, pool);
    return NULL;
}

idv_error_t *idv_oidc_client_api_rotate_secret(idv_request_t *request)
{
    change_t change = {.request = request};
    const idv_write_t write = {
        .status = HTTP_OK, .work = rotate, .baton = &change};

    IDV_TRY(idv_request_parameters(request, rotate_parameters, &change.input,
                                   NULL));
    return idv_write(request, &write);
}

static idv_error_t *delete (idv_db_t *db, void *baton, const char **answer,
                            apr_pool_t *pool)
{
    const idv_request_t *request = baton;
    const char *id = idv_request_path(request, "id");

    IDV_TRY(idv_oidc_client_delete(db, request->organization_id, id, pool));
    *answer = idv_json_text(
        idv_json_own(json_pack("{s:s, s:s, s:b}", "id", id, "object",
                               "oidc_client", "deleted", 1),
                     pool),
        pool);
    return NULL;
}

idv_error_t *idv_oidc_client_api_delete(idv_request_t *request)
{
    const idv_write_t write = {
        .status = HTTP_OK, .work = delete, .baton = request};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- one client --- */

typedef struct {
    const idv_request_t *request;
    idv_oidc_client_t *client;
} search_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    search_t *search = baton;

    return idv_oidc_client_get(db, search->request->organization_id,
                               idv_request_path(search->request, "id"),
                               &search->client, pool);
}

idv_error_t *idv_oidc_client_api_retrieve(idv_request_t *request)
{
    search_t search = {.request = request};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &search));
    return idv_respond_text(
        request, HTTP_OK,
        idv_oidc_client_text(search.client, NULL, request->pool));
}
