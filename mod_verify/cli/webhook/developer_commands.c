/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "cli/command/api_client.h"
#include "core/json.h"
#include "core/terminal_text.h"
#include "domain/value/issued_secret.h"
#include "domain/webhook/event.h"
#include "out/webhook_signature.h"

/* For developers of an integration, with a sandbox key: forwards the sandbox's
 * events to their own machine and triggers events on request. */

#define POLL_MILLISECONDS 500
#define EVENTS "/v1/events?limit=100"
#define SESSIONS "/v1/verification_sessions"
#define STEPS_MAX 16 /* of a workflow */

#define CLIENT_OPTIONS "url URL", "key-file FILE", "ca-file FILE"

/* --- listen --- */

static volatile sig_atomic_t is_told_to_end;

static void on_signal(int signal)
{
    (void)signal;
    is_told_to_end = 1;
}

typedef struct {
    idv_api_client_t client;
    const char *url; /* the developer's */
    const idv_webhook_signer_t *signer;
    char last[64];     /* the event forwarded last */
    apr_int64_t since; /* Unix seconds, before the first event */
    apr_int64_t left;  /* events to forward; -1: without end */
} listener_t;

static void print_line(json_t *line, apr_pool_t *pool)
{
    char *text = json_dumps(line, JSON_COMPACT);

    if (text)
        puts(idv_terminal_text(text, pool));
    fflush(stdout);
    free(text);
    json_decref(line);
}

/* The result for an event: a readable line on a terminal, JSON elsewhere. */
static void print_forwarded(const idv_forwarding_t *forwarding, const char *id,
                            const char *type, apr_pool_t *pool)
{
    if (!isatty(STDOUT_FILENO)) {
        print_line(json_pack("{s:s, s:s, s:o, s:s?}", "event", id, "type", type,
                             "status",
                             idv_json_integer_or_null(forwarding->status),
                             "error", forwarding->why),
                   pool);
        return;
    }
    puts(idv_terminal_text(
        forwarding->status
            ? apr_psprintf(pool, "%s  %s  %ld", type, id, forwarding->status)
            : apr_psprintf(pool, "%s  %s  not delivered: %s", type, id,
                           forwarding->why ? forwarding->why : "no response"),
        pool));
    fflush(stdout);
}

static void print_secret(const listener_t *listener, const char *secret,
                         apr_pool_t *pool)
{
    if (!isatty(STDOUT_FILENO)) {
        print_line(json_pack("{s:s, s:s, s:s}", "object", "listener",
                             "forward_to", listener->url, "secret", secret),
                   pool);
        return;
    }
    puts(idv_terminal_lines(
        apr_pstrcat(pool, "Webhook signing secret: ", secret,
                    "\nForwarding events to ", listener->url,
                    ". Press Ctrl-C to stop.", NULL),
        pool));
    fflush(stdout);
}

/* The headers of a delivery, as the service sends them to receivers. */
static idv_error_t *sign(const listener_t *listener, const char *id,
                         const char *body, struct curl_slist **headers,
                         apr_pool_t *pool)
{
    const idv_webhook_message_t message = {
        .event_id = id,
        .body = body,
        .body_length = strlen(body),
        .timestamp = (apr_int64_t)apr_time_sec(apr_time_now()),
    };
    const char *signature, *standard;

    IDV_TRY(idv_webhook_sign(listener->signer, &message, &signature, pool));
    IDV_TRY(
        idv_webhook_sign_standard(listener->signer, &message, &standard, pool));
    *headers = curl_slist_append(NULL, "Content-Type: application/json");
    *headers = curl_slist_append(
        *headers, apr_pstrcat(pool, "Service-Signature: ", signature, NULL));
    *headers = curl_slist_append(*headers,
                                 apr_pstrcat(pool, "webhook-id: ", id, NULL));
    *headers = curl_slist_append(
        *headers, apr_psprintf(pool, "webhook-timestamp: %" APR_INT64_T_FMT,
                               message.timestamp));
    *headers = curl_slist_append(
        *headers, apr_pstrcat(pool, "webhook-signature: ", standard, NULL));
    return NULL;
}

static idv_error_t *forward(listener_t *listener, const json_t *event,
                            apr_pool_t *pool)
{
    const char *id = json_string_value(json_object_get(event, "id"));
    const char *type = json_string_value(json_object_get(event, "type"));
    idv_forwarding_t forwarding = {.url = listener->url,
                                   .body = idv_json_text(event, pool)};

    if (!id || !type)
        return idv_error_internal(pool, "the service sent no event");
    IDV_TRY(sign(listener, id, forwarding.body, &forwarding.headers, pool));
    idv_api_client_forward(&listener->client, &forwarding, pool);
    curl_slist_free_all(forwarding.headers);
    apr_cpystrn(listener->last, id, sizeof(listener->last));
    if (listener->left > 0)
        listener->left--;
    print_forwarded(&forwarding, id, type, pool);
    return NULL;
}

/* The events since then; sets *MORE if the service has more of them. */
static idv_error_t *forward_some(listener_t *listener, int *more,
                                 apr_pool_t *pool)
{
    idv_api_call_t call = {.method = "GET"};
    const json_t *events;

    call.path =
        *listener->last
            ? apr_pstrcat(pool, EVENTS "&ending_before=", listener->last, NULL)
            : apr_psprintf(pool, EVENTS "&created_gte=%" APR_INT64_T_FMT,
                           listener->since);
    IDV_TRY(idv_api_client_do(&listener->client, &call, pool));
    events = json_object_get(call.object, "data");
    *more = json_is_true(json_object_get(call.object, "has_more"));
    for (size_t i = json_array_size(events);
         i-- > 0 && listener->left != 0 && !is_told_to_end;)
        IDV_TRY(forward(listener, json_array_get(events, i), pool));
    return NULL;
}

/* Finds the newest earlier event; the listener starts after it. */
static idv_error_t *find_last(listener_t *listener, apr_pool_t *pool)
{
    idv_api_call_t call = {.method = "GET", .path = "/v1/events?limit=1"};
    const char *id;

    IDV_TRY(idv_api_client_do(&listener->client, &call, pool));
    id = json_string_value(json_object_get(
        json_array_get(json_object_get(call.object, "data"), 0), "id"));
    apr_cpystrn(listener->last, id ? id : "", sizeof(listener->last));
    listener->since = (apr_int64_t)apr_time_sec(apr_time_now()) - 1;
    return NULL;
}

static idv_error_t *listen_on(listener_t *listener, apr_pool_t *pool)
{
    apr_pool_t *scratch;
    int more = 0;

    apr_pool_create(&scratch, pool);
    while (!is_told_to_end && listener->left != 0) {
        IDV_TRY(forward_some(listener, &more, scratch));
        apr_pool_clear(scratch);
        if (!more && listener->left != 0 && !is_told_to_end)
            apr_sleep(apr_time_from_msec(POLL_MILLISECONDS));
    }
    return NULL;
}

static idv_error_t *make_signer(listener_t *listener, const char **secret,
                                apr_pool_t *pool)
{
    idv_webhook_signer_t *signer;

    *secret = idv_webhook_secret_new(pool);
    IDV_TRY(idv_webhook_signer_create(
        (idv_bytes_t){(const unsigned char *)*secret, strlen(*secret)}, &signer,
        pool, pool));
    listener->signer = signer;
    return NULL;
}

IDV_COMMAND(listen_to_events)
{
    static const apr_int64_t bounds[2] = {1, 1000000};
    struct sigaction action = {.sa_handler = on_signal};
    listener_t listener = {.url = idv_call_option(call, "forward-to"),
                           .left = -1};
    const char *secret;

    *answer = NULL; /* the command prints as it runs */
    if (strncmp(listener.url, "http://", 7) != 0
        && strncmp(listener.url, "https://", 8) != 0)
        return idv_error_param(call->pool, "forward-to",
                               "Must be an http or https URL.");
    IDV_TRY(idv_call_number(call, "count", bounds, &listener.left));
    IDV_TRY(idv_api_client_open(call, &listener.client));
    IDV_TRY(idv_api_client_need_sandbox(&listener.client, call->pool));
    IDV_TRY(make_signer(&listener, &secret, call->pool));
    IDV_TRY(find_last(&listener, call->pool));
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    print_secret(&listener, secret, call->pool);
    return listen_on(&listener, call->pool);
}

/* --- trigger --- */

/* How a new session reaches each event: the value of each step, and the
 * decision of the review. */
static const struct {
    const char *event;
    const char *value;    /* NULL: none, creating the session is enough */
    const char *decision; /* of the review; NULL: none */
    int is_cancelled;
} ways[] = {
    {"verification_session.created", NULL, NULL, 0},
    {"verification_session.verified", "passed", NULL, 0},
    {"verification_session.failed", "verification_declined", NULL, 0},
    {"verification_session.cancelled", NULL, NULL, 1},
    {"session_review.flagged", "undetermined", NULL, 0},
    {"session_review.approved", "undetermined", "review_approved", 0},
    {"session_review.rejected", "undetermined", "review_rejected", 0},
};

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static idv_error_t *create_session(const idv_call_t *call,
                                   const idv_api_client_t *client,
                                   json_t **session)
{
    const char *type = idv_call_option(call, "type");
    const char *jurisdiction = idv_call_option(call, "jurisdiction");
    json_t *body =
        idv_json_own(json_pack("{s:s, s:s, s:s}", "workflow_id",
                               idv_call_option(call, "workflow"), "type",
                               type ? type : "age", "jurisdiction",
                               jurisdiction ? jurisdiction : "US"),
                     call->pool);
    idv_api_call_t creation = {.method = "POST", .path = SESSIONS};

    creation.body = idv_json_text(body, call->pool);
    IDV_TRY(idv_api_client_do(client, &creation, call->pool));
    *session = creation.object;
    return NULL;
}

/* Requests ACTION ("cancel", "test_outcome") for *SESSION. */
static idv_error_t *act(const idv_call_t *call, const idv_api_client_t *client,
                        const char *action, const char *body, json_t **session)
{
    idv_api_call_t change = {
        .method = "POST",
        .path = apr_pstrcat(call->pool, SESSIONS "/", text_at(*session, "id"),
                            "/", action, NULL),
        .body = body,
    };

    IDV_TRY(idv_api_client_do(client, &change, call->pool));
    *session = change.object;
    return NULL;
}

static int is_under_way(const json_t *session)
{
    const char *status = text_at(session, "status");

    return strcmp(status, "created") == 0 || strcmp(status, "pending") == 0
        || strcmp(status, "requires_input") == 0;
}

static idv_error_t *set_value(const idv_call_t *call,
                              const idv_api_client_t *client, const char *value,
                              json_t **session)
{
    return act(
        call, client, "test_outcome",
        apr_psprintf(call->pool, "{\"value\":\"%s\",\"final\":true}", value),
        session);
}

IDV_COMMAND(trigger_event)
{
    idv_api_client_t client;
    json_t *session = NULL;
    size_t way = 0, count = sizeof(ways) / sizeof(*ways);

    while (way < count && strcmp(ways[way].event, call->arguments[0]) != 0)
        way++;
    if (way == count)
        return idv_error_param(
            call->pool, "EVENT",
            "Expected verification_session.created, .verified, .failed or "
            ".cancelled, or session_review.flagged, .approved or .rejected.");
    IDV_TRY(idv_api_client_open(call, &client));
    IDV_TRY(idv_api_client_need_sandbox(&client, call->pool));
    IDV_TRY(create_session(call, &client, &session));
    for (int i = 0; ways[way].value && is_under_way(session) && i < STEPS_MAX;
         i++)
        IDV_TRY(set_value(call, &client, ways[way].value, &session));
    if (ways[way].decision)
        IDV_TRY(set_value(call, &client, ways[way].decision, &session));
    if (ways[way].is_cancelled)
        IDV_TRY(act(call, &client, "cancel", "{}", &session));
    *answer = json_incref(session);
    return NULL;
}

const idv_command_t idv_developer_commands[] = {
    {.noun = "listen",
     .options = {"forward-to! URL", "count N", CLIENT_OPTIONS},
     .offline = 1,
     .run = listen_to_events,
     .help =
         "forward the events of a sandbox from now on, signed with a\n"
             "      secret that is printed first, until interrupted or after N\n"
             "      events. The key is that of VERIFY_SECRET_KEY or --key-file,\n"
             "      the service that of VERIFY_URL or --url. Needs no database.\n"
             "      The certificates in --ca-file (VERIFY_CA_FILE; PEM) are\n"
             "      trusted for the service and for URL, instead of those of this\n"
             "      machine"},
    {.noun = "trigger",
     .arguments = "EVENT",
     .options = {"workflow! WF_ID", "type age|identity", "jurisdiction CODE",
                 CLIENT_OPTIONS},
     .offline = 1,
     .run = trigger_event,
     .help = "cause an event in a sandbox with a new session of the\n"
             "      workflow, and print the session. Key, service and --ca-file\n"
             "      are as for listen"},
    {0},
};
