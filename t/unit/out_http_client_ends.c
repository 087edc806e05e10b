/* SPDX-License-Identifier: Apache-2.0 */
/* A client of webhooks whose requests, and who itself, may go at any moment:
 * nobody is told, and nothing of what has gone is touched. */
#include "unit/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <apr_strings.h>

#include "out/address_guard.h"
#include "out/http_client.h"

#define DESCRIPTORS 256
#define MANY 40
#define PATIENCE 10000 /* ms */

/* What the host knows. */
typedef struct {
    short events[DESCRIPTORS]; /* by descriptor; 0: not watched */
    long timer;                /* ms; -1: none */
    int told;
} host_t;

typedef struct {
    apr_pool_t *pool;
    host_t host;
    idv_http_client_config_t config;
    idv_http_client_t *client;
    int listener; /* takes connections and never answers */
    const char *url;
} fixture_t;

static void watch(void *baton, int fd, int readable, int writable)
{
    host_t *host = baton;

    assert_in_range(fd, 0, DESCRIPTORS - 1);
    host->events[fd] =
        (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
}

static void set_timer(void *baton, long milliseconds)
{
    ((host_t *)baton)->timer = milliseconds;
}

static void on_done(void *baton, const idv_http_response_t *response)
{
    (void)response;
    ((host_t *)baton)->told++;
}

static void listen_silently(fixture_t *fixture)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof(address);

    fixture->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(
        bind(fixture->listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fixture->listener, 4 * MANY), 0);
    assert_int_equal(
        getsockname(fixture->listener, (struct sockaddr *)&address, &length),
        0);
    fixture->url = apr_psprintf(fixture->pool, "https://127.0.0.1:%d/",
                                ntohs(address.sin_port));
}

static void begin(fixture_t *fixture, apr_pool_t *pool, apr_pool_t *of_client)
{
    const idv_http_client_host_t callbacks = {watch, set_timer, &fixture->host};
    apr_array_header_t *allowed =
        apr_array_make(pool, 1, sizeof(idv_address_range_t));

    memset(fixture, 0, sizeof(*fixture));
    fixture->pool = pool;
    assert_null(
        idv_address_range_parse("127.0.0.0/8", apr_array_push(allowed), pool));
    fixture->config = (idv_http_client_config_t){
        .allowed = allowed, .timeout = IDV_MINUTE, .kept_connections = MANY};
    listen_silently(fixture);
    assert_null(idv_http_client_create(&fixture->config, &callbacks,
                                       &fixture->client, of_client));
}

/* One turn of the host's loop. */
static void turn(fixture_t *fixture)
{
    struct pollfd polled[DESCRIPTORS];
    host_t *host = &fixture->host;
    long timer = host->timer;
    nfds_t count = 0;

    for (int fd = 0; fd < DESCRIPTORS; fd++)
        if (host->events[fd])
            polled[count++] = (struct pollfd){fd, host->events[fd], 0};
    if (poll(polled, count, timer >= 0 && timer < 20 ? (int)timer : 20) == 0
        && timer >= 0)
        idv_http_client_timeout(fixture->client);
    for (nfds_t i = 0; i < count; i++)
        if (polled[i].revents)
            idv_http_client_ready(fixture->client, polled[i].fd,
                                  polled[i].revents & POLLIN,
                                  polled[i].revents & POLLOUT);
}

static void send_to(fixture_t *fixture, const char *url, apr_pool_t *pool)
{
    static const char *const headers[] = {"Content-Type: text/plain", NULL};
    idv_http_request_t *request = apr_pcalloc(pool, sizeof(*request));

    request->url = apr_pstrdup(pool, url);
    request->owner = "org_1";
    request->headers = headers;
    request->body = apr_pstrdup(pool, "body");
    request->body_length = 4;
    idv_http_client_send(fixture->client, request, on_done, &fixture->host,
                         pool);
}

static apr_pool_t *pool_below(apr_pool_t *parent)
{
    apr_pool_t *pool;

    assert_int_equal(apr_pool_create(&pool, parent), APR_SUCCESS);
    return pool;
}

/* A connection to the receiver is under way. */
static void dial(fixture_t *fixture)
{
    struct pollfd arrived = {fixture->listener, POLLIN, 0};
    idv_time_t until = idv_time_now() + PATIENCE;

    while (poll(&arrived, 1, 0) == 0) {
        assert_true(idv_time_now() < until);
        turn(fixture);
    }
}

static void requests_go_before_their_end(void **state)
{
    apr_pool_t *pools[MANY], *last = pool_below(*state);
    fixture_t fixture;

    begin(&fixture, *state, *state);
    for (int i = 0; i < MANY; i++) {
        pools[i] = pool_below(*state);
        send_to(&fixture, fixture.url, pools[i]);
    }
    /* While they wait for the name. */
    for (int i = 0; i < MANY / 4; i++)
        apr_pool_destroy(pools[i]);
    assert_int_equal(idv_http_client_count(fixture.client), MANY - MANY / 4);
    dial(&fixture);
    /* While curl has them: the first, some between, the last. */
    for (int i = MANY / 4; i < MANY; i++)
        apr_pool_destroy(pools[i]);
    assert_int_equal(idv_http_client_count(fixture.client), 0);
    /* One that has ended and is to be told of it; no other is. */
    send_to(&fixture, "no URL", last);
    apr_pool_destroy(last);
    assert_int_equal(idv_http_client_count(fixture.client), 0);
    assert_int_equal(fixture.host.timer, 0);
    idv_http_client_timeout(fixture.client);
    assert_int_equal(fixture.host.told, 0);
    close(fixture.listener);
}

static void the_client_goes_on_without_them(void **state)
{
    apr_pool_t *gone = pool_below(*state), *other = pool_below(*state);
    idv_time_t until = idv_time_now() + PATIENCE;
    fixture_t fixture;

    begin(&fixture, *state, *state);
    send_to(&fixture, fixture.url, gone);
    send_to(&fixture, fixture.url, other);
    dial(&fixture);
    apr_pool_destroy(gone);
    /* Nobody listens any more: the other one hears of it. */
    close(fixture.listener);
    while (!fixture.host.told) {
        assert_true(idv_time_now() < until);
        turn(&fixture);
    }
    assert_int_equal(fixture.host.told, 1);
    assert_int_equal(idv_http_client_count(fixture.client), 0);
}

static void the_client_goes_first(void **state)
{
    apr_pool_t *of_client = pool_below(*state), *pools[MANY];
    fixture_t fixture;

    begin(&fixture, *state, of_client);
    for (int i = 0; i < MANY; i++) {
        pools[i] = pool_below(*state);
        send_to(&fixture, fixture.url, pools[i]);
    }
    dial(&fixture);
    send_to(&fixture, "no URL", pools[0]);
    apr_pool_destroy(of_client);
    for (int i = 0; i < MANY; i++)
        apr_pool_destroy(pools[i]);
    assert_int_equal(fixture.host.told, 0);
    close(fixture.listener);
}

/* As in the watchdog, whose pools of deliveries lie below its own. */
static void all_go_together(void **state)
{
    apr_pool_t *of_client = pool_below(*state);
    fixture_t fixture;

    begin(&fixture, *state, of_client);
    for (int i = 0; i < MANY; i++)
        send_to(&fixture, fixture.url, pool_below(of_client));
    dial(&fixture);
    apr_pool_destroy(of_client);
    assert_int_equal(fixture.host.told, 0);
    close(fixture.listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(requests_go_before_their_end),
        pooled_test(the_client_goes_on_without_them),
        pooled_test(the_client_goes_first),
        pooled_test(all_go_together),
    };

    return unit_run("out/http_client, ends", tests);
}
