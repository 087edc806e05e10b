/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_API_CLIENT_H
#define IDV_CLI_API_CLIENT_H

/*
 * verifyctl as a customer of the service: calls of its API with a secret key,
 * from a machine that has neither database nor master key, and requests to the
 * developer's own server.
 *
 * The key comes from VERIFY_SECRET_KEY or a private file (--key-file), never
 * from the command line; the service's address from --url or VERIFY_URL. Who may
 * sign its certificate, and that of the developer's server, is the system's
 * business, or that of --ca-file (VERIFY_CA_FILE) instead.
 * A plain http address is called only where it is this machine's, so that no
 * key crosses a network in clear text.
 *
 * Memory: what is returned lives in the pool given. Threads: one. Failures:
 * `parameter_invalid` for settings, internal errors for what cannot be reached
 * and for what the service refuses, with its code and message.
 */
#include <curl/curl.h>
#include <jansson.h>

#include "cli/command.h"

typedef struct {
    CURL *curl;
    const char *base; /* without a slash at the end */
    const char *key;
    const char *ca_file; /* NULL: the system's authorities */
    int is_local; /* the service is on this machine */
} idv_api_client_t;

/* By the options url, key-file and ca-file of CALL; lives with its pool. */
idv_error_t *idv_api_client_open(const idv_call_t *call,
                                 idv_api_client_t *client) IDV_CHECKED;

/* A call of the API, and its answer. */
typedef struct {
    const char *method;
    const char *path; /* "/v1/..." */
    const char *body; /* NULL: none */
    long status;      /* the answer's */
    json_t *object;   /* the answer's; ends with the pool of the call */
} idv_api_call_t;

/* Makes CALL, whose answer may have any status. */
idv_error_t *idv_api_client_call(const idv_api_client_t *client,
                                 idv_api_call_t *call,
                                 apr_pool_t *pool) IDV_CHECKED;

/* The same, when anything but success is an error. */
idv_error_t *idv_api_client_do(const idv_api_client_t *client,
                               idv_api_call_t *call,
                               apr_pool_t *pool) IDV_CHECKED;

/* The organization of the key has to be a sandbox. */
idv_error_t *idv_api_client_need_sandbox(const idv_api_client_t *client,
                                         apr_pool_t *pool) IDV_CHECKED;

/* A request to a developer's own server. */
typedef struct {
    const char *url;
    struct curl_slist *headers;
    const char *body;
    long status;     /* of the answer; 0: there was none ... */
    const char *why; /* ... and why */
} idv_forwarding_t;

void idv_api_client_forward(const idv_api_client_t *client,
                            idv_forwarding_t *forwarding, apr_pool_t *pool);

#endif
