/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_AUTHENTICATION_H
#define IDV_HTTPD_AUTHENTICATION_H

/*
 * API keys as an authentication of httpd: `AuthType VerifyKey` and
 * `Require verify-key [secret] [publishable]`, which administrators can combine
 * with their own `Require` lines. Without a word it demands a key where the
 * table of routes does. r->user is the id of the key, so access logs show who
 * called.
 *
 * The table of routes asks for the same, whatever is configured: the check is
 * done once per request, by whoever comes first.
 *
 * A key is looked up with every request, with the first statement that the
 * request needs anyway (httpd/key_cache.h), so that a revocation holds from the
 * next request on, on every node.
 *
 * Threads: any, for requests that are their own; hooks are registered in the
 * parent, before there are others. Memory: the key and its guard live in the
 * request's pool. Failures: `api_key_invalid`, and those of looking a key up
 * (store/db/db.h); a hook that refuses leaves its error in the request's state,
 * from which the answer is written.
 */
#include <httpd.h>

#include "api/http/request.h"

/* Registers the hook and the provider. */
void idv_authentication_register(apr_pool_t *pool);

/* The key that R presents as a Bearer token, into its state and r->user;
 * `api_key_invalid` when there is none or no valid one. A key that was seen
 * before is taken for what it was then: the state's guard has to pass before
 * anything is answered, or idv_authenticate_confirm() be called. */
idv_error_t *idv_authenticate_key(request_rec *r,
                                  const idv_db_source_t *database) IDV_CHECKED;

/* Looks the key up, unless its guard has passed or it was looked up before;
 * `api_key_invalid` when it is not valid any more. *CHANGED is set when it is
 * not what it was taken for. */
idv_error_t *idv_authenticate_confirm(request_rec *r,
                                      const idv_db_source_t *database,
                                      int *changed) IDV_CHECKED;

/* The Bearer token of R (RFC 6750, 2.1), or NULL. */
const char *idv_bearer_token(request_rec *r);

#endif
