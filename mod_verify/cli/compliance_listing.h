/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_COMPLIANCE_LISTING_H
#define IDV_CLI_COMPLIANCE_LISTING_H

/*
 * Whole sets of compliance rules: exported with their sources, and compared.
 *
 * Threads: one. Memory: the call's pool. Failures: those of cli/rules_input.h.
 */
#include "cli/command.h"

/* `compliance export`: every answer of a set on a day, as JSON or CSV. */
idv_error_t *idv_compliance_export(idv_call_t *call, json_t **answer);

/* `compliance diff`: the answers of a day that two sets give differently. */
idv_error_t *idv_compliance_diff(idv_call_t *call, json_t **answer);

#endif
