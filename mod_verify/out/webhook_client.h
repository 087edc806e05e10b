/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_WEBHOOK_CLIENT_H
#define IDV_OUT_WEBHOOK_CLIENT_H

/*
 * Sends webhooks: thousands of HTTPS exchanges at once on one thread.
 *
 * What a receiver cannot do. It cannot make us dial a forbidden address: the
 * name is resolved here, one forbidden address among its answers refuses all,
 * the connection is pinned to what was judged, and the socket that is really
 * dialled is judged once more. It cannot redirect us, hold us (the whole
 * exchange has one deadline, name lookup to last byte), or flood us: a response
 * of more than IDV_WEBHOOK_RESPONSE_CAP bytes, or with more than
 * IDV_WEBHOOK_HEADERS_CAP bytes of headers, ends the exchange. Nothing is
 * decompressed, no proxy is taken from the environment.
 *
 * Connections are kept alive and shared, by HTTP/2 where the receiver speaks
 * it. Names are looked up by a few threads of the client's own, in fair
 * shares for the owners of the exchanges; a result is kept for some seconds, so
 * a busy receiver costs one lookup a while.
 *
 * The client owns no loop: its host gives it descriptors' readiness and the
 * time. Threads: everything is called on the host's thread. Memory: a client
 * lives in its pool, and its cleanup ends what is under way without calling
 * back; an exchange uses the pool of its request until the callback is called,
 * and when that pool is cleared before, it ends without calling back. Either
 * pool may be the first to go.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/error.h"

/* What receivers see in User-Agent. */
#define IDV_WEBHOOK_USER_AGENT "mod_verify/" VERIFY_VERSION

#define IDV_WEBHOOK_BODY_KEPT 4096
#define IDV_WEBHOOK_RESPONSE_CAP 65536
#define IDV_WEBHOOK_HEADERS_CAP 16384

/* Why an exchange did not bring a response: X(NAME, "code", "message"). The
 * codes and messages are public. */
#define IDV_WEBHOOK_FAILURES(X)                                                \
    X(DNS_ERROR, "dns_error", "The host name could not be resolved.")          \
    X(CONNECTION_REFUSED, "connection_refused",                                \
      "The connection could not be made or was closed.")                       \
    X(TLS_ERROR, "tls_error", "The TLS connection could not be established.")  \
    X(TIMEOUT, "timeout", "No complete response arrived in time.")             \
    X(ADDRESS_FORBIDDEN, "address_forbidden",                                  \
      "The URL leads to an address that is not public.")                       \
    X(RESPONSE_TOO_LARGE, "response_too_large", "The response was too large.") \
    X(HTTP_STATUS, "http_status", "The response status was not 2xx.")

typedef enum {
    IDV_WEBHOOK_OK, /* a whole response with a 2xx status */
#define X(name, code, message) IDV_WEBHOOK_##name,
    IDV_WEBHOOK_FAILURES(X)
#undef X
} idv_webhook_result_t;

/* The public code and message; NULL for IDV_WEBHOOK_OK. */
const char *idv_webhook_result_code(idv_webhook_result_t result);
const char *idv_webhook_result_message(idv_webhook_result_t result);

/* What the host does for the client. */
typedef struct {
    /* From now on call idv_webhook_client_ready() when FD is readable or
     * writable; both zero: no longer. */
    void (*watch)(void *baton, int fd, int readable, int writable);
    /* Call idv_webhook_client_timeout() once, in MILLISECONDS; -1: never. */
    void (*timer)(void *baton, long milliseconds);
    void *baton;
} idv_webhook_host_t;

typedef struct {
    const apr_array_header_t *allowed; /* of idv_address_range_t, or NULL */
    const char *ca_file;               /* PEM; NULL: the system's */
    idv_time_t timeout;                /* of the whole exchange */
    int kept_connections;              /* idle ones kept open at most */
} idv_webhook_client_config_t;

typedef struct idv_webhook_client_t idv_webhook_client_t;

/* One POST. Everything has to stay until the callback. */
typedef struct {
    const char *url;
    const char *owner; /* whose share of name look-ups: receiver_name.h */
    const char *const *headers; /* "Name: value", NULL at the end */
    const char *body;
    apr_size_t body_length;
} idv_webhook_request_t;

typedef struct {
    idv_webhook_result_t result;
    int status_code;              /* 0: no response arrived */
    const apr_table_t *headers;   /* of the last response; names lower-case */
    const char *body;             /* at most IDV_WEBHOOK_BODY_KEPT bytes */
    apr_size_t body_length;
    int duration_ms;
} idv_webhook_response_t;

/* Told once for each request; never from inside idv_webhook_client_send(). The
 * response lives in the request's pool. */
typedef void idv_webhook_done_t(void *baton,
                                const idv_webhook_response_t *response);

idv_error_t *idv_webhook_client_create(
    const idv_webhook_client_config_t *config, const idv_webhook_host_t *host,
    idv_webhook_client_t **client, apr_pool_t *pool) IDV_CHECKED;

/* Starts an exchange; whatever goes wrong is told to DONE. */
void idv_webhook_client_send(idv_webhook_client_t *client,
                             const idv_webhook_request_t *request,
                             idv_webhook_done_t *done, void *baton,
                             apr_pool_t *pool);

/* From the host: FD is ready; the time asked for has passed. */
void idv_webhook_client_ready(idv_webhook_client_t *client, int fd,
                              int readable, int writable);
void idv_webhook_client_timeout(idv_webhook_client_t *client);

/* Exchanges under way. */
int idv_webhook_client_count(const idv_webhook_client_t *client);

#endif
