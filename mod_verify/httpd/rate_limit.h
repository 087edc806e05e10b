/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_RATE_LIMIT_H
#define IDV_HTTPD_RATE_LIMIT_H

/*
 * The limit of requests that a key may make in a minute (VerifyRateLimit, or its
 * organization's own), and the X-RateLimit headers that tell callers of it. An
 * operator's requests count whether or not his role allows them.
 *
 * Requests are counted in shared memory of this node, or, for several nodes, in
 * Redis (VerifyRateStore): there one script for each request counts and lets
 * the count expire in one step. Windows are fixed minutes of Unix time.
 * Counting is exact over all children of a node, and over all nodes of a Redis;
 * a restart, graceful or not, does not start a window anew.
 *
 * While Redis does not answer within 300 milliseconds, a node counts alone, in
 * its shared memory, and asks Redis again once a second. Each child says so
 * once in the log, and once more when Redis is back.
 *
 * Threads: counting is for all threads of all children. Memory: the counts are
 * retained for the life of the server process (worker/retained.h), connections
 * to Redis live as long as their child.
 */
#include "api/http/request.h"

/* Chooses and prepares the counter; in the parent, in post_config, once for
 * each generation of the configuration. Before it nothing is counted. */
idv_error_t *idv_rate_limit_post_config(const idv_settings_t *settings,
                                        apr_pool_t *pconf) IDV_CHECKED;

/* Prepares the counter for a child, before the child's first request. */
idv_error_t *idv_rate_limit_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Counts REQUEST for its key, or its operator. */
void idv_rate_limit_count(idv_request_t *request);

/* Non-zero when REQUEST, which was counted, is one too many for its key as that
 * is known now, or for its operator, who has the server's limit of a secret
 * key. A request that found no room to be counted passes. */
int idv_rate_limit_is_exceeded(const idv_request_t *request);

/* Sets the headers of REQUEST; `rate_limit_exceeded`, with the time until the
 * next window, when it is one too many. Again when the key turns out to be
 * another than it was taken for. */
idv_error_t *idv_rate_limit_check(idv_request_t *request) IDV_CHECKED;

/* Counts a request that a stranger at REQUEST's address makes for PURPOSE, a
 * word; `rate_limit_exceeded` when it is more than the LIMIT-th in its minute. */
idv_error_t *idv_rate_limit_address(idv_request_t *request, const char *purpose,
                                    apr_int64_t limit) IDV_CHECKED;

/* Takes the X-RateLimit headers of REQUEST back: the key for which the
 * request was counted could not be confirmed, and whoever presents an invalid
 * key learns nothing of a limit. */
void idv_rate_limit_forget(idv_request_t *request);

#endif
