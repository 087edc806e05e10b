/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_LAW_RULES_INPUT_H
#define IDV_CLI_LAW_RULES_INPUT_H

/*
 * Reads the compliance rules of a command: from the directory it was given,
 * else from the server's. Faults are printed on standard error, one per line.
 *
 * Threads: one. Memory: the call's pool. Failures: `parameter_invalid` for
 * rules with faults; an error for a directory that cannot be read.
 */
#include "cli/command/command.h"
#include "domain/law/compliance_rules.h"

/* The directory GIVEN, or the server's if it is NULL. */
const char *idv_call_rules_directory(const idv_call_t *call, const char *given);

/* The server's rules, for warnings only; NULL: they cannot be read, which the
 * server reports at its start. */
idv_compliance_rules_t *idv_call_usable_rules(const idv_call_t *call);

/* Reads the rules of that directory. */
idv_error_t *idv_call_read_rules(const idv_call_t *call, const char *given,
                                 idv_compliance_rules_t **rules) IDV_CHECKED;

#endif
