/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_SERVICE_H
#define IDV_HTTPD_SERVICE_H

/*
 * The service in httpd's life: what the parent prepares, what a child readies,
 * and the one way of a request: route, credential, limit, parameters, handler,
 * answer.
 */
#include <httpd.h>

#include "worker/watchdog.h"

/* Hooks, by httpd's names. */
int idv_service_post_config(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *ptemp, server_rec *servers);
void idv_service_child_init(apr_pool_t *pchild, server_rec *servers);
int idv_service_post_read_request(request_rec *r);
int idv_service_translate_name(request_rec *r);
int idv_service_map_to_storage(request_rec *r);
int idv_service_handler(request_rec *r);

/* The watchdog of this server process; NULL before it was started. */
idv_watchdog_t *idv_service_watchdog(void);

#endif
