/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/api_client.h"

#include <stdlib.h>
#include <string.h>

#include <apr_file_io.h>
#include <apr_strings.h>

#include "core/crypto.h"
#include "core/json.h"

#define ANSWER_MAX (4 * 1024 * 1024)
#define TIMEOUT_SECONDS 30
#define NO_SESSION "vks_00000000000000000000000000"

/* An answer, as much of it as has arrived. */
typedef struct {
    char *text;
    size_t length, room;
    apr_pool_t *pool;
} answer_t;

static size_t receive(char *data, size_t size, size_t count, void *baton)
{
    answer_t *answer = baton;
    size_t length = size * count;

    if (length > ANSWER_MAX - answer->length)
        return 0;
    if (length > answer->room - answer->length) {
        /* The buffers that growth leaves behind in the pool add up to less than
         * twice the text. */
        size_t room = 2 * (answer->length + length);
        char *longer = apr_palloc(answer->pool, room);

        if (answer->length)
            memcpy(longer, answer->text, answer->length);
        answer->text = longer;
        answer->room = room;
    }
    memcpy(answer->text + answer->length, data, length);
    answer->length += length;
    return length;
}

static size_t ignore(char *data, size_t size, size_t count, void *baton)
{
    (void)data;
    (void)baton;
    return size * count;
}

static apr_status_t close_curl(void *curl)
{
    curl_easy_cleanup(curl);
    return APR_SUCCESS;
}

/* --- settings --- */

static const char *setting(const idv_call_t *call, const char *option,
                           const char *variable)
{
    const char *value = idv_call_option(call, option);

    if (!value)
        value = getenv(variable);
    return value && *value ? value : NULL;
}

static apr_status_t close_url(void *url)
{
    curl_url_cleanup(url);
    return APR_SUCCESS;
}

/* A part of URL, or NULL if URL lacks it. */
static const char *part_of(CURLU *url, CURLUPart part, apr_pool_t *pool)
{
    char *text = NULL;
    const char *copy = NULL;

    if (curl_url_get(url, part, &text, 0) == CURLUE_OK)
        copy = apr_pstrdup(pool, text);
    curl_free(text);
    return copy;
}

/* Whether the key may be sent to TEXT, as libcurl parses it: over https, or to
 * this machine (*IS_LOCAL), so that no request leaves it unencrypted. A name
 * before an @ may look like the host but is not. */
static int may_have_key(const char *text, int *is_local, apr_pool_t *pool)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
    CURLU *url = curl_url();
    const char *scheme, *host;

    *is_local = 0;
    if (!url)
        return 0;
    apr_pool_cleanup_register(pool, url, close_url, apr_pool_cleanup_null);
    if (curl_url_set(url, CURLUPART_URL, text, CURLU_DISALLOW_USER)
        != CURLUE_OK)
        return 0;
    scheme = part_of(url, CURLUPART_SCHEME, pool);
    host = part_of(url, CURLUPART_HOST, pool);
    for (size_t i = 0; host && i < sizeof(hosts) / sizeof(*hosts); i++)
        *is_local |= strcasecmp(host, hosts[i]) == 0;
    return scheme && host
        && (strcmp(scheme, "https") == 0
            || (strcmp(scheme, "http") == 0 && *is_local));
}

static idv_error_t *read_key(const idv_call_t *call, const char **key)
{
    const char *path = idv_call_option(call, "key-file");

    if (path)
        return idv_secret_file_read(path, key, call->pool);
    *key = getenv("VERIFY_SECRET_KEY");
    return *key && **key
             ? NULL
             : idv_error_param(call->pool, "key-file",
                               "No secret key: pass --key-file or set "
                               "VERIFY_SECRET_KEY.");
}

/* If a file is missing, libcurl only reports that a path is wrong. */
static idv_error_t *read_ca_file(const idv_call_t *call, const char **path)
{
    apr_file_t *file;
    apr_status_t status;

    *path = setting(call, "ca-file", "VERIFY_CA_FILE");
    if (!*path)
        return NULL;
    status = apr_file_open(&file, *path, APR_READ, 0, call->pool);
    return status == APR_SUCCESS
             ? NULL
             : idv_error_apr(call->pool, status,
                             "--ca-file (VERIFY_CA_FILE) %s", *path);
}

idv_error_t *idv_api_client_open(const idv_call_t *call,
                                 idv_api_client_t *client)
{
    const char *url = setting(call, "url", "VERIFY_URL");
    size_t length;

    memset(client, 0, sizeof(*client));
    if (!url)
        return idv_error_param(call->pool, "url",
                               "No service URL: pass --url or set "
                               "VERIFY_URL.");
    if (!may_have_key(url, &client->is_local, call->pool))
        return idv_error_param(call->pool, "url",
                               "Must begin with https://, or be an http "
                               "address of this machine.");
    IDV_TRY(read_key(call, &client->key));
    length = strlen(url);
    while (length && url[length - 1] == '/')
        length--;
    client->base = apr_pstrmemdup(call->pool, url, length);
    IDV_TRY(read_ca_file(call, &client->ca_file));
    client->curl = curl_easy_init();
    if (!client->curl)
        return idv_error_internal(call->pool, "libcurl cannot be initialized");
    apr_pool_cleanup_register(call->pool, client->curl, close_curl,
                              apr_pool_cleanup_null);
    return NULL;
}

/* --- calls --- */

/* Why a call failed with CODE; for certificate errors, also what to do. */
static const char *reason_of(const idv_api_client_t *client, CURLcode code,
                             apr_pool_t *pool)
{
    const char *reason = curl_easy_strerror(code);

    if (code == CURLE_SSL_CACERT_BADFILE && client->ca_file)
        return apr_psprintf(pool,
                            "--ca-file (VERIFY_CA_FILE) %s has no certificate "
                            "in PEM",
                            client->ca_file);
    if (code != CURLE_PEER_FAILED_VERIFICATION)
        return reason;
    return client->ca_file
             ? apr_psprintf(pool,
                            "its certificate is not for this name, has "
                            "expired, or is not signed by a certificate in "
                            "--ca-file (VERIFY_CA_FILE) %s, which replaces "
                            "this machine's authorities",
                            client->ca_file)
             : "its certificate is not for this name, has expired, or is not "
               "signed by an authority that this machine trusts; --ca-file "
               "names another authority's certificate";
}

static void prepare(const idv_api_client_t *client)
{
    curl_easy_reset(client->curl);
    curl_easy_setopt(client->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(client->curl, CURLOPT_TIMEOUT, (long)TIMEOUT_SECONDS);
    curl_easy_setopt(client->curl, CURLOPT_NOSIGNAL, 1L);
    /* The proxy of the environment is only for requests that leave this
     * machine. */
    if (client->is_local)
        curl_easy_setopt(client->curl, CURLOPT_NOPROXY, "*");
    if (client->ca_file)
        curl_easy_setopt(client->curl, CURLOPT_CAINFO, client->ca_file);
}

/* Makes CALL; any status of the answer is a success. */
static idv_error_t *make_call(const idv_api_client_t *client,
                              idv_api_call_t *call, apr_pool_t *pool)
{
    answer_t answer = {.pool = pool};
    char *authorization =
        apr_pstrcat(pool, "Authorization: Bearer ", client->key, NULL);
    struct curl_slist *headers = curl_slist_append(NULL, authorization);
    CURLcode code;

    idv_wipe_with_pool(authorization, strlen(authorization), pool);
    headers = curl_slist_append(headers, "Content-Type: application/json");
    prepare(client);
    curl_easy_setopt(client->curl, CURLOPT_URL,
                     apr_pstrcat(pool, client->base, call->path, NULL));
    curl_easy_setopt(client->curl, CURLOPT_CUSTOMREQUEST, call->method);
    if (call->body)
        curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, call->body);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, &answer);
    code = curl_easy_perform(client->curl);
    curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &call->status);
    curl_easy_reset(client->curl);
    curl_slist_free_all(headers);
    if (code != CURLE_OK)
        return idv_error_internal(pool, "the service at %s: %s", client->base,
                                  reason_of(client, code, pool));
    if (!answer.length
        || idv_json_parse(answer.text, answer.length, &call->object, pool))
        return idv_error_internal(pool, "%s: HTTP %ld without JSON", call->path,
                                  call->status);
    return NULL;
}

idv_error_t *idv_api_client_do(const idv_api_client_t *client,
                               idv_api_call_t *call, apr_pool_t *pool)
{
    const json_t *error;
    const char *code, *message;

    IDV_TRY(make_call(client, call, pool));
    if (call->status / 100 == 2)
        return NULL;
    error = json_object_get(call->object, "error");
    code = json_string_value(json_object_get(error, "code"));
    message = json_string_value(json_object_get(error, "message"));
    return idv_error_internal(pool, "%s: %ld %s: %s", call->path, call->status,
                              code ? code : "no code",
                              message ? message : "no message");
}

idv_error_t *idv_api_client_need_sandbox(const idv_api_client_t *client,
                                         apr_pool_t *pool)
{
    /* This request uses a route for sandboxes only and a session that does not
     * exist: a sandbox reports the missing session, a live organization refuses
     * the value. */
    idv_api_call_t call = {
        .method = "POST",
        .path = "/v1/verification_sessions/" NO_SESSION "/test_outcome",
        .body = "{\"value\":\"passed\"}",
    };

    IDV_TRY(make_call(client, &call, pool));
    if (call.status == 404)
        return NULL;
    if (call.status == 400)
        return idv_error_internal(pool, "the key belongs to a live "
                                        "organization; this is for sandboxes");
    return idv_api_client_do(client, &call, pool);
}

void idv_api_client_forward(const idv_api_client_t *client,
                            idv_forwarding_t *forwarding, apr_pool_t *pool)
{
    CURLcode code;

    prepare(client);
    curl_easy_setopt(client->curl, CURLOPT_URL, forwarding->url);
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, forwarding->body);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, forwarding->headers);
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, ignore);
    code = curl_easy_perform(client->curl);
    forwarding->status = 0;
    if (code == CURLE_OK)
        curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE,
                          &forwarding->status);
    forwarding->why = code == CURLE_OK ? NULL : reason_of(client, code, pool);
    curl_easy_reset(client->curl);
}
