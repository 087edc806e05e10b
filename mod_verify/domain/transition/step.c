/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step.h"

void idv_step_emit(idv_step_t *step, idv_event_type_t type)
{
    if (step->type_count < IDV_SESSION_EVENTS_MAX)
        step->types[step->type_count++] = type;
}

idv_error_t *idv_step_refuse(const idv_step_t *step, idv_error_code_t code)
{
    return idv_error_new(code, step->pool);
}

int idv_step_is_over(const idv_step_t *step)
{
    return idv_session_is_over(step->before, step->now);
}

const idv_workflow_node_t *idv_step_node(const idv_step_t *step,
                                         idv_node_type_t type)
{
    const idv_workflow_node_t *node =
        idv_workflow_node(step->workflow, step->before->runner.node);

    return node && node->type == type ? node : NULL;
}

idv_error_t *idv_step_misfit(const idv_step_t *step)
{
    return idv_error_internal(step->pool,
                              "a session does not fit its workflow version");
}

int idv_step_is_primary(const char *method)
{
    idv_method_t parsed = idv_method_parse(method);

    return parsed != IDV_METHOD_NONE
        && idv_method_kind(parsed) == IDV_METHOD_PRIMARY;
}
