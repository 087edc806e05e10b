/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <stdio.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/command/api_client.h"
#include "core/id.h"
#include "core/json.h"

/* Commands that need the running service because only the service has its
 * address databases, its risk policy and the URL of its pages. They call its
 * API with a secret key, as a customer's server does. */

#define BODY_MAX (64 * 1024)
#define SESSIONS "/v1/verification_sessions"

#define CLIENT_OPTIONS "url URL", "key-file FILE", "ca-file FILE"

/* All of standard input. */
static idv_error_t *read_input(const idv_call_t *call, json_t **body)
{
    char *text = apr_palloc(call->pool, BODY_MAX + 1);
    size_t length = fread(text, 1, BODY_MAX + 1, stdin);

    if (ferror(stdin) || length > BODY_MAX)
        return idv_error_param(call->pool, "FILE",
                               "Expected at most %d bytes on standard input.",
                               BODY_MAX);
    return idv_json_parse(text, length, body, call->pool);
}

/* The parameters, an object, in the file PATH ("-": standard input; NULL:
 * none). Other users of the machine do not see personal data in a file. */
static idv_error_t *read_body(const idv_call_t *call, const char *path,
                              json_t **body)
{
    *body = NULL;
    if (!path)
        *body = idv_json_own(json_object(), call->pool);
    else if (strcmp(path, "-") == 0)
        IDV_TRY(read_input(call, body));
    else
        IDV_TRY(idv_json_file_read(path, BODY_MAX, body, call->pool));
    return json_is_object(*body)
             ? NULL
             : idv_error_param(call->pool, "FILE", "Must be an object.");
}

static void set_option(const idv_call_t *call, const char *option,
                       const char *name, json_t *body)
{
    const char *value = idv_call_option(call, option);

    if (value)
        json_object_set_new(body, name, json_string(value));
}

static idv_error_t *post(const idv_call_t *call, const char *path,
                         const json_t *body, json_t **answer)
{
    idv_api_call_t request = {.method = "POST",
                              .path = path,
                              .body = idv_json_text(body, call->pool)};
    idv_api_client_t client;

    IDV_TRY(idv_api_client_open(call, &client));
    IDV_TRY(idv_api_client_do(&client, &request, call->pool));
    *answer = json_incref(request.object);
    return NULL;
}

IDV_COMMAND(session_create)
{
    json_t *body;

    IDV_TRY(read_body(call, call->arguments[0], &body));
    set_option(call, "workflow", "workflow_id", body);
    set_option(call, "type", "type", body);
    set_option(call, "jurisdiction", "jurisdiction", body);
    return post(call, SESSIONS, body, answer);
}

/* The id becomes part of a path, so it must have the form of an id. */
static idv_error_t *check_id(const idv_call_t *call, const char *id)
{
    return idv_id_is(IDV_ID_SESSION, id)
             ? NULL
             : idv_error_param(call->pool, "SESSION_ID",
                               "No such verification session.");
}

IDV_COMMAND(session_outcome)
{
    const char *id = call->arguments[0];
    json_t *body =
        idv_json_own(json_pack("{s:s, s:b}", "value", call->arguments[1],
                               "final", idv_call_option(call, "final") != NULL),
                     call->pool);

    IDV_TRY(check_id(call, id));
    set_option(call, "method", "method", body);
    return post(
        call, apr_pstrcat(call->pool, SESSIONS "/", id, "/test_outcome", NULL),
        body, answer);
}

IDV_COMMAND(risk_score)
{
    json_t *body;

    IDV_TRY(read_body(call, call->arguments[0], &body));
    return post(call, "/v1/risk/score", body, answer);
}

const idv_command_t idv_service_commands[] = {
    {.noun = "session",
     .verb = "create",
     .arguments = "[FILE]",
     .options = {"workflow WF_ID", "type age|identity", "jurisdiction CODE",
                 CLIENT_OPTIONS},
     .offline = 1,
     .run = session_create,
     .help =
         "create a session with the parameters of a JSON object in a\n"
             "      file (-: standard input) and of the options, and print it with\n"
             "      its client_secret, once. Sends the request to the running\n"
             "      service at VERIFY_URL or --url, with the key of\n"
             "      VERIFY_SECRET_KEY or --key-file"},
    {.noun = "session",
     .verb = "outcome",
     .arguments = "SESSION_ID VALUE",
     .options = {"method METHOD", "final?", CLIENT_OPTIONS},
     .offline = 1,
     .run = session_outcome,
     .help =
         "give the next step of a sandbox session a test value (passed,\n"
             "      under_age, ...); with --final also all repetitions of the\n"
             "      step. Uses the running service, like session create"},
    {.noun = "risk",
     .verb = "score",
     .arguments = "FILE",
     .options = {CLIENT_OPTIONS},
     .offline = 1,
     .run = risk_score,
     .help =
         "assess the address, e-mail, phone or device in the JSON object\n"
             "      of a file (-: standard input). Uses the running service, like\n"
             "      session create"},
    {0},
};
