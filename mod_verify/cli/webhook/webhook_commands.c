/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "domain/request/parameters.h"
#include "domain/value/issued_secret.h"
#include "domain/value/url.h"
#include "domain/webhook/event.h"
#include "store/account/organization.h"
#include "store/webhook/event.h"
#include "store/webhook/webhook_endpoint.h"
#include "store/webhook/webhook_statistics.h"

/* Events, and the endpoints that receive them as webhooks. */

/* --- events --- */

/* The event. Unless the operator requested them, it lacks the members of its
 * object that are about a person or that the customer has derived from one. */
static json_t *event_json(const idv_call_t *call, const char *text)
{
    json_t *event = json_incref(idv_json_load(text, call->pool));
    json_t *object =
        json_object_get(json_object_get(event, "data"), "object");
    const char *status = json_string_value(json_object_get(object, "status"));

    if (!idv_call_option(call, "personal"))
        json_object_set_new(
            event, "data",
            json_pack("{s:{s:s?, s:s?, s:s?}}", "object", "id",
                      json_string_value(json_object_get(object, "id")),
                      "object",
                      json_string_value(json_object_get(object, "object")),
                      "status", status));
    return event;
}

/* A row of the list: the subject of an event, without its object. */
static json_t *event_row(const idv_call_t *call, const char *text)
{
    json_t *event = idv_json_load(text, call->pool);
    json_t *object =
        json_object_get(json_object_get(event, "data"), "object");

    return json_pack(
        "{s:O, s:s, s:O, s:s?, s:s?, s:O}", "id", json_object_get(event, "id"),
        "object", "event", "type", json_object_get(event, "type"), "object_id",
        json_string_value(json_object_get(object, "id")), "status",
        json_string_value(json_object_get(object, "status")), "created",
        json_object_get(event, "created"));
}

IDV_COMMAND(event_list)
{
    const apr_int64_t times[2] = {0, IDV_LATEST_SECOND};
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_event_filter_t filter = {
        .cursor.starting_after = idv_call_option(call, "starting-after"),
        .object_id = idv_call_option(call, "about")};
    apr_int64_t since = 0, until = IDV_LATEST_SECOND;
    apr_array_header_t *events;
    int has_more, type = -1;

    IDV_TRY(idv_call_limit(call, &filter.cursor.limit));
    IDV_TRY(idv_call_choice(call, "type", idv_event_type_values, &type));
    IDV_TRY(idv_call_number(call, "since", times, &since));
    IDV_TRY(idv_call_number(call, "until", times, &until));
    filter.type = type >= 0 ? idv_event_type_values[type] : NULL;
    filter.created_from = since * IDV_SECOND;
    filter.created_before = until * IDV_SECOND;
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_event_list(
        call->db, &(const idv_event_query_t){.scope = scope, .filter = filter},
        &events, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < events->nelts; i++)
        json_array_append_new(
            *answer, event_row(call, APR_ARRAY_IDX(events, i, const char *)));
    return NULL;
}

IDV_COMMAND(event_show)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    const char *text;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_event_find(call->db, &scope, call->arguments[0], &text,
                           call->pool));
    *answer = event_json(call, text);
    return NULL;
}

/* --- endpoints --- */

static json_t *endpoint_json(const idv_webhook_endpoint_t *endpoint)
{
    json_t *types = json_array();

    for (const char *const *type = endpoint->enabled_events; *type; type++)
        json_array_append_new(types, json_string(*type));
    return json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:s?, s:s, s:o, s:O, s:i, s:o, s:o, s:I,"
        " s:I}",
        "id", endpoint->id, "object", "webhook_endpoint", "name",
        endpoint->name, "description", endpoint->description, "url",
        endpoint->url, "application_id", endpoint->application_id,
        "status", endpoint->status, "enabled_events", types,
        "metadata", endpoint->metadata, "consecutive_failures",
        endpoint->consecutive_failures, "failing_since",
        idv_json_integer_or_null(idv_time_seconds(endpoint->failing_since)),
        "next_attempt_at",
        idv_json_integer_or_null(idv_time_seconds(endpoint->next_attempt_at)),
        "created", (json_int_t)idv_time_seconds(endpoint->created), "updated",
        (json_int_t)idv_time_seconds(endpoint->updated));
}

IDV_COMMAND(endpoint_list)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    /* An organization cannot have more. */
    const idv_cursor_t cursor = {.limit = IDV_WEBHOOK_ENDPOINTS_MAX};
    apr_array_header_t *endpoints;
    int has_more;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_endpoint_list(
        call->db, &(const idv_page_query_t){.scope = scope, .cursor = cursor},
        &endpoints, &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < endpoints->nelts; i++)
        json_array_append_new(
            *answer, endpoint_json(APR_ARRAY_IDX(endpoints, i,
                                                 idv_webhook_endpoint_t *)));
    return NULL;
}

static const char *const statistics_columns[] = {
    "id",      "deliveries", "delivered", "failed",
    "pending", "median_ms",  "p95_ms",    NULL};

IDV_COMMAND(endpoint_statistics)
{
    IDV_TRY(idv_call_organization(call));
    return idv_webhook_statistics(call->db, idv_call_option(call, "org"),
                                  answer, call->pool);
}

IDV_COMMAND(endpoint_show)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_webhook_endpoint_t *endpoint;

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_endpoint_find(call->db, &scope, call->arguments[0],
                                      &endpoint, call->pool));
    *answer = endpoint_json(endpoint);
    return NULL;
}

/* The types in --events, separated by commas; by default all types. */
static idv_error_t *read_events(const idv_call_t *call,
                                const char *const **types)
{
    const char *given = idv_call_option(call, "events");
    json_t *list = idv_json_own(json_array(), call->pool);
    apr_array_header_t *names = apr_array_make(call->pool, 4, sizeof(char *));
    char *state, *rest = apr_pstrdup(call->pool, given ? given : "*");

    for (const char *name = apr_strtok(rest, ",", &state); name;
         name = apr_strtok(NULL, ",", &state)) {
        json_array_append_new(list, json_string(name));
        APR_ARRAY_PUSH(names, const char *) = name;
    }
    IDV_TRY(idv_event_subscription_check(list, "events", call->pool));
    APR_ARRAY_PUSH(names, const char *) = NULL;
    *types = (const char *const *)names->elts;
    return NULL;
}

/* The application of --app, if given, must belong to the organization. */
static idv_error_t *check_application(const idv_call_t *call,
                                      const char *application_id)
{
    const idv_scope_t scope = {idv_call_option(call, "org"), application_id};
    idv_organization_standing_t standing;
    idv_error_t *error = NULL;

    if (application_id)
        error = idv_organization_standing(call->db, &scope, &standing,
                                          call->pool);
    return error && error->code == IDV_E_RESOURCE_MISSING
             ? idv_error_param(call->pool, "app", "No such application.")
             : error;
}

/* Only the server knows whether it may send to this address
 * (VerifyWebhookAllow). It checks that whenever it sends. */
static idv_error_t *read_texts(const idv_call_t *call, const char **url)
{
    static const struct {
        const char *name;
        apr_size_t max;
    } texts[] = {{"name", IDV_ENDPOINT_NAME_MAX},
                 {"description", IDV_ENDPOINT_DESCRIPTION_MAX},
                 {"url", IDV_URL_MAX}};

    *url = idv_call_option(call, "url");
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const char *text = idv_call_option(call, texts[i].name);

        if (text && (*text || text == *url)) /* "" means none */
            IDV_TRY(idv_call_text(call, texts[i].name, texts[i].max));
    }
    return *url
             ? idv_url_normalize(*url, IDV_URL_WEBHOOK, "url", url, call->pool)
             : NULL;
}

/* The object in --metadata; *METADATA is unchanged if it was not given. */
static idv_error_t *read_metadata(const idv_call_t *call, json_t **metadata)
{
    typedef struct {
        const json_t *metadata;
    } input_t;
    static const idv_parameter_t table[] = {
        IDV_PARAMETER(METADATA, input_t, metadata, 0, 0,
                      IDV_METADATA_PAIRS_MAX),
        {0}};
    const char *text = idv_call_option(call, "metadata");
    idv_parameters_t given = {0};
    input_t input = {0};
    json_t *object;

    if (!text)
        return NULL;
    if (idv_json_parse(text, strlen(text), &object, call->pool))
        return idv_error_param(call->pool, "metadata",
                               "Expected a JSON object.");
    given.values = idv_json_own(json_pack("{s:O}", "metadata", object),
                                call->pool);
    IDV_TRY(idv_parameters_read(&given, table, &input, NULL, call->pool));
    *metadata = (json_t *)input.metadata;
    return NULL;
}

/* NULL if it is "". */
static const char *text_or_none(const idv_call_t *call, const char *name)
{
    const char *text = idv_call_option(call, name);

    return text && *text ? text : NULL;
}

IDV_COMMAND(endpoint_create)
{
    const char *secret = idv_webhook_secret_new(call->pool);
    idv_webhook_endpoint_t endpoint = {
        .application_id = idv_call_option(call, "app"),
        .name = text_or_none(call, "name"),
        .status = "enabled",
        .description = text_or_none(call, "description"),
        .metadata = idv_json_own(json_object(), call->pool),
        .created = idv_time_now(),
    };
    idv_bytes_t sealed;

    IDV_TRY(read_texts(call, &endpoint.url));
    IDV_TRY(read_events(call, &endpoint.enabled_events));
    IDV_TRY(read_metadata(call, &endpoint.metadata));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(check_application(call, endpoint.application_id));
    endpoint.updated = endpoint.created;
    endpoint.id =
        idv_id_new(IDV_ID_WEBHOOK_ENDPOINT, endpoint.created, call->pool);
    IDV_TRY(idv_webhook_secret_seal(call->keyring, endpoint.id, secret, &sealed,
                                    call->pool));
    IDV_TRY(idv_webhook_endpoint_insert(call->db, idv_call_option(call, "org"),
                                        &endpoint, sealed, call->pool));
    *answer = endpoint_json(&endpoint);
    json_object_set_new(*answer, "secret", json_string(secret));
    return NULL;
}

/* Options that were not given leave their values unchanged. */
static idv_error_t *apply_options(const idv_call_t *call, const char *url,
                                  idv_webhook_endpoint_t *endpoint)
{
    if (idv_call_option(call, "name"))
        endpoint->name = text_or_none(call, "name");
    if (idv_call_option(call, "description"))
        endpoint->description = text_or_none(call, "description");
    if (url)
        idv_webhook_endpoint_set_url(endpoint, url);
    if (idv_call_option(call, "events"))
        IDV_TRY(read_events(call, &endpoint->enabled_events));
    IDV_TRY(read_metadata(call, &endpoint->metadata));
    endpoint->updated = idv_time_now();
    return NULL;
}

IDV_COMMAND(endpoint_update)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_webhook_endpoint_t *endpoint;
    const char *url;

    if (apr_table_elts(call->options)->nelts == 1)
        return idv_error_param(call->pool, NULL,
                               "Nothing to change: pass --url, --events, "
                               "--name, --description or --metadata.");
    IDV_TRY(read_texts(call, &url));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_endpoint_lock(call->db, &scope, call->arguments[0],
                                      &endpoint, call->pool));
    IDV_TRY(apply_options(call, url, endpoint));
    IDV_TRY(idv_webhook_endpoint_save(call->db, scope.organization_id, endpoint,
                                      call->pool));
    *answer = endpoint_json(endpoint);
    return NULL;
}

/* The response of the endpoint is in the delivery, once a server has sent
 * it. */
IDV_COMMAND(endpoint_test)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    int type = IDV_EVENT_SESSION_VERIFIED;
    idv_time_t now = idv_time_now();
    idv_event_draft_t draft = {.organization_id = scope.organization_id,
                               .created = now};
    idv_event_sample_t sample = {scope.organization_id, now};
    idv_webhook_endpoint_t *endpoint;
    const char *delivery_id;
    idv_event_text_t text;
    json_t *object;

    IDV_TRY(idv_call_choice(call, "type", idv_event_type_values, &type));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_endpoint_find(call->db, &scope, call->arguments[0],
                                      &endpoint, call->pool));
    draft.type = (idv_event_type_t)type;
    draft.application_id = endpoint->application_id;
    object = idv_event_sample_json(&sample, draft.type, call->pool);
    draft.object = idv_json_text(object, call->pool);
    draft.object_id = idv_event_sample_object_id(object);
    IDV_TRY(idv_event_insert_test(
        call->db,
        &(const idv_event_test_t){.draft = &draft, .endpoint_id = endpoint->id},
        &text, &delivery_id, call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:I, s:s}", "id", text.id, "object",
                        "event", "type", idv_event_type_value(draft.type),
                        "created", (json_int_t)idv_time_seconds(now),
                        "delivery_id", delivery_id);
    return NULL;
}

IDV_COMMAND(endpoint_delete)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_endpoint_remove(call->db, &scope, call->arguments[0],
                                        idv_time_now(), call->pool));
    *answer = json_pack("{s:s, s:s, s:b}", "id", call->arguments[0], "object",
                        "webhook_endpoint", "deleted", 1);
    return NULL;
}

/* Changes the status of an endpoint and answers with the endpoint. */
typedef struct {
    idv_scope_t scope;
    const char *id;
    const char *status;
    idv_webhook_endpoint_t *endpoint;
} switch_t;

static idv_error_t *set_status(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    switch_t *change = baton;

    IDV_TRY(idv_webhook_endpoint_lock(db, &change->scope, change->id,
                                      &change->endpoint, pool));
    if (strcmp(change->endpoint->status, change->status) == 0)
        return NULL;
    change->endpoint->status = change->status;
    change->endpoint->updated = idv_time_now();
    return idv_webhook_endpoint_save(db, change->scope.organization_id,
                                     change->endpoint, pool);
}

static idv_error_t *switch_endpoint(idv_call_t *call, const char *status,
                                    json_t **answer)
{
    switch_t change = {
        .scope.organization_id = idv_call_option(call, "org"),
        .id = call->arguments[0],
        .status = status,
    };

    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_db_transaction(call->db, set_status, &change, call->pool));
    *answer = endpoint_json(change.endpoint);
    return NULL;
}

IDV_COMMAND(endpoint_disable)
{
    return switch_endpoint(call, "disabled", answer);
}

IDV_COMMAND(endpoint_enable)
{
    return switch_endpoint(call, "enabled", answer);
}

#define MINUTES_MAX (IDV_WEBHOOK_OVERLAP_MAX / IDV_MINUTE)

/* A new secret, sealed with the keyring. */
typedef struct {
    const idv_keyring_t *keyring;
    idv_scope_t scope;
    idv_webhook_secret_rotation_t of;
} rotation_t;

static idv_error_t *rotate(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    rotation_t *rotation = baton;

    return idv_webhook_secret_rotate(db, rotation->keyring, &rotation->scope,
                                     &rotation->of, pool);
}

IDV_COMMAND(endpoint_rotate_secret)
{
    const apr_int64_t bounds[2] = {1, MINUTES_MAX};
    rotation_t rotation = {
        .keyring = call->keyring,
        .scope.organization_id = idv_call_option(call, "org"),
        .of = {.id = call->arguments[0],
               .secret = idv_webhook_secret_new(call->pool),
               .now = idv_time_now()},
    };
    apr_int64_t minutes = 0;

    IDV_TRY(idv_call_number(call, "overlap-minutes", bounds, &minutes));
    rotation.of.overlap = minutes * IDV_MINUTE;
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_db_transaction(call->db, rotate, &rotation, call->pool));
    *answer = endpoint_json(rotation.of.endpoint);
    json_object_set_new(*answer, "secret", json_string(rotation.of.secret));
    json_object_set_new(*answer, "former_secret_signs_until",
                        idv_json_integer_or_null(
                            minutes ? idv_time_seconds(rotation.of.now
                                                       + rotation.of.overlap)
                                    : 0));
    return NULL;
}

static const char *const event_columns[] = {"id",     "type",    "object_id",
                                            "status", "created", NULL};
static const char *const endpoint_columns[] = {
    "id", "status", "url", "consecutive_failures", "failing_since", NULL};
const idv_command_t idv_webhook_commands[] = {
    {.noun = "event",
     .verb = "list",
     .options = {"org! ORG", "type EVENT_TYPE", "about ID", "since UNIX",
                 "until UNIX", "limit N", "starting-after EVENT_ID"},
     .run = event_list,
     .columns = event_columns,
     .help = "list events, newest first, whether they were sent or not"},
    {.noun = "event",
     .verb = "show",
     .arguments = "EVENT_ID",
     .options = {"org! ORG", "personal?"},
     .run = event_show,
     .help = "print an event; with --personal as it was sent, with personal\n"
             "      data"},
    {.noun = "endpoint",
     .verb = "list",
     .options = {"org! ORG"},
     .run = endpoint_list,
     .columns = endpoint_columns,
     .help = "list the webhook endpoints of an organization and their state"},
    {.noun = "endpoint",
     .verb = "statistics",
     .options = {"org! ORG"},
     .run = endpoint_statistics,
     .columns = statistics_columns,
     .help = "count how the newest 100 deliveries of each webhook endpoint\n"
             "      ended and how long the responses took"},
    {.noun = "endpoint",
     .verb = "show",
     .arguments = "WE_ID",
     .options = {"org! ORG"},
     .run = endpoint_show,
     .help = "print a webhook endpoint, without its secret"},
    {.noun = "endpoint",
     .verb = "create",
     .changes = 1,
     .needs_keyring = 1,
     .options = {"org! ORG", "app APP", "url! URL", "events TYPE,TYPE",
                 "name NAME", "description TEXT", "metadata JSON"},
     .run = endpoint_create,
     .help = "create a webhook endpoint for these event types, or for all,\n"
             "      of the organization or of one application, and print its\n"
             "      signing secret once"},
    {.noun = "endpoint",
     .verb = "update",
     .changes = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG", "url URL", "events TYPE,TYPE", "name NAME",
                 "description TEXT", "metadata JSON"},
     .run = endpoint_update,
     .help = "change the given settings of an endpoint. \"\" removes its\n"
             "      name or description, --events '*' selects all event types"},
    {.noun = "endpoint",
     .verb = "test",
     .changes = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG", "type EVENT_TYPE"},
     .run = endpoint_test,
     .help = "send an event with made-up content only to this endpoint.\n"
             "      delivery show prints the response"},
    {.noun = "endpoint",
     .verb = "delete",
     .changes = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG"},
     .run = endpoint_delete,
     .help = "delete an endpoint permanently; pending deliveries are not\n"
             "      sent"},
    {.noun = "endpoint",
     .verb = "disable",
     .changes = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG"},
     .run = endpoint_disable,
     .help = "send nothing more to an endpoint"},
    {.noun = "endpoint",
     .verb = "enable",
     .changes = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG"},
     .run = endpoint_enable,
     .help = "send new events to an endpoint again"},
    {.noun = "endpoint",
     .verb = "rotate-secret",
     .changes = 1,
     .needs_keyring = 1,
     .arguments = "WE_ID",
     .options = {"org! ORG", "overlap-minutes N"},
     .run = endpoint_rotate_secret,
     .help = "replace the signing secret of an endpoint and print the new\n"
             "      one once. The new secret is used immediately. With\n"
             "      --overlap-minutes (at most 1440), webhook-signature also\n"
             "      contains the signature of the old secret for that time;\n"
             "      Service-Signature does not"},
    {0},
};
