/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_HOOKS_REQUEST_HOOKS_H
#define IDV_HTTPD_HOOKS_REQUEST_HOOKS_H

/*
 * The path of a request through httpd: route, credential, limit, parameters,
 * handler, answer. Every failure ends as one error, written in one place
 * (api/http/response.h).
 *
 * Threads: any of a child. Memory: the request's pool.
 */
#include <httpd.h>

/* Hooks, by httpd's names. */
int idv_request_hook_post_read_request(request_rec *r);
int idv_request_hook_translate_name(request_rec *r);
int idv_request_hook_map_to_storage(request_rec *r);
int idv_request_hook_type_checker(request_rec *r);
int idv_request_hook_handler(request_rec *r);
int idv_request_hook_log_transaction(request_rec *r);

/* For requests that no handler takes and that httpd's own will answer. */
int idv_request_hook_default_handler(request_rec *r);

/* Continues R, for which the handler hook or this function has returned
 * SUSPENDED (httpd/connection/reception.h). When it has ended, R is gone. */
void idv_request_hook_resume(request_rec *r);

#endif
