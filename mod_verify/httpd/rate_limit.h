/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_RATE_LIMIT_H
#define IDV_HTTPD_RATE_LIMIT_H

/*
 * The limit of requests that a key may make in a minute (VerifyRateLimit), by
 * the counter that is configured (rate_counter.h), and the X-RateLimit headers
 * that tell callers of it.
 *
 * Threads: counting is for all threads of all children.
 */
#include "api/request.h"

/* Chooses and prepares the counter; parent, in post_config. */
idv_error_t *idv_rate_limit_post_config(const idv_settings_t *settings,
                                        apr_pool_t *pconf) IDV_CHECKED;

/* In each child, before its first request. */
idv_error_t *idv_rate_limit_child_init(apr_pool_t *pchild) IDV_CHECKED;

/* Counts REQUEST for its key and sets the headers; `rate_limit_exceeded`, with
 * the time until the next window, when it is one too many. */
idv_error_t *idv_rate_limit_count(idv_request_t *request) IDV_CHECKED;

/* Takes the headers back: the key was none. */
void idv_rate_limit_forget(idv_request_t *request);

#endif
