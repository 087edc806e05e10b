/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_CONFIGURATION_CHECK_H
#define IDV_HTTPD_START_CONFIGURATION_CHECK_H

/*
 * The check of a complete configuration, for httpd's start and `httpd -t`: what
 * needs the file system or several directives. It loads keys, rules and
 * databases into the configuration of each server.
 *
 * Threads: only the parent. Memory: the pool of the configuration. Failures: a
 * fault is logged with its file and line, and httpd does not start.
 */
#include <httpd.h>

/* Loads keys and databases of every server and checks settings that depend on
 * each other; logs faults with file and line. OK or HTTP_INTERNAL_SERVER_ERROR,
 * for the check_config hook. */
int idv_configuration_check(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *temporary, server_rec *servers);

#endif
