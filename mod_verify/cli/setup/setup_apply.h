/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_APPLY_H
#define IDV_CLI_SETUP_SETUP_APPLY_H

/*
 * Brings an installation to what set-up files say. Fields and lists that a file
 * leaves out stay as they are. Everything happens in the transaction of the
 * caller.
 *
 * Only with --prune are objects removed: those of a list that the file has,
 * which it does not name. Applications and workflows are retired, keys revoked,
 * trust lists taken out of use; organizations are never removed. Objects that
 * no file can name (cli/setup/setup_state.h) are left alone.
 *
 * Memory: the pool of the call. Threads: one. Failures: those of the commands,
 * with file, line and field.
 */
#include "cli/command/secret_files.h"
#include "cli/setup/setup_file.h"
#include "cli/setup/setup_plan.h"

typedef struct {
    const idv_call_t *call;
    int prunes;
    idv_secret_files_t *files; /* for new secrets; NULL: into the plan */
    const char *directory;     /* of FILES */
    int is_trial;              /* flag: secrets are dropped */
    idv_setup_plan_t *plan;
} idv_setup_apply_t;

/* OWNERS is an array of idv_setup_owner_t. */
idv_error_t *idv_setup_apply(idv_setup_apply_t *apply,
                             const apr_array_header_t *owners) IDV_CHECKED;

#endif
