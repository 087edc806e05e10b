/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMMAND_API_CLIENT_H
#define IDV_CLI_COMMAND_API_CLIENT_H

/*
 * HTTP client of verifyctl: calls the service's API with a secret key, like a
 * customer, from a machine that has neither database nor master key, and sends
 * requests to the developer's own server.
 *
 * The key comes from VERIFY_SECRET_KEY or a private file (--key-file), never
 * from the command line; the service's address comes from --url or VERIFY_URL.
 * Server certificates are checked against the system's authorities, or those of
 * --ca-file (VERIFY_CA_FILE). Plain http is allowed only to this machine, so
 * that no key crosses a network in clear text.
 *
 * Memory: results live in the given pool. Threads: one. Failures:
 * `parameter_invalid` for settings; internal errors if a server cannot be
 * reached or the service refuses, with its code and message.
 */
#include <curl/curl.h>
#include <jansson.h>

#include "cli/command/command.h"

typedef struct {
    CURL *curl;
    const char *base; /* without a trailing slash */
    const char *key;
    const char *ca_file; /* NULL: the system's authorities */
    int is_local; /* flag: the service runs on this machine */
} idv_api_client_t;

/* Opens CLIENT from the options url, key-file and ca-file of CALL; lives with
 * its pool. */
idv_error_t *idv_api_client_open(const idv_call_t *call,
                                 idv_api_client_t *client) IDV_CHECKED;

/* An API call and its answer. */
typedef struct {
    const char *method;
    const char *path; /* "/v1/..." */
    const char *body; /* NULL: none */
    long status;      /* of the answer */
    json_t *object;   /* of the answer; lives as long as the pool of the call */
} idv_api_call_t;

/* Makes CALL; a status other than success is an error. */
idv_error_t *idv_api_client_do(const idv_api_client_t *client,
                               idv_api_call_t *call,
                               apr_pool_t *pool) IDV_CHECKED;

/* Fails unless the organization of the key is a sandbox. */
idv_error_t *idv_api_client_need_sandbox(const idv_api_client_t *client,
                                         apr_pool_t *pool) IDV_CHECKED;

/* A request to a developer's own server. */
typedef struct {
    const char *url;
    struct curl_slist *headers;
    const char *body;
    long status;     /* of the answer; 0: none ... */
    const char *why; /* ... for this reason */
} idv_forwarding_t;

void idv_api_client_forward(const idv_api_client_t *client,
                            idv_forwarding_t *forwarding, apr_pool_t *pool);

#endif
