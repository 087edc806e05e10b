/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/webhook_endpoints: creating, retrieving, listing, changing and deleting,
 * and the signing secret.
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "core/id.h"
#include "domain/request/parameters.h"
#include "domain/value/issued_secret.h"
#include "domain/value/url.h"
#include "domain/webhook/event.h"
#include "out/address_guard.h"
#include "store/webhook/webhook_endpoint.h"
#include "store/webhook/webhook_statistics.h"

#define EXPECTED_LENGTH 1000 /* of an endpoint */

static void put_texts(idv_json_writer_t *object, const char *name,
                      const char *const *texts)
{
    idv_json_open_array(object, name);
    for (; *texts; texts++)
        idv_json_put_text(object, NULL, *texts);
    idv_json_close_array(object);
}

/* SECRET is NULL unless it is new. */
static void write_endpoint(idv_json_writer_t *object,
                           const idv_webhook_endpoint_t *endpoint,
                           const char *secret)
{
    int enabled = strcmp(endpoint->status, "enabled") == 0;

    idv_json_open_object(object, NULL);
    idv_json_put_text(object, "id", endpoint->id);
    idv_json_put_text(object, "object", "webhook_endpoint");
    idv_json_put_text(object, "application_id", endpoint->application_id);
    idv_json_put_text(object, "name", endpoint->name);
    idv_json_put_text(object, "url", endpoint->url);
    put_texts(object, "enabled_events", endpoint->enabled_events);
    idv_json_put_text(object, "status", endpoint->status);
    idv_json_put_text(object, "description", endpoint->description);
    idv_json_put_value(object, "metadata", endpoint->metadata);
    idv_json_put_integer(object, "consecutive_failures",
                         endpoint->consecutive_failures);
    idv_json_put_seconds(object, "failing_since", endpoint->failing_since);
    idv_json_put_seconds(object, "next_attempt_at",
                         enabled ? endpoint->next_attempt_at : 0);
    idv_json_put_seconds(object, "created", endpoint->created);
    idv_json_put_seconds(object, "updated", endpoint->updated);
    if (secret)
        idv_json_put_text(object, "secret", secret);
    idv_json_close_object(object);
}

static const char *endpoint_text(const idv_webhook_endpoint_t *endpoint,
                                 const char *secret, apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_endpoint(&object, endpoint, secret);
    return idv_json_writer_text(&object, NULL);
}

/* --- shared by creation and update --- */

typedef struct {
    const char *name;
    const char *url;
    const json_t *enabled_events;
    const char *status;
    const char *description;
    const json_t *metadata;
    const idv_request_t *request; /* the source of this input */
} input_t;

/* Reports faults of the address now rather than through failing deliveries.
 * Address and names are checked again at each connection. */
static idv_error_t *check_address(const idv_request_t *request, const char *url,
                                  const char *name)
{
    const char *refusal = idv_address_host_refusal(
        idv_url_host(url, request->pool), request->services->webhook_allow);

    return refusal ? idv_error_param(request->pool, name,
                                     "must be publicly reachable. This address "
                                     "is not (%s).",
                                     refusal)
                   : NULL;
}

static idv_error_t *check_value(void *baton, const char *name, apr_pool_t *pool)
{
    const input_t *input = baton;

    if (strcmp(name, "url") == 0)
        return check_address(input->request, input->url, name);
    if (strcmp(name, "enabled_events") == 0)
        return idv_event_subscription_check(input->enabled_events, name, pool);
    return NULL;
}

static const char *const *read_texts(const json_t *array, apr_pool_t *pool)
{
    size_t count = json_array_size(array);
    const char **texts = apr_pcalloc(pool, (count + 1) * sizeof(*texts));

    for (size_t i = 0; i < count; i++)
        texts[i] = json_string_value(json_array_get(array, i));
    return texts;
}

/* The state of writes in this file. */
typedef struct {
    const idv_request_t *request;
    idv_scope_t scope;
    const char *id;       /* of the endpoint in the path; NULL: a new one */
    const input_t *input; /* NULL: without parameters */
} change_t;

static change_t make_change(const idv_request_t *request, const input_t *input)
{
    return (change_t){request, idv_request_scope(request),
                      idv_request_path(request, "id"), input};
}

/* --- creation --- */

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(STRING, input_t, name, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_NAME_MAX),
    IDV_PARAMETER(WEBHOOK_URL, input_t, url, IDV_REQUIRED, 1, IDV_URL_MAX),
    IDV_PARAMETER_HINT(STRINGS, input_t, enabled_events, IDV_REQUIRED, 1,
                       IDV_EVENT_TYPE_COUNT,
                       "a list of event types or `[\"*\"]`"),
    IDV_PARAMETER(STRING, input_t, description, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_DESCRIPTION_MAX),
    IDV_PARAMETER(METADATA, input_t, metadata, 0, 0, IDV_METADATA_PAIRS_MAX),
    {0},
};

static void fill_endpoint(const change_t *change,
                          idv_webhook_endpoint_t *endpoint)
{
    const idv_request_t *request = change->request;
    const input_t *input = change->input;

    *endpoint = (idv_webhook_endpoint_t){
        .id = idv_id_new(IDV_ID_WEBHOOK_ENDPOINT, request->now, request->pool),
        .application_id = change->scope.application_id,
        .name = input->name,
        .url = input->url,
        .enabled_events = read_texts(input->enabled_events, request->pool),
        .status = "enabled",
        .description = input->description,
        .metadata = input->metadata
                      ? (json_t *)input->metadata
                      : idv_json_own(json_object(), request->pool),
        .created = request->now,
        .updated = request->now,
    };
}

static idv_error_t *insert(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    const char *secret = idv_webhook_secret_new(pool);
    idv_webhook_endpoint_t endpoint;
    idv_bytes_t sealed;

    fill_endpoint(change, &endpoint);
    IDV_TRY(idv_webhook_secret_seal(change->request->services->keyring,
                                    endpoint.id, secret, &sealed, pool));
    IDV_TRY(idv_webhook_endpoint_insert(db, change->scope.organization_id,
                                        &endpoint, sealed, pool));
    *answer = endpoint_text(&endpoint, secret, pool);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_api_create(idv_request_t *request)
{
    input_t input = {.request = request};
    change_t change = make_change(request, &input);
    idv_write_t write = {
        .status = HTTP_CREATED, .work = insert, .baton = &change,
        .is_administrative = 1};

    IDV_TRY(idv_request_parameters(request, create_parameters, &input,
                                   check_value));
    return idv_write(request, &write);
}

/* --- changing --- */

static const char *const statuses[] = {"enabled", "disabled", NULL};

static const idv_parameter_t update_parameters[] = {
    IDV_PARAMETER(STRING, input_t, name, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_NAME_MAX),
    IDV_PARAMETER(WEBHOOK_URL, input_t, url, 0, 1, IDV_URL_MAX),
    IDV_PARAMETER_HINT(STRINGS, input_t, enabled_events, 0, 1,
                       IDV_EVENT_TYPE_COUNT,
                       "a list of event types or `[\"*\"]`"),
    IDV_PARAMETER_OF(STRING, input_t, status, 0, statuses),
    IDV_PARAMETER(STRING, input_t, description, IDV_NULLABLE, 0,
                  IDV_ENDPOINT_DESCRIPTION_MAX),
    IDV_PARAMETER(METADATA, input_t, metadata, 0, 0, IDV_METADATA_PAIRS_MAX),
    {0},
};

static int is_given(const change_t *change, const char *name)
{
    return json_object_get(change->request->parameters, name) != NULL;
}

/* Members that were not given keep their values. */
static void apply_input(const change_t *change,
                        idv_webhook_endpoint_t *endpoint)
{
    const input_t *input = change->input;

    if (is_given(change, "name"))
        endpoint->name = input->name;
    if (is_given(change, "description"))
        endpoint->description = input->description;
    if (input->status)
        endpoint->status = input->status;
    if (input->enabled_events)
        endpoint->enabled_events =
            read_texts(input->enabled_events, change->request->pool);
    if (input->metadata)
        endpoint->metadata = (json_t *)input->metadata;
    if (input->url)
        idv_webhook_endpoint_set_url(endpoint, input->url);
    endpoint->updated = change->request->now;
}

static idv_error_t *update(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    idv_webhook_endpoint_t *endpoint;

    IDV_TRY(idv_webhook_endpoint_lock(db, &change->scope, change->id, &endpoint,
                                      pool));
    apply_input(change, endpoint);
    IDV_TRY(idv_webhook_endpoint_save(db, change->scope.organization_id,
                                      endpoint, pool));
    *answer = endpoint_text(endpoint, NULL, pool);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_api_update(idv_request_t *request)
{
    input_t input = {.request = request};
    change_t change = make_change(request, &input);
    idv_write_t write = {.status = HTTP_OK, .work = update, .baton = &change,
                         .is_administrative = 1};

    IDV_TRY(idv_request_parameters(request, update_parameters, &input,
                                   check_value));
    return idv_write(request, &write);
}

static idv_error_t *rotate(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const change_t *change = baton;
    idv_webhook_secret_rotation_t rotation = {
        .id = change->id,
        .secret = idv_webhook_secret_new(pool),
        .now = change->request->now,
    };

    IDV_TRY(idv_webhook_secret_rotate(db, change->request->services->keyring,
                                      &change->scope, &rotation, pool));
    *answer = endpoint_text(rotation.endpoint, rotation.secret, pool);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_api_rotate_secret(idv_request_t *request)
{
    change_t change = make_change(request, NULL);
    idv_write_t write = {.status = HTTP_OK, .work = rotate, .baton = &change,
                         .is_administrative = 1};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

static idv_error_t *remove_endpoint(idv_db_t *db, void *baton,
                                    const char **answer, apr_pool_t *pool)
{
    const change_t *change = baton;
    idv_json_writer_t object;

    IDV_TRY(idv_webhook_endpoint_remove(db, &change->scope, change->id,
                                        change->request->now, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", change->id);
    idv_json_put_text(&object, "object", "webhook_endpoint");
    idv_json_put_boolean(&object, "deleted", 1);
    idv_json_close_object(&object);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_webhook_endpoint_api_delete(idv_request_t *request)
{
    change_t change = make_change(request, NULL);
    idv_write_t write = {
        .status = HTTP_OK, .work = remove_endpoint, .baton = &change,
        .is_administrative = 1};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
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
    retrieval_t retrieval = {.scope = idv_request_scope(request),
                             .id = idv_request_path(request, "id")};

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &retrieval));
    return idv_respond_text(
        request, HTTP_OK,
        endpoint_text(retrieval.endpoint, NULL, request->pool));
}

static idv_error_t *read_endpoints(idv_db_t *db, idv_listing_t *listing,
                                   apr_pool_t *pool)
{
    const idv_scope_t scope = idv_request_scope(listing->request);

    return idv_webhook_endpoint_list(
        db,
        &(const idv_page_query_t){.scope = scope, .cursor = listing->cursor},
        &listing->items, &listing->has_more, pool);
}

static void write_listed(idv_json_writer_t *page, const void *element,
                         apr_pool_t *pool)
{
    (void)pool;
    write_endpoint(page, *(idv_webhook_endpoint_t *const *)element, NULL);
}

idv_error_t *idv_webhook_endpoint_api_list(idv_request_t *request)
{
    static const idv_list_t endpoints = {IDV_ID_WEBHOOK_ENDPOINT,
                                         read_endpoints, write_listed};

    return idv_list_respond(request, &endpoints);
}

/* --- /dashboard/v1/organizations/:org/webhook_statistics --- */

typedef struct {
    const char *organization_id;
    json_t *endpoints;
} look_t;

static idv_error_t *look(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    return idv_webhook_statistics(db, look->organization_id, &look->endpoints,
                                  pool);
}

idv_error_t *idv_webhook_statistics_api_retrieve(idv_request_t *request)
{
    look_t work = {.organization_id = request->organization_id};
    json_t *object;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, look, &work));
    object = json_pack("{s:s, s:o}", "object", "webhook_statistics",
                       "endpoints", work.endpoints);
    idv_json_own(object, request->pool);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_text(object, request->pool));
}
