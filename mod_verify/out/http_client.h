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
#include <apr_tables.h>

#include "core/clock.h"
#include "core/crypto.h"
#include "core/error.h"

/* The User-Agent header. */
#define IDV_HTTP_USER_AGENT "mod_verify/" VERIFY_VERSION

#define IDV_HTTP_BODY_KEPT 4096
#define IDV_HTTP_RESPONSE_CAP 65536
#define IDV_HTTP_HEADERS_CAP 16384

/* Reasons for an exchange without a usable response: X(NAME, "code",
 * "message"). Codes and messages are public. */
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
    IDV_HTTP_OK, /* a response with a 2xx status, see idv_http_request_t */
#define X(name, code, message) IDV_HTTP_##name,
    IDV_HTTP_FAILURES(X)
#undef X
} idv_http_result_t;

/* The public code and message; NULL for IDV_HTTP_OK. */
const char *idv_http_result_code(idv_http_result_t result);
const char *idv_http_result_message(idv_http_result_t result);

/* Services of the host for the client. */
typedef struct {
    /* Call idv_http_client_ready() whenever FD is readable or writable, as
     * selected; both zero: stop. */
    void (*watch)(void *baton, int fd, int readable, int writable);
    /* Call idv_http_client_timeout() once after MILLISECONDS; -1: never. */
    void (*timer)(void *baton, long milliseconds);
    void *baton;
} idv_http_client_host_t;

typedef struct {
    const apr_array_header_t *allowed; /* of idv_address_range_t, or NULL */
    const char *ca_file;               /* PEM; NULL: the system's */
    idv_time_t timeout;                /* of the whole exchange */
    /* The client certificate with its chain, and its private key, in PEM;
     * empty: none. */
    idv_bytes_t certificate, key;
    int kept_connections; /* maximum number of idle ones kept
                           * open */
    int allows_plain;     /* also http, for content that is itself
                           * signed */
    /* Maximum bytes of a response, and of the body passed to the callback; 0:
     * the defaults above. */
    apr_size_t response_cap, body_kept;
} idv_http_client_config_t;

typedef struct idv_http_client_t idv_http_client_t;

/* A POST, or a GET without a body. Everything must remain valid until the
 * callback. */
typedef struct {
    const char *url;
    const char *owner;          /* owner of the name lookup, see name_table.h */
    const char *const *headers; /* "Name: value", NULL-terminated */
    const char *body;           /* NULL: a GET */
    apr_size_t body_length;
    /* Non-zero: once the response headers are complete, the status is the
     * result, even if the body is too long, truncated or endless. Zero: only a
     * complete response is IDV_HTTP_OK. */
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
