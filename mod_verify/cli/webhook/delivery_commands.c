/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/file_input.h"
#include "domain/webhook/signature_diagnosis.h"
#include "store/webhook/webhook_delivery.h"
#include "store/webhook/webhook_endpoint.h"
#include "store/webhook/webhook_recovery.h"

/* Webhook deliveries and their results: list, explain and resend them, one at a
 * time or all that were missed in a period. */

/* --- deliveries --- */

/* A member of a JSON text. New reference. */
static json_t *member_of(const char *text, const char *name, apr_pool_t *pool)
{
    json_t *object = text ? idv_json_load(text, pool) : NULL;
    json_t *value = json_object_get(object, name);

    return value ? json_incref(value) : json_null();
}

/* The record without the request and response bodies, since either may be about
 * a person. */
static json_t *delivery_json(const idv_webhook_delivery_t *delivery,
                             apr_pool_t *pool)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:I, s:I}",
        "id", delivery->id, "object", "webhook_delivery", "webhook_endpoint_id",
        delivery->endpoint_id, "event_id", delivery->event_id, "event_type",
        delivery->event_type, "status", delivery->status, "attempt",
        delivery->attempt, "next_attempt_at",
        idv_json_integer_or_null(idv_time_seconds(delivery->next_attempt_at)),
        "status_code", member_of(delivery->response, "status_code", pool),
        "error", member_of(delivery->last_error, "code", pool), "delivered_at",
        idv_json_integer_or_null(idv_time_seconds(delivery->delivered_at)),
        "created", (json_int_t)idv_time_seconds(delivery->created), "updated",
        (json_int_t)idv_time_seconds(delivery->updated));
}

/* An endpoint that does not exist would look like one without deliveries. */
static idv_error_t *check_endpoint(const idv_call_t *call, const char *id)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_webhook_endpoint_t *endpoint;
    idv_error_t *error = NULL;

    if (id)
        error = idv_webhook_endpoint_find(call->db, &scope, id, &endpoint,
                                          call->pool);
    return error && error->code == IDV_E_RESOURCE_MISSING
             ? idv_error_param(call->pool, "endpoint", "No such endpoint.")
             : error;
}

/* The times and statuses that CALL asks for, in SEARCH. */
static idv_error_t *read_search(const idv_call_t *call,
                                idv_webhook_delivery_search_t *search)
{
    const apr_int64_t times[2] = {0, IDV_LATEST_SECOND};
    const char *http_status = idv_call_option(call, "http-status");
    apr_int64_t since = 0, until = IDV_LATEST_SECOND;
    idv_webhook_answers_t *answers;
    int status = -1;

    IDV_TRY(idv_call_limit(call, &search->of.cursor.limit));
    IDV_TRY(idv_call_number(call, "since", times, &since));
    IDV_TRY(idv_call_number(call, "until", times, &until));
    search->created_from = since * IDV_SECOND;
    search->created_before = until * IDV_SECOND;
    IDV_TRY(idv_call_choice(call, "status", idv_webhook_delivery_statuses,
                            &status));
    if (status >= 0)
        search->of.status = idv_webhook_delivery_statuses[status];
    if (search->event_id && !idv_id_is(IDV_ID_EVENT, search->event_id))
        return idv_error_param(call->pool, "event", "Not the ID of an event.");
    if (!http_status)
        return NULL;
    answers = apr_palloc(call->pool, sizeof(*answers));
    IDV_TRY(idv_webhook_answers_read(http_status, answers, call->pool));
    search->answers = answers;
    if (search->of.status || search->of.event_type || search->event_id)
        return idv_error_param(call->pool, "http-status",
                               "Cannot be combined with status, type or event.");
    return NULL;
}

IDV_COMMAND(delivery_list)
{
    idv_webhook_delivery_search_t search = {
        .of = {.organization_id = idv_call_option(call, "org"),
               .endpoint_id = idv_call_option(call, "endpoint"),
               .cursor.starting_after = idv_call_option(call, "starting-after"),
               .event_type = idv_call_option(call, "type")},
        .event_id = idv_call_option(call, "event"),
    };
    apr_array_header_t *deliveries;
    int has_more;

    IDV_TRY(read_search(call, &search));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(check_endpoint(call, search.of.endpoint_id));
    IDV_TRY(idv_webhook_delivery_list_all(call->db, &search, &deliveries,
                                          &has_more, call->pool));
    *answer = json_array();
    for (int i = 0; i < deliveries->nelts; i++)
        json_array_append_new(
            *answer,
            delivery_json(APR_ARRAY_IDX(deliveries, i, idv_webhook_delivery_t *),
                          call->pool));
    return NULL;
}

/* The delivery in the first argument, if its endpoint still exists. */
static idv_error_t *find_key(const idv_call_t *call,
                             idv_webhook_delivery_key_t *key)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_webhook_endpoint_t *endpoint;

    key->organization_id = scope.organization_id;
    key->id = call->arguments[0];
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_webhook_delivery_find_endpoint(call->db, key, call->pool));
    return idv_webhook_endpoint_find(call->db, &scope, key->endpoint_id,
                                     &endpoint, call->pool);
}

/* The object in a JSON text, or null. New reference. */
static json_t *object_of(const char *text, apr_pool_t *pool)
{
    return text ? json_incref(idv_json_load(text, pool)) : json_null();
}

IDV_COMMAND(delivery_show)
{
    int is_whole = idv_call_option(call, "personal") != NULL;
    idv_webhook_delivery_key_t key;
    idv_webhook_delivery_t *delivery;
    json_t *request, *response;

    IDV_TRY(find_key(call, &key));
    IDV_TRY(idv_webhook_delivery_find(call->db, &key, &delivery, call->pool));
    response = object_of(delivery->response, call->pool);
    request = json_pack("{s:s?, s:o}", "url", delivery->request_url, "headers",
                        object_of(delivery->request_headers, call->pool));
    if (is_whole)
        json_object_set_new(request, "body",
                            delivery->body ? json_string(delivery->body)
                                           : json_null());
    else if (json_is_object(response)) {
        json_object_del(response, "headers");
        json_object_del(response, "body");
    }
    *answer = delivery_json(delivery, call->pool);
    json_object_set_new(*answer, "request", request);
    json_object_set_new(*answer, "response", response);
    json_object_set_new(*answer, "last_error",
                        object_of(delivery->last_error, call->pool));
    return NULL;
}

IDV_COMMAND(delivery_retry)
{
    idv_webhook_delivery_key_t key;
    idv_webhook_delivery_t *delivery;

    IDV_TRY(find_key(call, &key));
    IDV_TRY(idv_webhook_delivery_requeue(call->db, &key, idv_time_now(),
                                         call->pool));
    IDV_TRY(
        idv_webhook_delivery_find(call->db, &key, &delivery, call->pool));
    *answer = delivery_json(delivery, call->pool);
    return NULL;
}

/* --- signatures that are not accepted --- */

#define RECEIVED_MAX 400000 /* bytes of a body, as in the dashboard */

/* The content of the file PATH as a text; NULL if PATH is NULL. */
static idv_error_t *read_body(const char *path, const char **text,
                              apr_pool_t *pool)
{
    idv_bytes_t content;

    *text = NULL;
    if (!path)
        return NULL;
    IDV_TRY(idv_file_input_read("body", path, RECEIVED_MAX, &content, pool));
    *text = (const char *)content.data;
    return strlen(*text) == content.length
             ? NULL
             : idv_error_param(pool, "body",
                               "Must be text, but contains a null byte.");
}

/* Findings that do not explain anything because nothing is wrong. */
static int is_good(idv_signature_finding_t finding)
{
    return finding == IDV_SIGNATURE_HEADER_GENUINE
        || finding == IDV_SIGNATURE_BODY_SAME
        || finding == IDV_SIGNATURE_COMPUTED_RIGHT;
}

IDV_COMMAND(delivery_diagnose)
{
    const idv_scope_t scope = {.organization_id = idv_call_option(call, "org")};
    idv_signature_question_t question = {
        .header = idv_call_option(call, "signature"),
        .computed = idv_call_option(call, "computed"),
        .now = idv_time_now(),
    };
    idv_webhook_delivery_key_t key;
    idv_webhook_delivery_t *delivery;
    unsigned found;

    IDV_TRY(read_body(idv_call_option(call, "body"), &question.received,
                      call->pool));
    IDV_TRY(find_key(call, &key));
    IDV_TRY(idv_webhook_delivery_find(call->db, &key, &delivery, call->pool));
    if (!delivery->body)
        return idv_error_param(call->pool, NULL,
                               "The event of this delivery was removed.");
    question.sent = delivery->body;
    IDV_TRY(idv_webhook_secret_find(
        call->db,
        &(const idv_webhook_secret_query_t){
            .keyring = call->keyring, .scope = scope, .id = key.endpoint_id},
        &question.secret, call->pool));
    found = idv_signature_diagnose(&question, call->pool);
    *answer = json_array();
    for (int i = 0; i < IDV_SIGNATURE_FINDING_COUNT; i++) {
        idv_signature_finding_t finding = (idv_signature_finding_t)i;

        if (!(found & (1u << i)))
            continue;
        call->found_faults |= !is_good(finding);
        json_array_append_new(
            *answer, json_pack("{s:s, s:s}", "finding",
                               idv_signature_finding_name(finding), "meaning",
                               idv_signature_finding_meaning(finding)));
    }
    return NULL;
}

/* The terminal form: meanings are sentences, too long for a column. */
static void print_findings(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *finding;
    size_t i;

    (void)pool;
    json_array_foreach (answer, i, finding)
        fprintf(out, "  %-28s %s\n",
                json_string_value(json_object_get(finding, "finding")),
                json_string_value(json_object_get(finding, "meaning")));
}

/* --- recoveries --- */

#define RECOVERIES_SHOWN 100

static json_t *recovery_json(const idv_webhook_recovery_t *recovery)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:o, s:I, s:I, s:I, s:I, "
        "s:I, s:o}",
        "id", recovery->id, "object", "webhook_recovery", "organization_id",
        recovery->organization_id, "webhook_endpoint_id", recovery->endpoint_id,
        "since", (json_int_t)idv_time_seconds(recovery->since), "until",
        (json_int_t)idv_time_seconds(recovery->until), "status",
        recovery->status, "position", recovery->position, "examined_until",
        idv_json_integer_or_null(idv_time_seconds(recovery->examined_until)),
        "events_examined", (json_int_t)recovery->events_examined,
        "deliveries_requeued", (json_int_t)recovery->deliveries_requeued,
        "deliveries_created", (json_int_t)recovery->deliveries_created,
        "created", (json_int_t)idv_time_seconds(recovery->created), "updated",
        (json_int_t)idv_time_seconds(recovery->updated), "finished_at",
        idv_json_integer_or_null(idv_time_seconds(recovery->finished_at)));
}

/* The endpoint of --endpoint, in the organization of --org if the command has
 * that option, else in any organization. */
static idv_error_t *find_owner(const idv_call_t *call,
                               idv_webhook_recovery_owner_t *owner)
{
    idv_error_t *error;

    owner->endpoint_id = idv_call_option(call, "endpoint");
    owner->organization_id = idv_call_option(call, "org");
    if (owner->organization_id) {
        IDV_TRY(idv_call_organization(call));
        return check_endpoint(call, owner->endpoint_id);
    }
    error = idv_webhook_endpoint_find_organization(
        call->db, owner->endpoint_id, &owner->organization_id, call->pool);
    return error && error->code == IDV_E_RESOURCE_MISSING
             ? idv_error_param(call->pool, "endpoint", "No such endpoint.")
             : error;
}

IDV_COMMAND(recover)
{
    const apr_int64_t bounds[2] = {0, IDV_LATEST_SECOND};
    apr_int64_t since = 0, until = IDV_LATEST_SECOND;
    idv_webhook_recovery_order_t order = {.now = idv_time_now()};
    idv_webhook_recovery_owner_t owner;
    idv_webhook_recovery_t *recovery;

    IDV_TRY(idv_call_number(call, "since", bounds, &since));
    IDV_TRY(idv_call_number(call, "until", bounds, &until));
    IDV_TRY(idv_webhook_recovery_window(since, until, order.now, order.window,
                                        call->pool));
    IDV_TRY(find_owner(call, &owner));
    order.scope.organization_id = owner.organization_id;
    order.endpoint_id = owner.endpoint_id;
    IDV_TRY(
        idv_webhook_recovery_create(call->db, &order, &recovery, call->pool));
    *answer = recovery_json(recovery);
    return NULL;
}

IDV_COMMAND(recovery_status)
{
    idv_webhook_recovery_t *recovery;

    IDV_TRY(idv_webhook_recovery_find_any(call->db, call->arguments[0],
                                          &recovery, call->pool));
    *answer = recovery_json(recovery);
    return NULL;
}

IDV_COMMAND(recoveries)
{
    idv_webhook_recovery_filter_t filter = {.cursor.limit = RECOVERIES_SHOWN};
    apr_array_header_t *found;
    int has_more;

    IDV_TRY(find_owner(call, &filter.of));
    IDV_TRY(idv_webhook_recovery_list(call->db, &filter, &found, &has_more,
                                      call->pool));
    *answer = json_array();
    for (int i = 0; i < found->nelts; i++)
        json_array_append_new(
            *answer, recovery_json(APR_ARRAY_IDX(found, i,
                                                 idv_webhook_recovery_t *)));
    return NULL;
}

static const char *const delivery_columns[] = {
    "id",          "event_type", "status",          "attempt",
    "status_code", "error",      "next_attempt_at", "created",
    NULL};
static const char *const recovery_columns[] = {
    "id",      "status", "since", "until", "deliveries_requeued",
    "deliveries_created", "created", NULL};

const idv_command_t idv_delivery_commands[] = {
    {.noun = "delivery",
     .verb = "list",
     .options = {"org! ORG", "endpoint WE_ID",
                 "status pending|delivered|failed", "type EVENT_TYPE",
                 "event EVENT_ID", "http-status 404|5xx|none|failing", "since UNIX",
                 "until UNIX", "limit N", "starting-after DELIVERY_ID"},
     .run = delivery_list,
     .columns = delivery_columns,
     .help = "list deliveries to one endpoint or to all, newest first,\n"
             "      without their bodies. --event: those of one event"},
    {.noun = "delivery",
     .verb = "show",
     .arguments = "DELIVERY_ID",
     .options = {"org! ORG", "personal?"},
     .run = delivery_show,
     .help = "print a delivery: its URL, headers and response. With\n"
             "      --personal also the exact body and the whole response"},
    {.noun = "delivery",
     .verb = "retry",
     .changes = 1,
     .arguments = "DELIVERY_ID",
     .options = {"org! ORG"},
     .run = delivery_retry,
     .help = "queue a delivery again, whatever its result was"},
    {.noun = "delivery",
     .verb = "diagnose",
     .needs_keyring = 1,
     .arguments = "DELIVERY_ID",
     .options = {"org! ORG", "signature! HEADER", "body FILE",
                 "computed SIGNATURE"},
     .run = delivery_diagnose,
     .print = print_findings,
     .help = "find out why a receiver does not accept the signature of a\n"
             "      delivery, from what it received (Service-Signature and body)\n"
             "      and what it computed. Exit status 1 if something is wrong.\n"
             "      Prints no secret"},
    {.noun = "delivery",
     .verb = "recover",
     .changes = 1,
     .options = {"org! ORG", "endpoint! WE_ID", "since! UNIX", "until UNIX"},
     .run = recover,
     .help = "queue again what an endpoint missed in a window of time (at\n"
             "      most 31 days): failed deliveries, and events without a\n"
             "      delivery to it. At most 100,000 deliveries, one recovery at a\n"
             "      time"},
    {.noun = "delivery",
     .verb = "recoveries",
     .options = {"org! ORG", "endpoint! WE_ID"},
     .run = recoveries,
     .columns = recovery_columns,
     .help = "list the last 100 recoveries of an endpoint and their progress"},
    {.noun = "webhook",
     .verb = "recover",
     .changes = 1,
     .options = {"endpoint! WE_ID", "since! UNIX", "until UNIX"},
     .run = recover,
     .help = "like delivery recover, for any organization"},
    {.noun = "webhook",
     .verb = "recovery-status",
     .arguments = "RECOVERY_ID",
     .run = recovery_status,
     .help = "print the progress of a recovery"},
    {.noun = "webhook",
     .verb = "recoveries",
     .options = {"endpoint! WE_ID"},
     .run = recoveries,
     .columns = recovery_columns,
     .help = "like delivery recoveries, for any organization"},
    {0},
};
