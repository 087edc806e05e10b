/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_EXCHANGE_H
#define IDV_OUT_HTTP_EXCHANGE_H

/*
 * An exchange of the HTTP client (http_client.h): its request, its response or
 * why there is none, and the limits of its client.
 *
 * Memory: an exchange uses its request's pool. Threads: one. Failures: none;
 * those of an exchange are listed here.
 */
#include <apr_tables.h>

#include "core/clock.h"
#include "core/crypto.h"

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

#endif
