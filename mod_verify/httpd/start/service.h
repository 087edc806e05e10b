/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_SERVICE_H
#define IDV_HTTPD_START_SERVICE_H

/*
 * Start-up of the service in httpd: the parent prepares shared resources for
 * all children and the watchdog; each child prepares itself for its requests.
 *
 * Memory: of the configuration in the parent, of the child in a child.
 */
#include <httpd.h>

#include "api/http/admission.h"
#include "worker/watchdog/watchdog.h"

/* Hooks, by httpd's names. */
int idv_service_post_config(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *ptemp, server_rec *servers);
void idv_service_test_config(apr_pool_t *pconf, server_rec *servers);
void idv_service_child_init(apr_pool_t *pchild, server_rec *servers);

/* Bodies and images under way on this node; NULL before the start. */
const idv_admission_t *idv_service_admission(void);

/* The watchdog of this server process; NULL before its start. */
idv_watchdog_t *idv_service_watchdog(void);

#endif
