/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_CLIENT_H
#define IDV_OUT_HTTP_CLIENT_H

/*
 * An HTTP client for addresses that strangers name: thousands of HTTPS POSTs at
 * once on one thread. Webhooks go to URLs that customers register, captchas to
 * the provider that the administrator chose, GETs to where issuers of documents
 * publish what they have revoked; all are called in the same way.
 *
 * What a receiver cannot do. It cannot make this server dial a forbidden
 * address: the name is resolved here (name_table.h), one forbidden address
 * among its answers refuses all, the connection is pinned to what was judged,
 * and the socket that is really dialled is judged once more. It cannot redirect
 * the exchange, hold it (the whole exchange has one deadline, name look-up to
 * last byte), or flood it: a response of more bytes than the client's cap, or
 * with more than IDV_HTTP_HEADERS_CAP bytes of headers, ends the exchange.
 * Nothing is decompressed, and no proxy is taken from the environment.
 *
 * Connections are kept alive and shared, by HTTP/2 where the receiver speaks
 * it. A looked-up name is kept for some seconds, so a busy receiver costs one
 * look-up a while.
 *
 * The client owns no loop: its host gives it descriptors' readiness and the
 * time. Threads: everything is called on the host's thread. Memory: a client
 * lives in its pool, and its cleanup ends what is under way without calling
 * back; an exchange uses the pool of its request until the callback is called,
 * and when that pool is cleared before, it ends without calling back. Either
 * pool may be the first to go. Failures: of an exchange, one of
 * IDV_HTTP_FAILURES, told to its callback; of a client, only at its creation.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/crypto.h"
#include "core/error.h"

/* What receivers see in User-Agent. */
#define IDV_HTTP_USER_AGENT "mod_verify/" VERIFY_VERSION

#define IDV_HTTP_BODY_KEPT 4096
#define IDV_HTTP_RESPONSE_CAP 65536
#define IDV_HTTP_HEADERS_CAP 16384

/* Why an exchange did not bring a response: X(NAME, "code", "message"). The
 * codes and messages are public. */
#define IDV_HTTP_FAILURES(X)                                                   \
    X(DNS_ERROR, "dns_error", "The host name could not be resolved.")          \
    X(CONNECTION_REFUSED, "connection_refused",                                \
      "The connection could not be made or was closed.")                       \
    X(TLS_ERROR, "tls_error", "The TLS connection could not be established.")  \
    X(TIMEOUT, "timeout", "No complete response arrived in time.")             \
    X(ADDRESS_FORBIDDEN, "address_forbidden",                                  \
      "The URL leads to an address that is not public.")                       \
    X(RESPONSE_TOO_LARGE, "response_too_large", "The response was too large.") \
    X(STATUS, "http_status", "The response status was not 2xx.")

typedef enum {
    IDV_HTTP_OK, /* a response with a 2xx status (idv_http_request_t) */
#define X(name, code, message) IDV_HTTP_##name,
    IDV_HTTP_FAILURES(X)
#undef X
} idv_http_result_t;

/* The public code and message; NULL for IDV_HTTP_OK. */
const char *idv_http_result_code(idv_http_result_t result);
const char *idv_http_result_message(idv_http_result_t result);

/* What the host does for the client. */
typedef struct {
    /* From now on call idv_http_client_ready() when FD is readable or
     * writable; both zero: no longer. */
    void (*watch)(void *baton, int fd, int readable, int writable);
    /* Call idv_http_client_timeout() once, in MILLISECONDS; -1: never. */
    void (*timer)(void *baton, long milliseconds);
    void *baton;
} idv_http_client_host_t;

typedef struct {
    const apr_array_header_t *allowed; /* of idv_address_range_t, or NULL */
    const char *ca_file;               /* PEM; NULL: the system's */
    idv_time_t timeout;                /* of the whole exchange */
    /* PEM of the certificate, with its chain, and of the private key that the
     * client shows to receivers; empty: none. */
    idv_bytes_t certificate, key;
    int kept_connections;              /* idle ones kept open at most */
    int allows_plain;                  /* http, too: for what is signed itself */
    /* Bytes of a response, and of its body that are given to the callback; 0:
     * the ones above. */
    apr_size_t response_cap, body_kept;
} idv_http_client_config_t;

typedef struct idv_http_client_t idv_http_client_t;

/* One POST, or without a body a GET. Everything has to stay until the callback. */
typedef struct {
    const char *url;
    const char *owner;          /* whose share of name look-ups: name_table.h */
    const char *const *headers; /* "Name: value", NULL at the end */
    const char *body; /* NULL: a GET */
    apr_size_t body_length;
    /* Non-zero: once the headers of a response are complete, its status is the
     * result, even if the body is too long, cut short or never ends. Zero: only
     * a whole response is IDV_HTTP_OK. */
    int status_decides;
} idv_http_request_t;

typedef struct {
    idv_http_result_t result;
    int status_code;            /* 0: no response arrived */
    const apr_table_t *headers; /* of the last response; names lower-case */
    const char *body;           /* at most `body_kept` bytes */
    apr_size_t body_length;
    int duration_ms;
} idv_http_response_t;

/* Told once for each request; never from inside idv_http_client_send(). The
 * response lives in the request's pool. */
typedef void idv_http_done_t(void *baton, const idv_http_response_t *response);

idv_error_t *idv_http_client_create(const idv_http_client_config_t *config,
                                    const idv_http_client_host_t *host,
                                    idv_http_client_t **client,
                                    apr_pool_t *pool) IDV_CHECKED;

/* Starts an exchange; whatever goes wrong is told to DONE. */
void idv_http_client_send(idv_http_client_t *client,
                          const idv_http_request_t *request,
                          idv_http_done_t *done, void *baton, apr_pool_t *pool);

/* From the host: FD is ready; the time asked for has passed. */
void idv_http_client_ready(idv_http_client_t *client, int fd, int readable,
                           int writable);
void idv_http_client_timeout(idv_http_client_t *client);

/* Exchanges under way. */
int idv_http_client_count(const idv_http_client_t *client);

#endif
