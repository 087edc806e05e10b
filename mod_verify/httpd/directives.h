/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_DIRECTIVES_H
#define IDV_HTTPD_DIRECTIVES_H

/*
 * The table of directives for the module record, made from core/settings.def.
 * It checks each word when it is read, so that httpd names file and line of
 * what it refuses, and puts it into the server's idv_configuration_t.
 *
 * Memory: the configuration's pool.
 */
#include <httpd.h>
#include <http_config.h>

extern const command_rec idv_directives[];

#endif
