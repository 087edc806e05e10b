/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_RULES_INPUT_H
#define IDV_CLI_RULES_INPUT_H

/*
 * The compliance rules that a command goes by: those of a directory that it was
 * given, else of the one that the server has by the same name. What is wrong
 * with them is told on standard error, a line each.
 *
 * Threads: one. Memory: the call's pool. Failures: `parameter_invalid` for
 * rules with faults; a directory that cannot be read.
 */
#include "cli/command.h"
#include "domain/law/compliance_rules.h"

/* The directory GIVEN, or without one (NULL) the server's. */
const char *idv_call_rules_directory(const idv_call_t *call, const char *given);

/* The server's rules for what is only a warning; NULL: they cannot be read, which the
 * server's start reports. */
idv_compliance_rules_t *idv_call_usable_rules(const idv_call_t *call);

/* The rules there. */
idv_error_t *idv_call_read_rules(const idv_call_t *call, const char *given,
                                 idv_compliance_rules_t **rules) IDV_CHECKED;

#endif
