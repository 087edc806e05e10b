/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_TRANSFER_H
#define IDV_OUT_HTTP_TRANSFER_H

/*
 * One attempt of an exchange on the level of libcurl: the options of the
 * request, the addresses that may be dialled, the limits on received data, and
 * the meaning of the result. The HTTP client (http_client.h) handles names,
 * queues, deadlines and curl handles.
 *
 * curl gets the checked addresses of the host (CURLOPT_RESOLVE) and asks here
 * before it creates a socket to any address, wherever it got that address.
 * Received data counts against the caps of http_client.h; the start of the body
 * and the headers are kept, headers as printable ASCII.
 *
 * Threads: one. Memory: the transfer's pool. Failures: curl usually refuses an
 * option only for lack of memory. The refused option could be the address
 * guard, so a handle that refused one must not dial.
 */
#include <curl/curl.h>

#include "out/http_exchange.h"

typedef struct {
    /* Set by the owner. */
    const idv_http_request_t *request;
    const apr_array_header_t *allowed; /* see address_guard.h */
    apr_pool_t *pool;
    apr_size_t response_cap, body_kept;
    idv_time_t timeout; /* remaining milliseconds */
    /* "host:port:addresses"; NULL: curl knows them, or the host is an
     * address */
    const char *pin;
    int is_fresh; /* on a new connection with HTTP/1.1 */
    /* The result, valid after idv_http_transfer_end(). */
    idv_http_response_t response;
    /* Only the functions of this header use the members below. */
    int is_refused, is_too_large, has_headers, has_dialled;
    apr_size_t received, header_bytes;
    apr_table_t *headers;
    char *body;
    apr_size_t body_room; /* capacity of BODY in bytes */
} idv_http_transfer_t;

/* Sets on the handle EASY the options that all transfers of a client with
 * CONFIG share. */
CURLcode
idv_http_transfer_prepare(CURL *easy, CURLSH *share,
                          const idv_http_client_config_t *config) IDV_CHECKED;

/* Sets the options of TRANSFER, which contains no state of an earlier
 * attempt. */
CURLcode idv_http_transfer_begin(idv_http_transfer_t *transfer,
                                 CURL *easy) IDV_CHECKED;

/* Ends TRANSFER with curl's result CODE and sets its response, except for the
 * duration. Does not read curl's handle, which still has the status of an
 * earlier transfer if curl refused to start this one. */
void idv_http_transfer_end(idv_http_transfer_t *transfer, CURLcode code);

/* Non-zero if TRANSFER, ended with CODE, failed because an old connection was
 * closed, not because it was refused; then it can be retried once on a fresh
 * connection. */
int idv_http_transfer_met_old_end(const idv_http_transfer_t *transfer,
                                  CURLcode code);

#endif
