/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>

#include "domain/compliance_rules.h"

/* One line for each fault, then the error that ends the program. */
static idv_error_t *refuse(const idv_call_t *call,
                           const apr_array_header_t *faults)
{
    for (int i = 0; i < faults->nelts; i++) {
        const idv_compliance_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_compliance_fault_t);

        fprintf(stderr, "%s: %s: %s\n", *fault->file ? fault->file : ".",
                *fault->pointer ? fault->pointer : "/", fault->message);
    }
    return idv_error_param(call->pool, NULL,
                           "The rules are not usable (%d faults).",
                           faults->nelts);
}

IDV_COMMAND(idv_command_compliance_check_data)
{
    const char *directory =
        call->arguments[0] ? call->arguments[0] : call->compliance_rules;
    idv_compliance_rules_t *rules;
    idv_compliance_extent_t extent;
    apr_array_header_t *faults;

    IDV_TRY(
        idv_compliance_directory_read(directory, &rules, &faults, call->pool));
    if (!rules)
        return refuse(call, faults);
    idv_compliance_rules_extent(rules, &extent);
    *answer = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i}", "object",
                        "compliance_rules", "directory", directory, "countries",
                        extent.countries, "regions", extent.regions, "rules",
                        extent.rules, "unknown", extent.unknown);
    return NULL;
}
