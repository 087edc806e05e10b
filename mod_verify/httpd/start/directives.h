/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_START_DIRECTIVES_H
#define IDV_HTTPD_START_DIRECTIVES_H

/*
 * The table of directives for the module record, made from core/settings.def. A
 * directive checks each of its words when httpd reads it, so that httpd names
 * file and line of a refused word, and stores it in the server's
 * idv_configuration_t.
 *
 * A new directive is a line in core/settings.def, with a check of directives.c
 * for its words. Checks that need the file system or other directives belong in
 * idv_configuration_check(). t/meta/configuration.t requires that
 * conf/verify.conf describes it.
 *
 * Memory: the configuration's pool. Failures: a refused word ends the start of
 * httpd.
 */
#include <httpd.h>
#include <http_config.h>

/* Ends with a row without a name. */
extern const command_rec idv_directives[];

#endif
