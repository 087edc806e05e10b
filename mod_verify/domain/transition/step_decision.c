/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/transition/step_decision.h"

#include "core/utf8.h"
#include "domain/request/parameters.h"
#include "domain/transition/step_end.h"
#include "domain/transition/step_hold.h"
#include "domain/transition/step_law.h"
#include "domain/transition/step_outcome.h"
#include "domain/transition/step_walk.h"

#define SYSTEM_TIMEOUT "system_timeout"

/* A hold that somebody put on a verified session. */
#define FLAG_TIMEOUT (IDV_WORKFLOW_REVIEW_HOURS_DEFAULT * IDV_HOUR)

idv_error_t *idv_step_flag(idv_step_t *step)
{
    const char *reason = step->input->reason;

    if (step->before->status != IDV_STATUS_VERIFIED)
        return idv_step_refuse(step, IDV_E_SESSION_NOT_FLAGGABLE);
    if (reason && idv_utf8_length(reason) > IDV_REVIEW_REASON_MAX)
        return idv_error_param(step->pool, "reason",
                               "must have at most %d characters.",
                               IDV_REVIEW_REASON_MAX);
    step->touched = 1;
    step->after->runner.review_flagged = 1;
    step->after->runner.review_reason = reason;
    idv_step_hold(step, FLAG_TIMEOUT);
    return NULL;
}

/* Whether a reviewer can take DECISION, and has said who and why in few words
 * or by a code. */
static idv_error_t *check_decision(const idv_step_t *step,
                                   idv_decision_t decision)
{
    const idv_session_input_t *input = step->input;
    apr_size_t by = input->decided_by ? idv_utf8_length(input->decided_by) : 0;

    if (step->before->status != IDV_STATUS_UNDER_REVIEW)
        return idv_step_refuse(step, IDV_E_SESSION_STATE_CONFLICT);
    if (by < 1 || by > IDV_REVIEWER_MAX)
        return idv_error_param(step->pool, "by",
                               "must have 1 to %d characters.",
                               IDV_REVIEWER_MAX);
    if (input->reason && idv_utf8_length(input->reason) > IDV_REVIEW_REASON_MAX)
        return idv_error_param(step->pool, "note",
                               "must have at most %d characters.",
                               IDV_REVIEW_REASON_MAX);
    return idv_review_reason_check(decision, input->reason_code, input->reason,
                                   step->pool);
}

/* Notes the decision ACTION of a reviewer. */
static void record_decision(idv_step_t *step, idv_review_action_t action)
{
    idv_step_record(step, action, step->input->decided_by, step->input->reason);
    step->reviews[step->review_count - 1].reason_code =
        step->input->reason_code;
    step->reviews[step->review_count - 1].overruled = step->input->overruled;
}

idv_error_t *idv_step_approve(idv_step_t *step)
{
    const idv_session_runner_t *runner = &step->before->runner;
    const idv_workflow_node_t *node = idv_step_node(
        step, runner->held_method ? IDV_NODE_METHODS : IDV_NODE_REVIEW);

    IDV_TRY(check_decision(step, IDV_DECISION_APPROVE));
    if (!node && !runner->review_flagged && !idv_step_is_law_held(step))
        return idv_step_misfit(step);
    step->touched = 1;
    step->decided_by = step->input->decided_by;
    record_decision(step, IDV_REVIEW_APPROVED);
    idv_step_emit(step, IDV_EVENT_REVIEW_APPROVED);
    idv_step_release(step);
    idv_step_approve_age(step);
    if (idv_step_fails_by_law(step) || idv_step_fails_by_age(step))
        return NULL;
    idv_step_accept_summary(step);
    if (runner->review_flagged || idv_step_is_law_held(step))
        idv_step_verify(step);
    else if (runner->held_method)
        idv_step_take_held(step, node);
    else
        idv_step_enter(step, node->next[IDV_EXIT_APPROVED],
                       IDV_STATUS_REQUIRES_INPUT);
    return NULL;
}

/* A review of the workflow is left by its exit, which leads to an outcome that is
 * failed; a doubt and a flag hold where no node has such an exit. */
static void reject(idv_step_t *step, const char *decided_by)
{
    const idv_workflow_node_t *node = idv_step_node(step, IDV_NODE_REVIEW);

    step->touched = 1;
    step->decided_by = decided_by;
    idv_step_emit(step, IDV_EVENT_REVIEW_REJECTED);
    idv_step_release(step);
    if (node)
        idv_step_enter(step, node->next[IDV_EXIT_REJECTED],
                       IDV_STATUS_REQUIRES_INPUT);
    else
        idv_step_fail(step);
    idv_step_note_rejection(step);
}

idv_error_t *idv_step_reject(idv_step_t *step)
{
    IDV_TRY(check_decision(step, IDV_DECISION_REJECT));
    record_decision(step, IDV_REVIEW_REJECTED);
    reject(step, step->input->decided_by);
    if (!step->input->is_test)
        idv_step_give_back(step);
    return NULL;
}

idv_error_t *idv_step_time_out_review(idv_step_t *step)
{
    if (step->before->status != IDV_STATUS_UNDER_REVIEW
        || step->now < step->before->review_deadline)
        return NULL;
    idv_step_record(step, IDV_REVIEW_TIMED_OUT, SYSTEM_TIMEOUT, NULL);
    reject(step, SYSTEM_TIMEOUT);
    return NULL;
}

idv_error_t *idv_step_escalate(idv_step_t *step)
{
    IDV_TRY(check_decision(step, IDV_DECISION_ESCALATE));
    step->touched = 1;
    step->decided_by = step->input->decided_by;
    step->after->runner.review_escalated = 1;
    record_decision(step, IDV_REVIEW_ESCALATED);
    idv_step_emit(step, IDV_EVENT_REVIEW_ESCALATED);
    return NULL;
}
