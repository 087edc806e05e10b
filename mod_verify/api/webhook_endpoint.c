/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/webhook_endpoints: creating, retrieving and listing.
 */
#include <string.h>

#include <apr_strings.h>

#include "api/idempotency.h"
#include "api/page.h"
#include "api/response.h"
#include "core/id.h"
#include "domain/event.h"
#include "domain/limits.h"
#include "domain/url.h"
#include "store/webhook_endpoint.h"

static idv_scope_t scope_of(const idv_request_t *request)
{
    return (idv_scope_t){request->key->organization_id,
                         request->key->application_id};
}

static json_t *texts_json(const char *const *texts)
{
    json_t *array = json_array();

    for (; *texts; texts++)
        json_array_append_new(array, json_string(*texts));
    return array;
}

/* SECRET is NULL but on creation. */
static json_t *endpoint_json(const idv_webhook_endpoint_t *endpoint,
                             const char *secret)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:o, s:s, s:s?, s:O, s:I, s:I}", "id",
        endpoint->id, "object", "webhook_endpoint", "application_id",
        endpoint->application_id, "name", endpoint->name, "url", endpoint->url,
        "enabled_events", texts_json(endpoint->enabled_events), "status",
        endpoint->status, "description", endpoint->description, "metadata",
        endpoint->metadata, "created",
        (json_int_t)idv_time_seconds(endpoint->created), "updated",
        (json_int_t)idv_time_seconds(endpoint->updated));

    if (object && secret)
        json_object_set_new(object, "secret", json_string(secret));
    return object;
}

/* --- creation --- */

typedef struct {
    const char *name;
    const char *url;
    const json_t *enabled_events;
    const char *description;
    const json_t *metadata;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(STRING, create_input_t, name, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_NAME_MAX),
    IDV_PARAMETER(STRING, create_input_t, url, IDV_REQUIRED, 1, IDV_URL_MAX),
    IDV_PARAMETER(STRINGS, create_input_t, enabled_events, IDV_REQUIRED, 1,
                  IDV_EVENT_TYPE_COUNT),
    IDV_PARAMETER(STRING, create_input_t, description, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_DESCRIPTION_MAX),
    IDV_PARAMETER(OBJECT, create_input_t, metadata, 0, 0,
                  IDV_METADATA_PAIRS_MAX),
    {0},
};

typedef struct {
    idv_request_t *request;
    idv_webhook_endpoint_t endpoint;
    const char *secret;
    idv_idempotency_t *idempotency;
    idv_stored_answer_t *replay;
    const char *body;
    int conflict;
} creation_t;

static idv_error_t *check_create(const idv_request_t *request,
                                 const create_input_t *input)
{
    apr_pool_t *pool = request->pool;
    const char *name;
    json_t *value;

    /* In document order, as the types were checked. */
    json_object_foreach (request->parameters, name, value) {
        if (strcmp(name, "url") == 0)
            IDV_TRY(idv_url_check(input->url, IDV_URL_WEBHOOK, name, pool));
        else if (strcmp(name, "enabled_events") == 0)
            IDV_TRY(idv_event_subscription_check(value, name, pool));
        else if (strcmp(name, "metadata") == 0)
            IDV_TRY(idv_param_metadata(value, name, pool));
    }
    return NULL;
}

static void fill_endpoint(const idv_request_t *request,
                          const create_input_t *input,
                          idv_webhook_endpoint_t *endpoint)
{
    size_t count = json_array_size(input->enabled_events);
    const char **events =
        apr_pcalloc(request->pool, (count + 1) * sizeof(*events));

    for (size_t i = 0; i < count; i++)
        events[i] = json_string_value(json_array_get(input->enabled_events, i));
    endpoint->id =
        idv_id_new(IDV_ID_WEBHOOK_ENDPOINT, request->now, request->pool);
    endpoint->application_id = request->key->application_id;
    endpoint->name = input->name;
    endpoint->url = input->url;
    endpoint->enabled_events = events;
    endpoint->status = "enabled";
    endpoint->description = input->description;
    endpoint->metadata = input->metadata
        ? (json_t *)input->metadata
        : idv_json_own(json_object(), request->pool);
    endpoint->created = endpoint->updated = request->now;
}

static idv_error_t *insert(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    creation_t *creation = baton;
    const idv_request_t *request = creation->request;
    idv_stored_answer_t answer = {HTTP_CREATED, creation->body};
    idv_bytes_t sealed;
    int stored = 1;

    if (creation->idempotency) {
        IDV_TRY(idv_idempotency_find(db, creation->idempotency,
                                     &creation->replay, pool));
        if (creation->replay)
            return NULL;
    }
    IDV_TRY(idv_webhook_secret_seal(request->services->keyring,
                                    creation->endpoint.id, creation->secret,
                                    &sealed, pool));
    IDV_TRY(idv_webhook_endpoint_insert(db, request->key->organization_id,
                                        &creation->endpoint, sealed, pool));
    if (creation->idempotency)
        IDV_TRY(idv_idempotency_store(db, creation->idempotency, &answer,
                                      &stored, pool));
    creation->conflict = !stored;
    return stored ? NULL : idv_error_new(IDV_E_IDEMPOTENCY_IN_PROGRESS, pool);
}

idv_error_t *idv_webhook_endpoint_api_create(idv_request_t *request)
{
    create_input_t input = {0};
    creation_t creation = {.request = request};
    idv_error_t *error;

    IDV_TRY(idv_parameters_read(request, create_parameters, &input));
    IDV_TRY(check_create(request, &input));
    IDV_TRY(idv_idempotency_of_request(request, &creation.idempotency));
    fill_endpoint(request, &input, &creation.endpoint);
    creation.secret = idv_webhook_secret_new(request->pool);
    IDV_TRY(idv_json_dump(
        idv_json_own(endpoint_json(&creation.endpoint, creation.secret),
                     request->pool),
        &creation.body, NULL, request->pool));
    error = idv_request_transaction(request, insert, &creation);
    if (creation.conflict) /* the faster one's answer is there now */
        error = idv_request_transaction(request, insert, &creation);
    IDV_TRY(error);
    if (creation.replay)
        return idv_idempotency_replay(request, creation.replay);
    return idv_respond_bytes(request, HTTP_CREATED, NULL,
                             (idv_bytes_t){(const unsigned char *)creation.body,
                                           strlen(creation.body)});
}

/* --- retrieval and lists --- */

typedef struct {
    idv_scope_t scope;
    const char *id;
    idv_webhook_endpoint_t *endpoint;
} retrieval_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    retrieval_t *retrieval = baton;

    return idv_webhook_endpoint_find(db, &retrieval->scope, retrieval->id,
                                     &retrieval->endpoint, pool);
}

idv_error_t *idv_webhook_endpoint_api_retrieve(idv_request_t *request)
{
    retrieval_t retrieval = {.scope = scope_of(request),
                             .id = idv_request_path(request, "id")};

    IDV_TRY(idv_parameters_none(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_json(request, HTTP_OK,
                            endpoint_json(retrieval.endpoint, NULL));
}

typedef struct {
    idv_page_t page;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t),
    {0},
};

typedef struct {
    idv_scope_t scope;
    idv_cursor_t cursor;
    apr_array_header_t *endpoints;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_webhook_endpoint_list(db, &listing->scope, &listing->cursor,
                                     &listing->endpoints, &listing->has_more,
                                     pool);
}

idv_error_t *idv_webhook_endpoint_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {.scope = scope_of(request)};
    json_t *data;

    IDV_TRY(idv_parameters_read(request, list_parameters, &input));
    IDV_TRY(idv_page_check(&input.page, IDV_ID_WEBHOOK_ENDPOINT,
                           request->pool));
    listing.cursor = idv_page_cursor(&input.page);
    IDV_TRY(idv_request_with_database(request, list, &listing));
    data = json_array();
    for (int i = 0; i < listing.endpoints->nelts; i++)
        json_array_append_new(
            data, endpoint_json(APR_ARRAY_IDX(listing.endpoints, i,
                                              idv_webhook_endpoint_t *),
                                NULL));
    return idv_page_respond(request, data, listing.has_more);
}
