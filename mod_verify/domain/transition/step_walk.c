/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_walk.h"

#include "domain/session/session_way.h"
#include "domain/transition/step_end.h"
#include "domain/transition/step_hold.h"

idv_method_t idv_step_next_method(const idv_session_t *session,
                                  const idv_workflow_node_t *node)
{
    idv_method_t next = IDV_METHOD_NONE;

    for (int i = node->methods.count - 1; i >= 0; i--) {
        idv_method_t method = node->methods.items[i];

        if (!idv_method_list_has(&session->methods, method)) {
            if (node->mode == IDV_MODE_ALL_OF)
                return IDV_METHOD_NONE;
        } else if (!idv_method_list_has(&session->runner.passed, method)
                   && !idv_session_has_to_wait(session, node, method)) {
            next = method;
        }
    }
    return next;
}

/* The status in which a session waits at a node of some type, with
 * IDV_WORKFLOW_NO_NODE; or the next node, if there is nothing to do here. */

static int begin_checks(idv_step_t *step, const idv_workflow_node_t *node,
                        idv_session_status_t waiting)
{
    (void)node;
    step->after->status = waiting == IDV_STATUS_PENDING ? IDV_STATUS_PENDING
                                                        : IDV_STATUS_PROCESSING;
    step->effects |= IDV_EFFECT_RUN_CHECKS;
    return IDV_WORKFLOW_NO_NODE;
}

static int begin_review(idv_step_t *step, const idv_workflow_node_t *node,
                        idv_session_status_t waiting)
{
    (void)waiting;
    idv_step_hold(step, node->review_timeout);
    return IDV_WORKFLOW_NO_NODE;
}

static int begin_methods(idv_step_t *step, const idv_workflow_node_t *node,
                         idv_session_status_t waiting)
{
    step->after->current_method = idv_step_next_method(step->after, node);
    if (step->after->current_method == IDV_METHOD_NONE)
        return node->next[IDV_EXIT_EXHAUSTED];
    step->after->status = waiting;
    return IDV_WORKFLOW_NO_NODE;
}

static int conclude(idv_step_t *step, const idv_workflow_node_t *node,
                    idv_session_status_t waiting)
{
    (void)waiting;
    if (node->verified
        && step->after->compliance.on_unknown == IDV_UNKNOWN_REVIEW)
        idv_step_hold_for_law(step);
    else if (node->verified)
        idv_step_verify(step);
    else
        idv_step_fail(step);
    return IDV_WORKFLOW_NO_NODE;
}

static int (*const beginnings[IDV_NODE_TYPE_COUNT])(idv_step_t *,
                                                    const idv_workflow_node_t *,
                                                    idv_session_status_t) = {
    [IDV_NODE_CHECKS] = begin_checks,
    [IDV_NODE_REVIEW] = begin_review,
    [IDV_NODE_METHODS] = begin_methods,
    [IDV_NODE_OUTCOME] = conclude,
};

static int stand_at(idv_step_t *step, const idv_workflow_node_t *node,
                    idv_session_status_t waiting)
{
    idv_step_clear_prompts(step->after);
    step->after->runner.node = node->id;
    step->after->runner.way = idv_session_way_add(
        step->after->runner.way, node->id, step->now, step->pool);
    step->after->runner.attempts = 0;
    step->after->runner.unreadable = 0;
    step->after->runner.passed.count = 0;
    return beginnings[node->type](step, node, waiting);
}

void idv_step_enter(idv_step_t *step, int index, idv_session_status_t waiting)
{
    /* ends, as a compiled graph has no loops */
    while (index != IDV_WORKFLOW_NO_NODE)
        index = stand_at(step, &step->workflow->nodes[index], waiting);
}

/* The session's methods node after the step; NULL: none. */
static const idv_workflow_node_t *methods_node(const idv_step_t *step)
{
    const idv_workflow_node_t *node =
        idv_workflow_node(step->workflow, step->after->runner.node);

    return node && node->type == IDV_NODE_METHODS ? node : NULL;
}

int idv_step_is_asked(const idv_step_t *step, idv_method_t method)
{
    const idv_workflow_node_t *node = methods_node(step);

    return node && idv_step_next_method(step->after, node) != IDV_METHOD_NONE
        && idv_method_list_has(&step->after->methods, method);
}

void idv_step_ask_anew(idv_step_t *step)
{
    const idv_workflow_node_t *node = methods_node(step);
    idv_session_t *after = step->after;
    idv_session_status_t waiting = after->status;
    idv_method_t next;

    if (!node
        || (waiting != IDV_STATUS_PENDING
            && waiting != IDV_STATUS_REQUIRES_INPUT))
        return;
    next = idv_step_next_method(after, node);
    if (next == IDV_METHOD_NONE) {
        after->last_error =
            *idv_session_error(IDV_SESSION_ERROR_METHODS_NOT_ACCEPTED);
        idv_step_enter(step, node->next[IDV_EXIT_EXHAUSTED], waiting);
    } else if (!idv_method_list_has(&after->methods, after->current_method)) {
        after->current_method = next;
    }
}
