/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_ACCESS_RATE_LIMIT_H
#define IDV_HTTPD_ACCESS_RATE_LIMIT_H

/*
 * The limit on requests per key and minute (VerifyRateLimit, or its
 * organization's own), and the X-RateLimit headers that report it. An
 * operator's requests count whether or not the role allows them.
 *
 * Requests are counted in shared memory of this node, or, for several nodes, in
 * Redis (VerifyRateStore), where one script per request counts and sets the
 * expiry in one step. Windows are fixed minutes of Unix time. Counting is exact
 * over all children of a node, and over all nodes of a Redis; a restart,
 * graceful or not, does not start a new window.
 *
 * If more keys are used than VerifyRateLimitKeys, further ones share counts, so
 * that they reach their limits too early, never too late. Addresses have two
 * more tables of the same size: one for the visitors of sites, one for all
 * others. A site that has had all its requests adds no addresses. In Redis,
 * each address has a count of its own for two minutes, also those of a site
 * that has had all its requests.
 *
 * While Redis does not answer within 300 milliseconds, a node counts in its own
 * shared memory, with all that holds for its tables, and tries Redis again once
 * a second. A site that has had all its requests meanwhile waits for the next
 * minute, even if Redis answers again. Each child logs the outage once, and its
 * end once.
 *
 * Threads: all threads of all children may count. Memory: the counts are
 * retained for the life of the server process (worker/process/retained.h);
 * connections to Redis live as long as their child.
 */
#include "api/http/request.h"

/* Chooses and prepares the counter; in the parent, in post_config, once per
 * generation of the configuration. Before that, nothing is counted. */
idv_error_t *idv_rate_limit_post_config(const idv_settings_t *settings,
                                        apr_pool_t *pconf) IDV_CHECKED;

/* Prepares the counter for a child, before the child's first request. */
idv_error_t *idv_rate_limit_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Counts REQUEST for its key, or its operator. */
void idv_rate_limit_count(idv_request_t *request);

/* Non-zero if REQUEST, which was counted, exceeds the current limit of its key.
 * An operator has the server's limit for secret keys. */
int idv_rate_limit_is_exceeded(const idv_request_t *request);

/* Sets the headers of REQUEST; `rate_limit_exceeded`, with the time until the
 * next window, if it exceeds the limit. Call it again if the key turns out to
 * differ from the cached one. */
idv_error_t *idv_rate_limit_check(idv_request_t *request) IDV_CHECKED;

/* Counts a request from REQUEST's address, without a credential, for PURPOSE, a
 * word; `rate_limit_exceeded` if it exceeds LIMIT per minute. */
idv_error_t *idv_rate_limit_address(idv_request_t *request, const char *purpose,
                                    apr_int64_t limit) IDV_CHECKED;

/* Counts REQUEST, which the service makes for a visitor, for the visitor's
 * address like idv_rate_limit_address(), and for its own key if it has one,
 * without the X-RateLimit headers. */
idv_error_t *idv_rate_limit_visitor(idv_request_t *request, const char *purpose,
                                    apr_int64_t limit) IDV_CHECKED;

/* Removes the X-RateLimit headers of REQUEST: the key it was counted for could
 * not be confirmed, and the sender of an invalid key must not learn a limit. */
void idv_rate_limit_forget(idv_request_t *request);

#endif
