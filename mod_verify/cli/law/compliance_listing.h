/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_LAW_COMPLIANCE_LISTING_H
#define IDV_CLI_LAW_COMPLIANCE_LISTING_H

/*
 * Exports whole sets of compliance rules with their sources, and compares them.
 *
 * Threads: one. Memory: the call's pool. Failures: those of
 * cli/law/rules_input.h.
 */
#include "cli/command/command.h"

/* `compliance export`: every answer of a set on a given day, as JSON or CSV. */
idv_error_t *idv_compliance_export(idv_call_t *call, json_t **answer);

/* `compliance diff`: the answers on a given day that differ between two
 * sets. */
idv_error_t *idv_compliance_diff(idv_call_t *call, json_t **answer);

#endif
