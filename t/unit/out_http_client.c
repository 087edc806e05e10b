/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP client when libcurl refuses: each exchange ends once, as one that
 * brought no response, and leaves nothing behind.
 *
 * libcurl's functions that can fail are wrapped by ones of the test's own.
 */
#include "unit/http_host.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <apr_strings.h>
#include <curl/curl.h>

/* --- libcurl, which refuses what it is told to --- */

static int refuse_add, refuse_action;
static int handles; /* easy ones that are there */

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

CURL *curl_easy_init(void)
{
    CURL *easy = REAL(curl_easy_init)();

    handles += easy != NULL;
    return easy;
}

void curl_easy_cleanup(CURL *easy)
{
    handles -= easy != NULL;
    REAL(curl_easy_cleanup)(easy);
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy)
{
    if (refuse_add > 0) {
        refuse_add--;
        return CURLM_OUT_OF_MEMORY;
    }
    return REAL(curl_multi_add_handle)(multi, easy);
}

CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t fd, int events,
                                   int *running)
{
    if (refuse_action > 0) {
        refuse_action--;
        return CURLM_INTERNAL_ERROR;
    }
    return REAL(curl_multi_socket_action)(multi, fd, events, running);
}

static http_host_t *make_client(apr_pool_t *pool)
{
    static idv_http_client_config_t config = {.timeout = 10 * IDV_SECOND,
                                              .kept_connections = 8};
    http_host_t *host;

    config.allowed = http_host_loopback(pool);
    refuse_add = refuse_action = 0;
    host = http_host_start(&config, pool);
    handles = 0; /* less those that curl has for itself */
    return host;
}

/* --- a receiver, which takes connections and says nothing --- */

static int listen_somewhere(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static int is_readable(int fd)
{
    struct pollfd readable = {fd, POLLIN, 0};

    return poll(&readable, 1, 0) == 1;
}

/* --- exchanges --- */

typedef struct {
    int told;
    idv_http_result_t result;
    int status_code;
} outcome_t;

static void note(void *baton, const idv_http_response_t *response)
{
    outcome_t *outcome = baton;

    outcome->told++;
    outcome->result = response->result;
    outcome->status_code = response->status_code;
}

static void send_one(http_host_t *host, int port, outcome_t *outcome,
                     apr_pool_t *pool)
{
    static const char *const headers[] = {"Content-Type: text/plain", NULL};
    idv_http_request_t *request = apr_pcalloc(pool, sizeof(*request));

    request->url = apr_psprintf(pool, "https://127.0.0.1:%d/", port);
    request->owner = "org_test";
    request->headers = headers;
    request->body = "body";
    request->body_length = 4;
    memset(outcome, 0, sizeof(*outcome));
    idv_http_client_send(host->client, request, note, outcome, pool);
}

static void assert_no_response(const outcome_t *outcome)
{
    assert_int_equal(outcome->told, 1);
    assert_int_equal(outcome->result, IDV_HTTP_CONNECTION_REFUSED);
    assert_int_equal(outcome->status_code, 0);
}

static void an_exchange_that_cannot_be_added(void **state)
{
    outcome_t first, second;
    http_host_t *host = make_client(*state);
    int port, listener = listen_somewhere(&port);

    refuse_add = 1;
    send_one(host, port, &first, *state);
    while (!first.told)
        http_host_turn(host);
    assert_no_response(&first);
    assert_int_equal(idv_http_client_count(host->client), 0);
    assert_int_equal(handles, 0);
    assert_false(is_readable(listener));
    /* The next one is none the worse. */
    send_one(host, port, &second, *state);
    while (!is_readable(listener))
        http_host_turn(host);
    assert_int_equal(second.told, 0);
    assert_int_equal(first.told, 1);
    close(listener);
    while (!second.told)
        http_host_turn(host);
    assert_no_response(&second);
    assert_int_equal(idv_http_client_count(host->client), 0);
}

static void exchanges_that_are_lost(void **state)
{
    outcome_t outcomes[3];
    http_host_t *host = make_client(*state);
    int port, listener = listen_somewhere(&port);

    for (int i = 0; i < 3; i++)
        send_one(host, port, &outcomes[i], *state);
    while (!is_readable(listener))
        http_host_turn(host);
    refuse_action = 1;
    for (int i = 0; i < 3; i++)
        while (!outcomes[i].told)
            http_host_turn(host);
    assert_int_equal(refuse_action, 0);
    for (int i = 0; i < 3; i++)
        assert_no_response(&outcomes[i]);
    assert_int_equal(idv_http_client_count(host->client), 0);
    assert_int_equal(handles, 0);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(an_exchange_that_cannot_be_added),
        pooled_test(exchanges_that_are_lost),
    };

    return unit_run("out/http_client", tests);
}
