/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/law/rules_input.h"

#include <apr_strings.h>

#include "core/terminal_text.h"
#include "domain/law/compliance_directory.h"

/* One line for each fault, then the error that ends the program. */
static idv_error_t *refuse_rules(const idv_call_t *call,
                                 const apr_array_header_t *faults)
{
    for (int i = 0; i < faults->nelts; i++) {
        const idv_compliance_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_compliance_fault_t);

        const char *line = apr_psprintf(
            call->pool, "%s: %s: %s", *fault->file ? fault->file : ".",
            *fault->pointer ? fault->pointer : "/", fault->message);

        fprintf(stderr, "%s\n", idv_terminal_text(line, call->pool));
    }
    return idv_error_param(call->pool, NULL,
                           "The rules are not usable (%d faults).",
                           faults->nelts);
}

const char *idv_call_rules_directory(const idv_call_t *call, const char *given)
{
    return given ? given : call->compliance_rules;
}

idv_error_t *idv_call_read_rules(const idv_call_t *call, const char *given,
                                 idv_compliance_rules_t **rules)
{
    apr_array_header_t *faults;

    IDV_TRY(idv_compliance_overlaid_read(
        idv_call_rules_directory(call, given),
        given ? NULL : call->compliance_overlay, rules, &faults, call->pool));
    return *rules ? NULL : refuse_rules(call, faults);
}

idv_compliance_rules_t *idv_call_usable_rules(const idv_call_t *call)
{
    idv_compliance_rules_t *rules = NULL;
    apr_array_header_t *faults;

    return idv_compliance_overlaid_read(call->compliance_rules,
                                        call->compliance_overlay, &rules,
                                        &faults, call->pool)
             ? NULL
             : rules;
}
