/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_ACCESS_AUTHENTICATION_H
#define IDV_HTTPD_ACCESS_AUTHENTICATION_H

/*
 * API keys as an authentication of httpd: `AuthType VerifyKey` and `Require
 * verify-key [secret] [publishable]`, which administrators can combine with
 * their own `Require` lines. Without arguments, it requires a key for those
 * routes that need one by the table of routes. r->user is the id of the key, so
 * access logs show the caller.
 *
 * The table of routes applies in any configuration. The key is checked once per
 * request, by the Require line or by the route, whichever comes first.
 *
 * A key is looked up with every request, along with the first statement that
 * the request needs anyway (httpd/process/key_cache.h), so a revocation takes
 * effect with the next request on every node.
 *
 * Threads: any, each for its own requests; hooks are registered in the parent
 * before other threads exist. Memory: the key and its guard live in the
 * request's pool. Failures: `api_key_invalid`, and those of the key lookup
 * (store/db/db.h). A hook that refuses leaves its error in the request's state,
 * from which the answer is written.
 */
#include <httpd.h>

#include "api/http/request.h"

/* Registers the hook and the provider. */
void idv_authentication_register(apr_pool_t *pool);

/* Sets the key that R presents as a Bearer token in its state and r->user;
 * `api_key_invalid` if it is missing or invalid. The data of a known key comes
 * from the cache: before anything is answered, the state's guard has to pass or
 * idv_authenticate_confirm() has to be called. */
idv_error_t *idv_authenticate_key(request_rec *r,
                                  const idv_db_source_t *database) IDV_CHECKED;

/* Looks the key up, unless its guard has passed or it was looked up before;
 * `api_key_invalid` if it is no longer valid. *CHANGED is set if it differs
 * from the cached one. */
idv_error_t *idv_authenticate_confirm(request_rec *r,
                                      const idv_db_source_t *database,
                                      int *changed) IDV_CHECKED;

/* The Bearer token of R (RFC 6750, 2.1), or NULL. */
const char *idv_bearer_token(request_rec *r);

#endif
