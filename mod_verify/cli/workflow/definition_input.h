/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_WORKFLOW_DEFINITION_INPUT_H
#define IDV_CLI_WORKFLOW_DEFINITION_INPUT_H

/*
 * The definition of a workflow that a command was given, and the law under which
 * it is tried. Faults of a definition are printed on standard error, one per
 * line.
 *
 * Threads: one. Memory: the call's pool. Failures: `parameter_invalid` for a
 * definition with faults, and those of cli/law/rules_input.h.
 */
#include "cli/command/command.h"
#include "domain/simulation/workflow_sandbox.h"

/* The workflow of DEFINITION. */
idv_error_t *idv_call_compile(const idv_call_t *call, const json_t *definition,
                              idv_workflow_t **workflow) IDV_CHECKED;

/* Sets the law of SANDBOX, the rules of --rules or else the server's, and its
 * time, which is now. */
idv_error_t *idv_call_read_law(const idv_call_t *call,
                               idv_sandbox_t *sandbox) IDV_CHECKED;

#endif
