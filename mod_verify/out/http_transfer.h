/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_OUT_HTTP_TRANSFER_H
#define IDV_OUT_HTTP_TRANSFER_H

/*
 * One try of an exchange as libcurl sees it: what curl is told of the request,
 * which addresses it may dial, how much it may receive, and what its end means.
 * The HTTP client (http_client.h) has the names, queues and deadlines around
 * it, and the handles.
 *
 * curl is told the judged addresses of the host (CURLOPT_RESOLVE) and asks here
 * before it makes a socket for any address, whoever has told it of that one.
 * What a response brings is counted against the caps of http_client.h; of its
 * body and headers a beginning is kept, the headers as printable ASCII.
 *
 * Threads: one. Memory: of the transfer's pool. Failures: curl refuses an
 * option mostly for want of memory. It could be the option that sets the guard,
 * so nothing may be dialled with a handle that refused one.
 */
#include <curl/curl.h>

#include "out/http_client.h"

typedef struct {
    /* Set by the owner. */
    const idv_http_request_t *request;
    const apr_array_header_t *allowed; /* see address_guard.h */
    apr_pool_t *pool;
    apr_size_t response_cap, body_kept;
    idv_time_t timeout; /* milliseconds that are left */
    /* "host:port:addresses"; NULL: curl knows them, or the host is an address */
    const char *pin;
    int is_fresh;       /* on a new connection, by HTTP/1.1 */
    /* What came of it, good from idv_http_transfer_end() on. */
    idv_http_response_t response;
    /* Only the functions of this header use the members below. */
    int is_refused, is_too_large, has_headers, has_dialled;
    apr_size_t received, header_bytes;
    apr_table_t *headers;
    char *body;
    apr_size_t body_room; /* bytes that BODY has room for */
} idv_http_transfer_t;

/* Sets the options that all transfers of a client with CONFIG on the handle EASY
 * have in common. */
CURLcode
idv_http_transfer_prepare(CURL *easy, CURLSH *share,
                          const idv_http_client_config_t *config) IDV_CHECKED;

/* Sets the options of TRANSFER, which has nothing of an earlier try left. */
CURLcode idv_http_transfer_begin(idv_http_transfer_t *transfer,
                                 CURL *easy) IDV_CHECKED;

/* curl has ended TRANSFER with CODE: sets its response, but for the duration.
 * Nothing is read from curl's handle, which still holds the status of an earlier
 * transfer when curl refuses to begin this one. */
void idv_http_transfer_end(idv_http_transfer_t *transfer, CURLcode code);

/* Non-zero when TRANSFER, which has ended with CODE, has met the end of an old
 * connection and not a refusal: then it may be tried once more, fresh. */
int idv_http_transfer_met_old_end(const idv_http_transfer_t *transfer,
                                  CURLcode code);

#endif
