/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_CLIENT_H
#define IDV_OUT_HTTP_CLIENT_H

/*
 * An HTTP client for untrusted URLs: thousands of concurrent HTTPS POSTs on one
 * thread. Webhooks go to URLs registered by customers, captcha checks to the
 * administrator's provider, GETs to the revocation lists of document issuers;
 * all use the same code.
 *
 * Protection against receivers:
 * - A receiver cannot make this server dial a forbidden address. Names are
 *   resolved here (name_table.h); one forbidden address among the results
 *   refuses all; the connection is pinned to the checked addresses; and the
 *   socket actually dialled is checked again.
 * - It cannot redirect the exchange or stall it: one deadline covers everything
 *   from the name lookup to the last byte.
 * - It cannot flood it: a response longer than the client's cap, or with more
 *   than IDV_HTTP_HEADERS_CAP bytes of headers, ends the exchange.
 * - Responses are not decompressed, and no proxy is taken from the environment.
 *
 * Connections are kept alive and shared, with HTTP/2 if the receiver supports
 * it. Names are cached for some seconds, so that a busy receiver costs one
 * lookup per period.
 *
 * The client has no event loop: its host reports the readiness of descriptors
 * and timeouts. Threads: everything is called on the host's thread. Memory: a
 * client lives in its pool, whose cleanup ends running exchanges without
 * callbacks. An exchange uses its request's pool until the callback; if that
 * pool is cleared earlier, the exchange ends without a callback. The pools can
 * be cleared in either order. Failures: of an exchange, one of
 * IDV_HTTP_FAILURES, passed to its callback; of a client, only at its creation.
 */
#include "core/error.h"
#include "out/http_exchange.h"

/* Services of the host for the client. */
typedef struct {
    /* Call idv_http_client_ready() whenever FD is readable or writable, as
     * selected; both zero: stop. */
    void (*watch)(void *baton, int fd, int readable, int writable);
    /* Call idv_http_client_timeout() once after MILLISECONDS; -1: never. */
    void (*timer)(void *baton, long milliseconds);
    void *baton;
} idv_http_client_host_t;

typedef struct idv_http_client_t idv_http_client_t;

/* Called once per request, never from within idv_http_client_send(). The
 * response lives in the request's pool. */
typedef void idv_http_done_t(void *baton, const idv_http_response_t *response);

idv_error_t *idv_http_client_create(const idv_http_client_config_t *config,
                                    const idv_http_client_host_t *host,
                                    idv_http_client_t **client,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Starts an exchange; every failure is reported to DONE. */
void idv_http_client_send(idv_http_client_t *client,
                          const idv_http_request_t *request,
                          idv_http_done_t *done, void *baton, apr_pool_t *pool);

/* Called by the host: FD is ready; the requested time has passed. */
void idv_http_client_ready(idv_http_client_t *client, int fd, int readable,
                           int writable);
void idv_http_client_timeout(idv_http_client_t *client);

/* Number of running exchanges. */
int idv_http_client_count(const idv_http_client_t *client);

#endif
