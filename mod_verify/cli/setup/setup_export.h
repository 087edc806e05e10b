/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_EXPORT_H
#define IDV_CLI_SETUP_SETUP_EXPORT_H

/*
 * An installation as a set-up file, without secrets and ids, in a fixed order:
 * by name. What no file can name is left out with a remark.
 *
 * Memory: the pool of the call. Threads: one. Failures: those of the commands.
 */
#include "cli/command/command.h"

/* The organization ID (NULL: all, with the trust lists for all) as *ROOT, owned
 * by the pool. REMARKS is an array of const char *, one line each. */
idv_error_t *idv_setup_export(const idv_call_t *call, const char *id,
                              json_t **root,
                              apr_array_header_t **remarks) IDV_CHECKED;

#endif
