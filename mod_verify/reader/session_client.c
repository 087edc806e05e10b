/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/session_client.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "methods/passport/chip_dump.h"

#define ANSWER_MAX 65536
#define TIMEOUT_SECONDS 60
#define POLL_SECONDS 20     /* the service waits that long for a change */
#define OUTCOME_SECONDS 120

/* A response, as far as it has arrived. */
typedef struct {
    char *text;
    size_t length;
} answer_t;

static size_t receive(char *data, size_t size, size_t count, void *baton)
{
    answer_t *answer = baton;
    size_t length = size * count;

    if (length > ANSWER_MAX - answer->length)
        return 0;
    memcpy(answer->text + answer->length, data, length);
    answer->length += length;
    return length;
}

static apr_status_t close_curl(void *curl)
{
    curl_easy_cleanup(curl);
    return APR_SUCCESS;
}

idv_error_t *idv_session_client_open(idv_session_client_t *client,
                                     const char *session, const char *secret,
                                     const char *ca_file, apr_pool_t *pool)
{
    *client = (idv_session_client_t){curl_easy_init(), session, secret, pool};
    if (!client->curl)
        return idv_error_internal(pool, "libcurl cannot start");
    apr_pool_cleanup_register(pool, client->curl, close_curl,
                              apr_pool_cleanup_null);
    curl_easy_setopt(client->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(client->curl, CURLOPT_TIMEOUT, (long)TIMEOUT_SECONDS);
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, receive);
    if (ca_file)
        curl_easy_setopt(client->curl, CURLOPT_CAINFO, ca_file);
    return NULL;
}

/* The service's explanation of a rejected request. */
static idv_error_t *refusal(const idv_session_client_t *client,
                            const char *path, long status, const json_t *body)
{
    const json_t *error = json_object_get(body, "error");
    const char *code = json_string_value(json_object_get(error, "code"));
    const char *message = json_string_value(json_object_get(error, "message"));

    return idv_error_internal(client->pool, "%s: %ld %s: %s", path, status,
                              code ? code : "no code",
                              message ? message : "no message");
}

/* The JSON object that the service returns for METHOD at PATH below the
 * session, with BODY (NULL: none). */
static idv_error_t *call(idv_session_client_t *client, const char *method,
                         const char *path, const char *body, json_t **object)
{
    apr_pool_t *pool = client->pool;
    answer_t answer = {apr_palloc(pool, ANSWER_MAX), 0};
    struct curl_slist *headers =
        curl_slist_append(NULL, apr_pstrcat(pool, "Authorization: Bearer ",
                                            client->secret, NULL));
    long status = 0;
    CURLcode code;

    headers = curl_slist_append(headers, "Content-Type: application/json");
    curl_easy_setopt(client->curl, CURLOPT_URL,
                     apr_pstrcat(pool, client->session, path, NULL));
    curl_easy_setopt(client->curl, CURLOPT_CUSTOMREQUEST, method);
    if (body)
        curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, body);
    else
        curl_easy_setopt(client->curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, &answer);
    code = curl_easy_perform(client->curl);
    curl_slist_free_all(headers);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, NULL);
    if (code != CURLE_OK)
        return idv_error_internal(pool, "the service: %s",
                                  curl_easy_strerror(code));
    curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &status);
    if (idv_json_parse(answer.text, answer.length, object, pool))
        return idv_error_internal(pool, "%s: %ld without JSON", path, status);
    return status == 200 ? NULL : refusal(client, path, status, *object);
}

/* Decodes VALUE, base64 of at most MOST bytes. */
static idv_error_t *decode(const json_t *value, apr_size_t most,
                           idv_bytes_t *bytes, apr_pool_t *pool)
{
    apr_size_t length = json_string_length(value);
    unsigned char *data = apr_palloc(pool, length / 4 * 3 + 4);

    if (!json_is_string(value) || length > most / 3 * 4 + 8
        || apr_decode_base64_binary(data, json_string_value(value),
                                    (apr_ssize_t)length, APR_ENCODE_NONE,
                                    &bytes->length)
               != APR_SUCCESS
        || bytes->length > most)
        return idv_error_internal(pool, "the service sent invalid base64");
    bytes->data = data;
    return NULL;
}

idv_error_t *idv_session_client_challenge(idv_session_client_t *client,
                                          idv_bytes_t *challenge)
{
    json_t *object;

    IDV_TRY(call(client, "POST", "/chip/challenge", "{}", &object));
    IDV_TRY(decode(json_object_get(object, "challenge"),
                   IDV_CHIP_CHALLENGE_SIZE, challenge, client->pool));
    return challenge->length == IDV_CHIP_CHALLENGE_SIZE
             ? NULL
             : idv_error_internal(client->pool, "the challenge has a wrong "
                                                "size");
}

idv_error_t *idv_session_client_put(idv_session_client_t *client,
                                    const char *dump)
{
    json_t *object;

    return call(client, "PUT", "/chip", dump, &object);
}

static const char *responses_text(const idv_chip_answer_t *answer,
                                  apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, 2048, pool);
    idv_json_open_object(&object, NULL);
    if (answer) {
        idv_json_open_array(&object, "responses");
        for (int i = 0; i < answer->count; i++)
            idv_json_put_text(&object, NULL,
                              apr_pencode_base64_binary(
                                  pool, answer->responses[i].data,
                                  (apr_ssize_t)answer->responses[i].length,
                                  APR_ENCODE_NONE, NULL));
        idv_json_close_array(&object);
    }
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

idv_error_t *idv_session_client_relay(idv_session_client_t *client,
                                      const idv_chip_answer_t *answer,
                                      idv_chip_relay_step_t *step)
{
    const json_t *commands, *command;
    json_t *object;
    size_t i;

    memset(step, 0, sizeof(*step));
    IDV_TRY(call(client, "POST", "/chip/apdu",
                 responses_text(answer, client->pool), &object));
    commands = json_object_get(object, "commands");
    if (json_array_size(commands) > IDV_CHIP_RELAY_COMMANDS_MAX)
        return idv_error_internal(client->pool, "too many commands");
    json_array_foreach (commands, i, command) {
        IDV_TRY(decode(json_object_get(command, "apdu"),
                       IDV_CHIP_RELAY_RESPONSE_MAX, &step->commands[i].apdu,
                       client->pool));
        step->commands[i].is_protected =
            json_is_true(json_object_get(command, "protected"));
        step->command_count++;
    }
    step->status = step->command_count > 0 ? IDV_CHIP_RELAY_WAITS
                                           : IDV_CHIP_RELAY_UNSUPPORTED;
    return NULL;
}

static int has_text(const json_t *view, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(view, key));

    return value && strcmp(value, text) == 0;
}

static int has_status(const json_t *view, const char *status)
{
    return has_text(view, "status", status);
}

/* Non-zero if the session ended without success, asks for the chip again, or
 * reports an error with it. A session that asks for something else has accepted
 * the chip. */
static int is_refused(const json_t *view)
{
    if (has_status(view, "requires_input"))
        return has_text(view, "current_method", "nfc_passport")
            || json_is_object(json_object_get(view, "last_error"));
    return has_status(view, "failed") || has_status(view, "cancelled")
        || has_status(view, "expired");
}

idv_error_t *idv_session_client_submit(idv_session_client_t *client,
                                       idv_session_outcome_t *outcome)
{
    apr_time_t end = apr_time_now() + apr_time_from_sec(OUTCOME_SECONDS);
    json_t *view;

    IDV_TRY(call(client, "POST", "/submissions",
                 "{\"method\":\"nfc_passport\"}", &view));
    while (has_status(view, "processing")) {
        json_int_t revision =
            json_integer_value(json_object_get(view, "revision"));

        if (apr_time_now() > end)
            return idv_error_internal(client->pool,
                                      "the service has not read the chip "
                                      "within %d seconds",
                                      OUTCOME_SECONDS);
        IDV_TRY(call(client, "GET",
                     apr_psprintf(client->pool,
                                  "?after_revision=%" APR_INT64_T_FMT
                                  "&wait_seconds=%d",
                                  (apr_int64_t)revision, POLL_SECONDS),
                     NULL, &view));
        /* The service responds at once if too many clients wait. */
        if (has_status(view, "processing")
            && json_integer_value(json_object_get(view, "revision")) == revision)
            apr_sleep(apr_time_from_sec(1));
    }
    outcome->view = idv_json_text(view, client->pool);
    outcome->is_refused = is_refused(view);
    return NULL;
}
