/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP client when libcurl refuses: each exchange ends once, as one that
 * brought no response, and leaves nothing behind.
 *
 * libcurl's functions that can fail are wrapped by ones of the test's own.
 */
#include "unit/unit.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <apr_strings.h>
#include <curl/curl.h>

#include "out/address_guard.h"
#include "out/http_client.h"

#define WATCHED 64
#define DEADLINE 20000 /* ms */

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

/* --- a host --- */

typedef struct {
    idv_http_client_t *client;
    apr_pool_t *pool;
    struct pollfd watched[WATCHED];
    int count;
    long due; /* ms from now; -1: never */
} host_t;

static void watch(void *baton, int fd, int readable, int writable)
{
    host_t *host = baton;
    int i = 0;

    while (i < host->count && host->watched[i].fd != fd)
        i++;
    if (!readable && !writable) {
        if (i < host->count)
            host->watched[i] = host->watched[--host->count];
        return;
    }
    assert_true(i < WATCHED);
    host->watched[i] = (struct pollfd){
        fd, (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0)), 0};
    if (i == host->count)
        host->count++;
}

static void set_timer(void *baton, long milliseconds)
{
    host_t *host = baton;

    host->due = milliseconds;
}

static void turn(host_t *host)
{
    struct pollfd ready[WATCHED];
    int count = host->count;
    int result;

    memcpy(ready, host->watched, sizeof(ready));
    result =
        poll(ready, (nfds_t)count,
             host->due < 0 || host->due > DEADLINE ? DEADLINE : (int)host->due);
    assert_true(result > 0 || host->due >= 0); /* or it would hang */
    if (result == 0) {
        host->due = -1;
        idv_http_client_timeout(host->client);
        return;
    }
    for (int i = 0; i < count; i++)
        if (ready[i].revents)
            idv_http_client_ready(host->client, ready[i].fd,
                                  ready[i].revents & (POLLIN | POLLHUP),
                                  ready[i].revents & POLLOUT);
}

static void make_client(host_t *host, apr_pool_t *pool)
{
    static idv_http_client_config_t config = {.timeout = 10 * IDV_SECOND,
                                              .kept_connections = 8};
    apr_array_header_t *allowed =
        apr_array_make(pool, 1, sizeof(idv_address_range_t));
    const idv_http_client_host_t callbacks = {watch, set_timer, host};

    assert_null(
        idv_address_range_parse("127.0.0.0/8", apr_array_push(allowed), pool));
    config.allowed = allowed;
    memset(host, 0, sizeof(*host));
    host->pool = pool;
    host->due = -1;
    refuse_add = refuse_action = 0;
    assert_null(
        idv_http_client_create(&config, &callbacks, &host->client, pool));
    handles = 0; /* less those that curl has for itself */
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

static void send_one(host_t *host, int port, outcome_t *outcome)
{
    static const char *const headers[] = {"Content-Type: text/plain", NULL};
    idv_http_request_t *request = apr_pcalloc(host->pool, sizeof(*request));

    request->url = apr_psprintf(host->pool, "https://127.0.0.1:%d/", port);
    request->owner = "org_test";
    request->headers = headers;
    request->body = "body";
    request->body_length = 4;
    memset(outcome, 0, sizeof(*outcome));
    idv_http_client_send(host->client, request, note, outcome, host->pool);
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
    host_t host;
    int port, listener = listen_somewhere(&port);

    make_client(&host, *state);
    refuse_add = 1;
    send_one(&host, port, &first);
    while (!first.told)
        turn(&host);
    assert_no_response(&first);
    assert_int_equal(idv_http_client_count(host.client), 0);
    assert_int_equal(handles, 0);
    assert_false(is_readable(listener));
    /* The next one is none the worse. */
    send_one(&host, port, &second);
    while (!is_readable(listener))
        turn(&host);
    assert_int_equal(second.told, 0);
    assert_int_equal(first.told, 1);
    close(listener);
    while (!second.told)
        turn(&host);
    assert_no_response(&second);
    assert_int_equal(idv_http_client_count(host.client), 0);
}

static void exchanges_that_are_lost(void **state)
{
    outcome_t outcomes[3];
    host_t host;
    int port, listener = listen_somewhere(&port);

    make_client(&host, *state);
    for (int i = 0; i < 3; i++)
        send_one(&host, port, &outcomes[i]);
    while (!is_readable(listener))
        turn(&host);
    refuse_action = 1;
    for (int i = 0; i < 3; i++)
        while (!outcomes[i].told)
            turn(&host);
    assert_int_equal(refuse_action, 0);
    for (int i = 0; i < 3; i++)
        assert_no_response(&outcomes[i]);
    assert_int_equal(idv_http_client_count(host.client), 0);
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
