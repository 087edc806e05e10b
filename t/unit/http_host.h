/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_HTTP_HOST_H
#define UNIT_HTTP_HOST_H

/*
 * A host for the HTTP client of a test: what its descriptors and its timer are
 * watched by, with poll() where the server has its event loop. The test calls
 * http_host_turn() until it was told what it waits for.
 *
 * A turn in which nothing can happen any more, because the client has set no
 * timer and nothing came in twenty seconds, fails the test.
 */
#include "unit/unit.h"

#include <poll.h>

#include <apr_tables.h>

#include "out/address_guard.h"
#include "out/http_client.h"

#define HTTP_HOST_WATCHED 64
#define HTTP_HOST_DEADLINE 20000 /* ms */

typedef struct {
    idv_http_client_t *client;
    struct pollfd watched[HTTP_HOST_WATCHED];
    int count;
    long due; /* ms from now; -1: never */
} http_host_t;

static void http_host_watch(void *baton, int fd, int readable, int writable)
{
    http_host_t *host = baton;
    int i = 0;

    while (i < host->count && host->watched[i].fd != fd)
        i++;
    if (!readable && !writable) {
        if (i < host->count)
            host->watched[i] = host->watched[--host->count];
        return;
    }
    assert_true(i < HTTP_HOST_WATCHED);
    host->watched[i] = (struct pollfd){
        fd, (short)((readable ? POLLIN : 0) | (writable ? POLLOUT : 0)), 0};
    if (i == host->count)
        host->count++;
}

static void http_host_set_timer(void *baton, long milliseconds)
{
    http_host_t *host = baton;

    host->due = milliseconds;
}

/* A host with a client, both in POOL. CONFIG has to live as long. */
static http_host_t *http_host_start(const idv_http_client_config_t *config,
                                    apr_pool_t *pool)
{
    http_host_t *host = apr_pcalloc(pool, sizeof(*host));
    const idv_http_client_host_t callbacks = {http_host_watch,
                                              http_host_set_timer, host};

    host->due = -1;
    assert_null(
        idv_http_client_create(config, &callbacks, &host->client, pool));
    return host;
}

/* Waits for one thing to happen, and has the client work on it. */
static void http_host_turn(http_host_t *host)
{
    struct pollfd ready[HTTP_HOST_WATCHED];
    int count = host->count;
    int wait = host->due < 0 || host->due > HTTP_HOST_DEADLINE
                 ? HTTP_HOST_DEADLINE
                 : (int)host->due;
    int result;

    memcpy(ready, host->watched, sizeof(ready));
    result = poll(ready, (nfds_t)count, wait);
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

/* The loopback network, for VerifyWebhookAllow's member of a configuration. */
static apr_array_header_t *http_host_loopback(apr_pool_t *pool)
{
    apr_array_header_t *allowed =
        apr_array_make(pool, 1, sizeof(idv_address_range_t));

    assert_null(
        idv_address_range_parse("127.0.0.0/8", apr_array_push(allowed), pool));
    return allowed;
}

#endif
