/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_SETUP_SETUP_RUN_H
#define IDV_CLI_SETUP_SETUP_RUN_H

/*
 * Calls a command of verifyctl from within another one, in its transaction, and
 * records it as if an operator had called it.
 *
 * Memory: the pool of the outer call. Threads: one. Failures: those of the
 * command, with the option or argument as the parameter.
 */
#include "cli/command/command.h"

typedef struct {
    const char *words;       /* as in "endpoint create" */
    const char *argument;    /* NULL: none */
    apr_table_t *options;    /* without the organization; NULL: none */
    const char *organization_id; /* "": all organizations */
    int unrecorded;          /* flag: idv_setup_record() may follow */
} idv_setup_call_t;

/* *ANSWER is owned by the pool. */
idv_error_t *idv_setup_run(const idv_call_t *call, const idv_setup_call_t *of,
                           json_t **answer) IDV_CHECKED;

/* Records OF, which gave ANSWER. */
idv_error_t *idv_setup_record(const idv_call_t *call,
                              const idv_setup_call_t *of,
                              const json_t *answer) IDV_CHECKED;

/* The name of a file without a path that holds CONTENT until the pool of CALL
 * ends, for a command that reads a file. */
idv_error_t *idv_setup_as_file(const idv_call_t *call, const char *content,
                               const char **path) IDV_CHECKED;

#endif
