/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_CHANGE_H
#define IDV_CLI_SETUP_SETUP_CHANGE_H

/*
 * Creates one object as a file says, or changes the fields of it that differ.
 *
 * Memory: the pool of the call. Threads: one. Failures: those of the commands,
 * with file, line and field; `parameter_invalid` for a field that cannot be
 * changed.
 */
#include "cli/setup/setup_file.h"
#include "cli/setup/setup_run.h"
#include "cli/setup/setup_state.h"

typedef struct {
    const idv_setup_item_t *item;
    const idv_setup_object_t *object; /* with its form; NULL: a new one */
    idv_setup_scope_t *scope;
    /* Outputs. */
    const char *id;
    const char *secret; /* of a new object; NULL: none */
    const json_t *warnings; /* of the commands; NULL: none */
    json_t *fields;         /* what changed, as in cli/setup/setup_plan.h */
} idv_setup_change_t;

/* Creates the object. */
idv_error_t *idv_setup_create(idv_setup_change_t *change) IDV_CHECKED;

/* Changes the fields that differ, also those of a new object that its creation
 * does not take. */
idv_error_t *idv_setup_update(idv_setup_change_t *change) IDV_CHECKED;

#endif
