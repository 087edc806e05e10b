/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workflow/definition_input.h"

#include <stdio.h>

#include <apr_strings.h>

#include "cli/law/rules_input.h"
#include "core/terminal_text.h"
#include "domain/workflow/workflow_compile.h"

/* One line for each fault, then the error that ends the program. */
static idv_error_t *refuse_definition(const idv_call_t *call,
                                      const apr_array_header_t *faults)
{
    for (int i = 0; i < faults->nelts; i++) {
        const idv_workflow_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_workflow_fault_t);
        const char *line =
            apr_psprintf(call->pool, "%s: %s",
                         *fault->pointer ? fault->pointer : "/", fault->message);

        fprintf(stderr, "%s\n", idv_terminal_text(line, call->pool));
    }
    return idv_error_param(call->pool, NULL,
                           "The definition does not validate (%d faults).",
                           faults->nelts);
}

idv_error_t *idv_call_compile(const idv_call_t *call, const json_t *definition,
                              idv_workflow_t **workflow)
{
    apr_array_header_t *faults;

    idv_workflow_compile(definition, workflow, &faults, call->pool);
    return *workflow ? NULL : refuse_definition(call, faults);
}

idv_error_t *idv_call_read_law(const idv_call_t *call, idv_sandbox_t *sandbox)
{
    idv_compliance_rules_t *rules;

    IDV_TRY(idv_call_read_rules(call, idv_call_option(call, "rules"), &rules));
    sandbox->compliance = idv_compliance_rules_look_up;
    sandbox->compliance_baton = rules;
    sandbox->now = idv_time_now();
    return NULL;
}
